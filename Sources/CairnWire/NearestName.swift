/// Finding what somebody meant.
public enum NearestName {
    /// The candidate that takes the fewest edits to get from `name`, unless more than a half of it would change. Of
    /// several the first.
    public static func of(_ name: String, in candidates: [String]) -> String? {
        let best = candidates.map { ($0, distance(from: name.lowercased(), to: $0.lowercased())) }
            .min { $0.1 < $1.1 }
        guard let (candidate, edits) = best, edits * 2 <= max(name.count, candidate.count) else { return nil }
        return candidate
    }

    /// Insertions, deletions, replacements and swaps of neighbours between two texts (optimal string alignment).
    static func distance(from first: String, to second: String) -> Int {
        let first = Array(first.prefix(256))
        let second = Array(second.prefix(256))
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            for column in second.indices {
                let isSame = first[row] == second[column]
                var edits = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    edits = min(edits, beforeLast[column - 1] + 1)
                }
                current.append(edits)
            }
            beforeLast = last
            last = current
        }
        return last[second.count]
    }
}
