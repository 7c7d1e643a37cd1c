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

    /// Inserts a row unchanged from another file of the same world.
    public func insertion(of row: Row) -> Statement {
        let marks = StaticText(joining: columns.map { _ in "?" }, by: ", ")
        return Statement(
            StaticText(joining: ["INSERT INTO ", name, " (", all(columns), ") VALUES (", marks, ")"]),
            arguments: row.values)
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
