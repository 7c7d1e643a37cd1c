/// Suggestions for misspelt names.
enum Spelling {
    /// The candidate that takes the fewest edits to get from `name`, unless more than half of it would change.
    static func nearest(to name: String, in candidates: [String]) -> String? {
        let best = candidates.map { ($0, distance(name.lowercased(), $0.lowercased())) }.min { $0.1 < $1.1 }
        guard let (candidate, edits) = best, edits * 2 <= max(name.count, candidate.count) else { return nil }
        return candidate
    }

    /// Insertions, deletions and replacements between two texts (Levenshtein).
    private static func distance(_ first: String, _ second: String) -> Int {
        let second = Array(second.prefix(256))
        var row = Array(0...second.count)
        for (index, character) in first.prefix(256).enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in second.indices {
                let cost = diagonal + (character == second[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(cost, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
