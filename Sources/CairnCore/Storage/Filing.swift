/// How a table with many changes keeps its indexes: new rows are in small indexes of their own until they are filed,
/// thousands at a time, in the large ones.
///
/// A row that is inserted into a large index writes a page of its own, at a random place, with every commit. In a small
/// index all new rows share a few pages, and rows that are filed together share pages of the large one
/// (docs/decisions/0035-durable-lane.md).
///
/// The table has a column `filed`, 0 in a new row and 1 in a filed one, and each of these indexes exists twice: `WHERE
/// filed = 1` and `WHERE filed = 0`. A query for rows by such an index contains `StoredTable.condition(on:)`.
public struct Filing: Hashable, Sendable {
    /// An index `WHERE filed = 0`.
    let indexOfNew: StaticText
    /// A column without an index of its own: it is the second column of one, and a query by it reads that index from
    /// end to end, 60 ms for a million rows. Each new row then writes one page less at a random place. Meant for
    /// queries that an account causes a few times in its life.
    let scanned: StaticText?

    public init(_ indexOfNew: StaticText, scanned: StaticText? = nil) {
        (self.indexOfNew, self.scanned) = (indexOfNew, scanned)
    }
}

extension Filing {
    /// The same as `StoredTable.condition(on:)`, of a table that is known by its name alone.
    public static func condition(on column: StaticText, of table: StaticText) -> StaticText {
        let named = StaticText(joining: [table, ".", column, " = ?1 AND ", table, ".filed = "])
        return StaticText(joining: ["(", named, "1 OR ", named, "0)"])
    }
}

extension StoredTable {
    /// The condition that a column has the value of the query's first argument. In a table with filing it searches both
    /// indexes that begin with this column, or reads both that have it second (`Filing.scanned`).
    public func condition(on column: Int) -> StaticText {
        guard let filing else { return StaticText(joining: [name, ".", columns[column], " = ?1"]) }
        guard filing.scanned == columns[column] else { return Filing.condition(on: columns[column], of: name) }
        let rows = StaticText(joining: ["SELECT rowid FROM ", name, " WHERE ", columns[column], " = ?1 AND filed = "])
        // With OR in place of UNION ALL, SQLite 3.40.1 reads the whole table.
        return StaticText(joining: [name, ".rowid IN (", rows, "1 UNION ALL ", rows, "0)"])
    }

    /// Files all new rows; nil for a table without filing. A row with the unique values of a new one has expired and is
    /// replaced.
    public var filingOfNewRows: Statement? {
        filing.map { filing in
            Statement(
                StaticText(joining: [
                    "UPDATE OR REPLACE ", name, " INDEXED BY ", filing.indexOfNew, " SET filed = 1 WHERE filed = 0",
                ]), arguments: [])
        }
    }
}
