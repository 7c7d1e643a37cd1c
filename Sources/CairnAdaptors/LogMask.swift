internal import CairnText

/// Prepares a line that an adaptor's process has written for the log: no email address, no token, no control character,
/// and a bounded length (CMP-4).
enum LogMask {
    /// Characters of a line that are logged.
    static let charactersMax = 200
    /// From this length a run of letters, digits and `-_.+/=` counts as a token.
    private static let tokenCharacters = 20

    static func masked(_ line: [UInt8]) -> String {
        let text = String(decoding: line, as: UTF8.self)
        let words = text.pieces(at: " ", omittingEmptySubsequences: false).map { masked(word: $0) }
        let shown = words.joined(separator: " ").map { character in
            character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f } ? " " : character
        }
        return String(shown.prefix(charactersMax))
    }

    private static func masked(word: Substring) -> String {
        // An address is longer in its text than what is around the @, so the whole word goes.
        guard !word.contains("@") else { return "[address]" }
        var result = ""
        for run in runs(of: word) {
            result += isToken(run) ? "[token]" : String(run)
        }
        return result
    }

    private static func isToken(_ run: Substring) -> Bool {
        run.count >= tokenCharacters && isTokenCharacter(run[run.startIndex])
    }

    /// The word in runs of characters that all can, or all cannot, be in a token.
    private static func runs(of word: Substring) -> [Substring] {
        var runs: [Substring] = []
        var start = word.startIndex
        while start < word.endIndex {
            let kind = isTokenCharacter(word[start])
            let end = word[start...].firstIndex { isTokenCharacter($0) != kind } ?? word.endIndex
            runs.append(word[start..<end])
            start = end
        }
        return runs
    }

    private static func isTokenCharacter(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "-_.+=".contains(character)
    }
}
