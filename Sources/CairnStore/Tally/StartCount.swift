/// What a start counts of the rows of a world, and how long it has taken: nobody is served meanwhile.
struct StartCount: CustomStringConvertible {
    /// Most rows of one table. Longer tables are counted by `cairn verify` and by each backup.
    static let tableRowsMax: Int64 = 100_000
    /// Most rows of all tables together: a row takes some 5 us of a processor.
    static let rowsMax: Int64 = 200_000

    var tables = 0
    var rows: Int64 = 0
    /// The tables that are too long, with their rows.
    var left: [(table: String, rows: Int64)] = []
    var took = Duration.zero

    /// Chooses the tables that are counted: those whose missing rows are known one by one, then the shortest ones, as
    /// long as all together have at most `rowsMax`.
    /// - Parameter known: the rows of each table by its tally, and whether its missing rows are known one by one; nil =
    ///   it has no tally, so that it is counted in any case, and does not count here.
    static func chosen(_ known: [(rows: Int64, isByKey: Bool)?]) -> Set<Int> {
        let order = known.enumerated().compactMap { index, table in table.map { (index: index, table: $0) } }
            .sorted { ($0.table.isByKey ? 0 : 1, $0.table.rows) < ($1.table.isByKey ? 0 : 1, $1.table.rows) }
        var (chosen, room) = (Set<Int>(), rowsMax)
        for (index, table) in order where table.rows <= min(tableRowsMax, room) {
            chosen.insert(index)
            room -= max(table.rows, 0)
        }
        return chosen
    }

    var description: String {
        let seconds = Double(Int(took / .milliseconds(1))) / 1_000
        let counted = "counted \(rows) rows of \(tables) tables in \(seconds) s"
        guard !left.isEmpty else { return counted }
        let names = left.map { "\($0.table) (\($0.rows))" }.joined(separator: ", ")
        return "\(counted); left to cairn verify and to backups, because they are long: \(names)"
    }
}
