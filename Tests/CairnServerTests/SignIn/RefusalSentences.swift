import Foundation

/// The sentences of refusals as they stand in the sources, with `{0}` where a value is put in: the keys of their
/// translations.
enum RefusalSentences {
    static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources")

    private static let rooms = ["CairnWire", "CairnCore", "CairnFeatures", "CairnServer"]
    /// What takes a `Refusal.Text`, directly or to pass it on.
    private static func calls() throws -> Regex<Substring> {
        try Regex(
            #"\b(?:Refusal|refusal|forbidden|tooLong|reached|Text|Quota|Span|OwnRelations\.check)\("#
                + #"|\b(?:wrong|invalid)\((?=\w+, |\s*"\w+",)"#
        ).wordBoundaryKind(.simple)
    }

    /// All but those that begin with a field's name and a colon: what is wrong with a message is told to the developer
    /// of the client, in English behind the sentence of the code.
    static func inSources() throws -> Set<String> {
        var found: Set<String> = []
        for room in rooms {
            let folder = sources.appending(path: room)
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            for case let file as URL in files ?? FileManager.DirectoryEnumerator()
            where file.pathExtension == "swift" && !file.path.contains("/Generated/") {
                found.formUnion(try sentences(in: String(contentsOf: file, encoding: .utf8)))
            }
        }
        let ofField = #/[A-Za-z]+: /#
        return found.filter { $0.prefixMatch(of: ofField) == nil }
    }

    /// The literals among the arguments without a label of the calls in a file.
    static func sentences(in source: String) throws -> Set<String> {
        var found: Set<String> = []
        for line in source.matches(of: try calls()) {
            let start = source[..<line.range.lowerBound].lastIndex(of: "\n") ?? source.startIndex
            let before = source[start..<line.range.lowerBound]
            guard !before.contains("func "), !before.contains("//") else { continue }
            var scanner = Scanner(rest: source[line.range.upperBound...])
            let literals = scanner.argumentsOfCall()
            let isOfField = line.output.hasPrefix("wrong") || line.output.hasPrefix("invalid")
            found.formUnion(isOfField ? literals.suffix(1) : literals)
        }
        return found
    }

    private struct Scanner {
        var rest: Substring

        /// Reads to the end of the call.
        mutating func argumentsOfCall() -> [String] {
            var (found, depth, isLabelled, word) = ([String](), 1, false, "")
            while depth > 0, let character = rest.first {
                guard character != "\"" else {
                    let sentence = literal()
                    if depth == 1, !isLabelled { found.append(sentence) }
                    continue
                }
                rest.removeFirst()
                switch character {
                case "(", "[", "{": depth += 1
                case ")", "]", "}": depth -= 1
                case "," where depth == 1: isLabelled = false
                case ":" where depth == 1 && !word.isEmpty: isLabelled = true
                default: break
                }
                word = character.isLetter || character.isNumber ? word + String(character) : ""
            }
            return found
        }

        /// Reads a literal; a value in it becomes `{0}`.
        mutating func literal() -> String {
            var (text, count) = ("", 0)
            rest.removeFirst()
            while let character = rest.popFirst(), character != "\"" {
                guard character == "\\", let next = rest.popFirst() else {
                    text.append(character)
                    continue
                }
                guard next == "(" else {
                    text.append(next == "n" ? "\n" : next)
                    continue
                }
                var value = Scanner(rest: rest)
                _ = value.argumentsOfCall()
                rest = value.rest
                text += "{\(count)}"
                count += 1
            }
            return text
        }
    }
}
