/// Queries and statements for repairs, which copy rows unchanged from one file to another.
extension StoredTable {
    /// The row of this key.
    /// - Parameter openings: empty = sealed columns stay as they are in the file.
    public func row(_ key: [SQLValue], opening openings: [Opening] = []) -> Query {
        Query(
            StaticText(joining: ["SELECT ", all(columns), " FROM ", name, " WHERE ", isOfKey]), arguments: key,
            opening: openings)
    }

    /// All rows, with sealed columns as they are in the file.
    public var rowsAsTheyStand: Query {
        Query(StaticText(joining: ["SELECT ", all(columns), " FROM ", name]), arguments: [], opening: [])
    }

    /// The row that a reference points to.
    public static func row(named value: SQLValue, by reference: Reference, in table: StoredTable) -> Query {
        Query(
            StaticText(joining: [
                "SELECT ", table.all(table.columns), " FROM ", table.name, " WHERE ", reference.key, " = ?",
            ]), arguments: [value], opening: [])
    }

    /// The places of the columns that are the table's own: some descriptions name the sealed column twice, as it opens
    /// and as it stands.
    public var ownColumns: [Int] { columns.indices.filter { !columns[$0].text.utf8.contains(0x20) } }

    /// Inserts a row unchanged from another file of the same world.
    public func insertion(of row: Row) -> Statement {
        let own = ownColumns
        let marks = StaticText(joining: own.map { _ in "?" }, by: ", ")
        return Statement(
            StaticText(joining: [
                "INSERT INTO ", name, " (", all(own.map { columns[$0] }), ") VALUES (", marks, ")",
            ]), arguments: own.map { row.values[$0] })
    }

    /// Deletes the row with this key.
    public func removal(of key: [SQLValue]) -> Statement {
        Statement(StaticText(joining: ["DELETE FROM ", name, " WHERE ", isOfKey]), arguments: key)
    }

    private func all(_ columns: [StaticText]) -> StaticText { StaticText(joining: columns, by: ", ") }

    /// Uses `IS`, which also finds a key that damage has set to NULL.
    private var isOfKey: StaticText {
        StaticText(joining: key.map { StaticText(joining: [columns[$0], " IS ?"]) }, by: " AND ")
    }
}
