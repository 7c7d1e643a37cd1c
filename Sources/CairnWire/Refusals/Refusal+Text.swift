extension Refusal {
    /// A sentence for people, with its values apart from its words, so that the server can say it in another language
    /// (ACS-1). A string literal makes one. The English words are the key of the translations.
    public struct Text: Sendable, CustomStringConvertible, ExpressibleByStringInterpolation {
        /// In the order of the English sentence.
        public let pieces: [Piece]

        /// A part of a sentence.
        public enum Piece: Sendable {
            /// Words of this sentence.
            case words(String)
            /// A value, the same in every language: a number, a name.
            case plain(String)
            /// A value that is words of the server, with a translation of their own.
            case text(Text)
        }

        /// A text as another node has sent it.
        public init(pieces: [Piece]) { self.pieces = pieces }

        /// Words that have no translation: they tell the developer of a client what is wrong with a message, or come
        /// from somebody else.
        public init(english: String) { pieces = [.words(english)] }

        public init(stringLiteral value: String) { pieces = [.words(value)] }

        public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

        /// Takes the values of a literal apart from its words.
        public struct StringInterpolation: StringInterpolationProtocol {
            fileprivate var pieces: [Piece] = []

            public init(literalCapacity: Int, interpolationCount: Int) {
                pieces.reserveCapacity(2 * interpolationCount + 1)
            }

            /// Words of the sentence.
            public mutating func appendLiteral(_ literal: String) {
                if !literal.isEmpty { pieces.append(.words(literal)) }
            }

            /// Words with a translation of their own.
            public mutating func appendInterpolation(_ text: Text) { pieces.append(.text(text)) }

            /// A value.
            public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
                pieces.append(.plain(value.description))
            }

            /// A value that has no description of its own.
            public mutating func appendInterpolation<Plain>(_ value: Plain) {
                pieces.append(.plain(String(describing: value)))
            }
        }

        /// The sentence in English.
        public var description: String {
            var sentence = ""
            for piece in pieces {
                switch piece {
                case .words(let words), .plain(let words): sentence += words
                case .text(let text): sentence += text.description
                }
            }
            return sentence
        }

        /// The English words, with `{0}`, `{1}` and so on where the values stand.
        public var pattern: String {
            if pieces.count == 1, case .words(let words) = pieces[0] { return words }
            var (pattern, count) = ("", 0)
            for piece in pieces {
                if case .words(let words) = piece {
                    pattern += words
                } else {
                    pattern += "{\(count)}"
                    count += 1
                }
            }
            return pattern
        }

        /// The sentence in another language.
        /// - Parameter translated: the pattern of a sentence, or of words in it, in that language; nil = there is none.
        /// - Returns: nil = a part of it has no translation.
        public func said(_ translated: (String) -> String?) -> String? {
            guard let pattern = translated(pattern) else { return nil }
            var values: [String] = []
            for piece in pieces {
                switch piece {
                case .words: continue
                case .plain(let plain): values.append(plain)
                case .text(let text):
                    guard let said = text.said(translated) else { return nil }
                    values.append(said)
                }
            }
            return values.isEmpty ? pattern : Self.fill(pattern, with: values)
        }

        /// In one pass: braces in a value are not a place. A place has one digit.
        private static func fill(_ pattern: String, with values: [String]) -> String {
            let pattern = Array(pattern.utf8)
            var (filled, next) = ([UInt8](), 0)
            while next < pattern.count {
                if next + 2 < pattern.count, pattern[next] == UInt8(ascii: "{"), pattern[next + 2] == UInt8(ascii: "}"),
                    values.indices.contains(Int(pattern[next + 1]) - Int(UInt8(ascii: "0")))
                {
                    filled += values[Int(pattern[next + 1] - UInt8(ascii: "0"))].utf8
                    next += 3
                } else {
                    filled.append(pattern[next])
                    next += 1
                }
            }
            return String(decoding: filled, as: UTF8.self)
        }
    }
}
