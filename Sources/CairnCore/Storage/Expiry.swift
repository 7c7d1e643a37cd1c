/// The expired rows of a table, as a value: all rows whose time is below a bound (DAT-10).
///
/// They are deleted a few at a time, the oldest first, and equally old ones in the order of their key. So which rows a
/// step deletes follows from the table alone.
public struct Expiry: Hashable, Sendable {
    private let sql: StaticText
    private let dependents: [StaticText]
    private let bound: Int64

    /// - Parameters:
    ///   - table: the table of the rows.
    ///   - column: the column with their time. An index or the key begins with it.
    ///   - bound: rows below it are deleted.
    ///   - dependents: tables with many rows that refer to one of these rows. Those rows are deleted first, a few at a
    ///     time, so that no statement deletes them all by cascade.
    public init(
        of table: StoredTable, where column: StaticText, isBelow bound: Int64, with dependents: [StoredTable] = []
    ) {
        let columns = [column] + table.key.map { table.columns[$0] }.filter { $0 != column }
        let order = StaticText(joining: columns, by: ", ")
        let rest: [StaticText] = [" FROM ", table.name, " WHERE ", column, " < ? ORDER BY ", order, " LIMIT ?"]
        sql = StaticText(joining: ["DELETE"] + rest)
        self.dependents = dependents.flatMap { dependent in
            dependent.references.filter { $0.table == table.name }.map { reference in
                let key = StaticText(joining: dependent.key.map { dependent.columns[$0] }, by: ", ")
                let referring = dependent.columns[reference.column]
                return StaticText(
                    joining: ["DELETE FROM ", dependent.name, " WHERE ", referring, " IN (SELECT ", reference.key]
                        + rest + [") ORDER BY ", key, " LIMIT ?"])
            }
        }
        self.bound = bound
    }

    /// Deletes the first `rowsMax` expired rows.
    public func deletion(rowsMax: Int) -> Statement {
        Statement(sql, .integer(bound), .integer(Int64(rowsMax)))
    }

    /// For each of `dependents`, the statement that deletes `rowsMax` of the rows that refer to the first `count`
    /// expired rows.
    public func deletions(ofDependentsOf count: Int, rowsMax: Int) -> [Statement] {
        dependents.map { Statement($0, .integer(bound), .integer(Int64(count)), .integer(Int64(rowsMax))) }
    }

    /// Whether two expiries are the same but for the bound.
    public func isSameKind(as other: Expiry) -> Bool { sql == other.sql }
}
