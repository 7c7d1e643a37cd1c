/// Rows that go because of their age (DAT-10), as a value: all of a table in which one column is below a bound.
///
/// They are deleted some at a time, the oldest first and in the order of their key where they are equally old: which
/// ones go follows from the table alone.
public struct Expiry: Hashable, Sendable {
    private let sql: StaticText
    private let bound: Int64

    /// - Parameters:
    ///   - table: whose rows.
    ///   - column: tells their age. An index begins with it, or the key does.
    ///   - bound: rows below it go.
    public init(of table: StoredTable, where column: StaticText, isBelow bound: Int64) {
        let order = [column] + table.key.map { table.columns[$0] }.filter { $0 != column }
        sql = StaticText(joining: [
            "DELETE FROM ", table.name, " WHERE ", column, " < ? ORDER BY ", StaticText(joining: order, by: ", "),
            " LIMIT ?",
        ])
        self.bound = bound
    }

    /// Deletes the first `rowsMax` of them.
    public func deletion(rowsMax: Int) -> Statement {
        Statement(sql, .integer(bound), .integer(Int64(rowsMax)))
    }

    /// Whether two expiries differ in the bound at most.
    public func isSameKind(as other: Expiry) -> Bool { sql == other.sql }
}
