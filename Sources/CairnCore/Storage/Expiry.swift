/// Rows that go because of their age (DAT-10), as a value: all of a table in which one column is below a bound.
///
/// They are deleted some at a time, the oldest first and in the order of their key where they are equally old: which
/// ones go follows from the table alone.
public struct Expiry: Hashable, Sendable {
    private let sql: StaticText
    private let dependents: [StaticText]
    private let bound: Int64

    /// - Parameters:
    ///   - table: whose rows.
    ///   - column: tells their age. An index begins with it, or the key does.
    ///   - bound: rows below it go.
    ///   - dependents: tables with many rows that refer to one of these: they go first, some at a time, so that no
    ///     statement deletes them all by cascade.
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

    /// Deletes the first `rowsMax` of them.
    public func deletion(rowsMax: Int) -> Statement {
        Statement(sql, .integer(bound), .integer(Int64(rowsMax)))
    }

    /// For each of `dependents`, what deletes `rowsMax` of the rows that refer to the first `count` rows that go.
    public func deletions(ofDependentsOf count: Int, rowsMax: Int) -> [Statement] {
        dependents.map { Statement($0, .integer(bound), .integer(Int64(count)), .integer(Int64(rowsMax))) }
    }

    /// Whether two expiries differ in the bound at most.
    public func isSameKind(as other: Expiry) -> Bool { sql == other.sql }
}
