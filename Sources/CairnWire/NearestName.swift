/// Suggests the nearest known name for a misspelt one.
public enum NearestName {
    /// Most letters of a text that are compared.
    private static let lettersMax = 256

    /// The candidate that takes the fewest edits to get from `name`, unless more than half of it would change. Of
    /// equally near ones the first.
    public static func of(_ name: String, in candidates: [String]) -> String? {
        let wanted = letters(of: name)
        var best: (candidate: String, edits: Int)?
        for candidate in candidates {
            let known = letters(of: candidate)
            // The difference in length is the least number of edits. This check bounds the cost, because strangers can
            // cause the search with each message.
            if let best, abs(known.count - wanted.count) >= best.edits { continue }
            let edits = distance(from: wanted, to: known)
            if edits < best?.edits ?? .max { best = (candidate, edits) }
        }
        guard let best, best.edits * 2 <= max(name.count, best.candidate.count) else { return nil }
        return best.candidate
    }

    private static func letters(of text: String) -> [Unicode.Scalar] {
        Array(text.lowercased().unicodeScalars.prefix(lettersMax))
    }

    /// Insertions, deletions, replacements and swaps of neighbours between two texts (optimal string alignment).
    static func distance(from first: [Unicode.Scalar], to second: [Unicode.Scalar]) -> Int {
        var last = Array(0...second.count)
        var (beforeLast, current) = (last, last)
        for row in first.indices {
            current[0] = row + 1
            for column in second.indices {
                let isSame = first[row] == second[column]
                var edits = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    edits = min(edits, beforeLast[column - 1] + 1)
                }
                current[column + 1] = edits
            }
            (beforeLast, last, current) = (last, current, beforeLast)
        }
        return last[second.count]
    }
}
