internal import CairnCore
internal import GRDB

extension SecondCopies {
    /// Makes the copies as the rows are. That of a row which does not open stays: the row is made right by it.
    /// - Parameter known: the names of all tables that are kept twice: copies of others are none.
    func renew(_ db: Database, among known: [String]) throws {
        var sweep = CopySweep(table: table.name.text)
        while !sweep.isDone { try sweep.step(self, db) }
        try Self.dropStrays(among: known, db)
    }

    /// Deletes the copies of tables that are not kept twice.
    static func dropStrays(among known: [String], _ db: Database) throws {
        for source in try strays(among: known, db) {
            try db.run("DELETE FROM main.cairn_copies WHERE source = ?", [source], keyring: nil)
        }
    }

    /// Tables that are not kept twice, and of which there are copies: found by a look-up for each table, not by reading
    /// all copies.
    static func strays(among known: [String], _ db: Database) throws -> [SQLValue] {
        var found: [SQLValue] = []
        let sources =
            """
            WITH RECURSIVE sources (source) AS (
                SELECT min(source) FROM main.cairn_copies UNION ALL
                SELECT (SELECT min(c.source) FROM main.cairn_copies AS c WHERE c.source > s.source)
                FROM sources AS s WHERE s.source IS NOT NULL
            )
            SELECT source FROM sources WHERE source IS NOT NULL LIMIT \(straysMax)
            """
        try db.each(sources, []) { row in
            if case .text(let name) = row.values[0], known.contains(name) { return }
            found.append(row.values[0])
        }
        return found
    }

    /// Tables that are looked at; somebody with the file could name any number.
    private static let straysMax = 1_000

    /// Makes the copies of the next rows, in the order of their keys, as these are if they open.
    /// - Parameters:
    ///   - key: that of the last row that is done; nil = none is.
    ///   - rowsMax: most rows that are compared.
    /// - Returns: the key of the last row that is done now, nil = no row was left; and how many copies were made.
    func renew(after key: SQLValue?, rowsMax: Int, _ db: Database) throws -> (last: SQLValue?, count: Int) {
        let (behind, from) = key.map { ("r.\(quotedKey) > ?", [$0]) } ?? ("1", [])
        var (last, made): (SQLValue?, Int) = (nil, 0)
        var closed: [SQLValue] = []
        let rows =
            "SELECT \(columns), \(isAlone) FROM \(name) AS r WHERE \(behind) ORDER BY r.\(quotedKey) LIMIT \(rowsMax)"
        try db.each(rows, from) { row in
            last = self.key(of: row.values)
            guard row.values.last == .integer(1) else { return }
            if table.opens(row.values, keyring) { made += 1 } else { closed.append(self.key(of: row.values)) }
        }
        guard let end = last, made > 0 else { return (last, 0) }
        let marks = closed.map { _ in "?" }.joined(separator: ", ")
        try db.run(
            """
            INSERT OR REPLACE INTO main.cairn_copies \(Self.copy(of: tallied, "r.")) FROM \(name) AS r
            WHERE \(behind) AND r.\(quotedKey) <= ? AND r.\(quotedKey) NOT IN (\(marks)) AND \(isAlone)
            """, from + [end] + closed, keyring: nil)
        return (last, made)
    }

    /// Deletes those of the next copies that have no row, in the order of their keys.
    /// - Returns: the key of the last copy that is done now, nil = no copy was left; and how many were deleted.
    func dropOrphans(after key: SQLValue?, rowsMax: Int, _ db: Database) throws -> (last: SQLValue?, count: Int) {
        let (behind, from) = key.map { ("c.key > ?", [$0]) } ?? ("1", [])
        var last: SQLValue?
        var orphans: [SQLValue] = []
        let copies =
            """
            SELECT c.key, NOT EXISTS (SELECT 1 FROM \(name) AS r WHERE r.\(quotedKey) = c.key)
            FROM main.cairn_copies AS c
            WHERE c.source = '\(table.name.text)' AND \(behind) ORDER BY c.key LIMIT \(rowsMax)
            """
        try db.each(copies, from) { copy in
            last = copy.values[0]
            if copy.values[1] == .integer(1) { orphans.append(copy.values[0]) }
        }
        for key in orphans {
            try db.run(
                "DELETE FROM main.cairn_copies WHERE source = '\(table.name.text)' AND key = ?", [key], keyring: nil)
        }
        return (last, orphans.count)
    }
}

/// Makes the copies of a table as its rows are, some at a time: first those of the rows, then it deletes those without
/// a row. For tables that are as their tallies say, or whose rows an operator takes as they are.
struct CopySweep: Sendable {
    let table: String
    /// Copies that were made, or deleted.
    private(set) var changes = 0
    private(set) var isDone = false
    private var isThroughRows = false
    /// Of the last row or copy that is done; nil = none is.
    private var key: SQLValue?

    /// Rows or copies of one step: some 2 ms of a processor.
    private static let rowsMax = 500

    init(table: String) { self.table = table }

    /// Goes on. The function that packs is installed, and a transaction is open.
    mutating func step(_ copies: SecondCopies, _ db: Database) throws {
        let (last, count) =
            try isThroughRows
            ? copies.dropOrphans(after: key, rowsMax: Self.rowsMax, db)
            : copies.renew(after: key, rowsMax: Self.rowsMax, db)
        changes += count
        key = last
        guard last == nil else { return }
        isDone = isThroughRows
        isThroughRows = true
    }
}
