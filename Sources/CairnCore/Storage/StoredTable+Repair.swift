/// What a repair needs of a table: rows as they stand in the file, to be put back as they are.
extension StoredTable {
    /// The row of this key.
    /// - Parameter openings: none = its sealed columns as they stand in the file.
    public func row(_ key: [SQLValue], opening openings: [Opening] = []) -> Query {
        Query(
            StaticText(joining: ["SELECT ", all(columns), " FROM ", name, " WHERE ", isOfKey]), arguments: key,
            opening: openings)
    }

    /// All rows, their sealed columns as they stand in the file.
    public var rowsAsTheyStand: Query {
        Query(StaticText(joining: ["SELECT ", all(columns), " FROM ", name]), arguments: [], opening: [])
    }

    /// The row that a reference names.
    public static func row(named value: SQLValue, by reference: Reference, in table: StoredTable) -> Query {
        Query(
            StaticText(joining: [
                "SELECT ", table.all(table.columns), " FROM ", table.name, " WHERE ", reference.key, " = ?",
            ]), arguments: [value], opening: [])
    }

    /// Puts a row in, as it stood in another file of the same world.
    public func insertion(of row: Row) -> Statement {
        let marks = StaticText(joining: columns.map { _ in "?" }, by: ", ")
        return Statement(
            StaticText(joining: ["INSERT INTO ", name, " (", all(columns), ") VALUES (", marks, ")"]),
            arguments: row.values)
    }

    /// Takes the row of this key away.
    public func removal(of key: [SQLValue]) -> Statement {
        Statement(StaticText(joining: ["DELETE FROM ", name, " WHERE ", isOfKey]), arguments: key)
    }

    private func all(_ columns: [StaticText]) -> StaticText { StaticText(joining: columns, by: ", ") }

    /// `IS`, which also finds a key that damage has made NULL.
    private var isOfKey: StaticText {
        StaticText(joining: key.map { StaticText(joining: [columns[$0], " IS ?"]) }, by: " AND ")
    }
}
