extension Refusal {
    /// A sentence for people, with its values apart from its words, so that the server can say it in another language
    /// (ACS-1). A string literal makes one. The English words are the key of the translations.
    public struct Text: Sendable, CustomStringConvertible, ExpressibleByStringInterpolation {
        /// The English words, with `{0}`, `{1}` and so on where the values stand.
        public let pattern: String
        /// In the order of the English sentence.
        public let values: [Value]

        /// What stands at a place of the pattern.
        public enum Value: Sendable {
            /// The same in every language: a number, a name.
            case plain(String)
            /// Words of the server, which have translations of their own.
            case text(Text)
        }

        /// A text as another node has sent it.
        public init(pattern: String, values: [Value]) {
            self.pattern = pattern
            self.values = values
        }

        /// Words that have no translation: they tell the developer of a client what is wrong with a message, or come
        /// from somebody else.
        public init(english: String) { self.init(pattern: english, values: []) }

        public init(stringLiteral value: String) { self.init(pattern: value, values: []) }

        public init(stringInterpolation: StringInterpolation) {
            self.init(pattern: stringInterpolation.pattern, values: stringInterpolation.values)
        }

        /// Takes the values of a literal apart from its words.
        public struct StringInterpolation: StringInterpolationProtocol {
            fileprivate var pattern = ""
            fileprivate var values: [Value] = []

            public init(literalCapacity: Int, interpolationCount: Int) {
                pattern.reserveCapacity(literalCapacity + 3 * interpolationCount)
                values.reserveCapacity(interpolationCount)
            }

            public mutating func appendLiteral(_ literal: String) { pattern += literal }

            public mutating func appendInterpolation(_ text: Text) { append(.text(text)) }

            public mutating func appendInterpolation<Plain>(_ value: Plain) { append(.plain(String(describing: value))) }

            private mutating func append(_ value: Value) {
                pattern += "{\(values.count)}"
                values.append(value)
            }
        }

        /// The sentence in English.
        public var description: String { said { $0 } ?? pattern }

        /// The sentence in another language.
        /// - Parameter translated: the pattern of a sentence, or of words in it, in that language; nil = there is none.
        /// - Returns: nil = a part of it has no translation.
        public func said(_ translated: (String) -> String?) -> String? {
            guard let pattern = translated(pattern) else { return nil }
            guard !values.isEmpty else { return pattern }
            var words: [String] = []
            for value in values {
                switch value {
                case .plain(let plain): words.append(plain)
                case .text(let text):
                    guard let said = text.said(translated) else { return nil }
                    words.append(said)
                }
            }
            return Self.fill(pattern, with: words)
        }

        /// In one pass: braces in a value are not a place.
        private static func fill(_ pattern: String, with words: [String]) -> String {
            var filled = ""
            var rest = pattern[...]
            while let open = rest.firstIndex(of: "{") {
                filled += rest[..<open]
                rest = rest[open...]
                if let close = rest.firstIndex(of: "}"), let number = Int(rest[open..<close].dropFirst()),
                    words.indices.contains(number)
                {
                    filled += words[number]
                    rest = rest[rest.index(after: close)...]
                } else {
                    filled.append(rest.removeFirst())
                }
            }
            return filled + rest
        }
    }
}
