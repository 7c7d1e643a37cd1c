internal import CairnCore
internal import GRDB

extension SecondCopies {
    /// Makes the copies as the rows are. That of a row which does not open stays: the row is made right by it.
    func renew(_ db: Database) throws {
        var sweep = CopySweep(.rows(of: table.name.text))
        while !sweep.isDone { try sweep.step(self, db) }
    }

    /// Deletes the copies of tables that are not kept twice.
    /// - Parameter known: the names of all tables that are kept twice.
    static func dropStrays(among known: [String], _ db: Database) throws {
        var sweep = CopySweep(.strays)
        while !sweep.isDone { try sweep.stepThroughStrays(among: known, db) }
    }

    /// Deletes some of the copies of tables that are not kept twice.
    /// - Parameter rowsMax: most copies that are deleted.
    /// - Returns: how many were; 0 = none is left, or none that SQLite finds by its key.
    static func dropStrays(among known: [String], rowsMax: Int, _ db: Database) throws -> Int {
        var count = 0
        for source in try strays(among: known, db) where count < rowsMax {
            var keys: [SQLValue] = []
            let query = "SELECT key FROM main.cairn_copies WHERE source = ? LIMIT \(rowsMax - count)"
            try db.each(query, [source]) { keys.append($0.values[0]) }
            for key in keys { count += try drop(source, key, db) }
        }
        return count
    }

    /// Deletes one copy.
    /// - Returns: 1; 0 = SQLite does not find it by its key.
    private static func drop(_ source: SQLValue, _ key: SQLValue, _ db: Database) throws -> Int {
        try db.run("DELETE FROM main.cairn_copies WHERE source = ? AND key = ?", [source, key], keyring: nil)
    }

    /// Tables that are not kept twice, and of which there are copies: found by a look-up for each table, not by reading
    /// all copies. Each is named once, so it ends in a tree that is out of its order as well.
    static func strays(among known: [String], _ db: Database) throws -> [SQLValue] {
        var found: [SQLValue] = []
        let sources =
            """
            WITH RECURSIVE sources (source) AS (
                SELECT min(source) FROM main.cairn_copies UNION
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
        var count = 0
        for key in orphans { count += try Self.drop(.text(table.name.text), key, db) }
        return (last, count)
    }
}

/// Makes the copies of a table as its rows are, some at a time: first those of the rows, then it deletes those without
/// a row. For tables that are as their tallies say, or whose rows an operator takes as they are. The sweep of strays
/// deletes the copies of tables that are not kept twice.
struct CopySweep: Sendable {
    let group: CopyGroup
    /// Copies that were made, or deleted.
    private(set) var changes = 0
    private(set) var isDone = false
    private var isThroughRows = false
    /// Of the last row or copy that is done; nil = none is.
    private var key: SQLValue?

    /// Rows or copies of one step: some 2 ms of a processor.
    private static let rowsMax = 500

    init(_ group: CopyGroup) { self.group = group }

    /// What a step does.
    var operation: String {
        switch group {
        case .rows(let table): "make the second copies of \(table) anew"
        case .strays: "delete second copies of no table"
        }
    }

    /// What was done in all.
    var outcome: String {
        switch group {
        case .rows(let table): "\(changes) second copies of rows of \(table) were made anew"
        case .strays: "\(changes) second copies of no table were deleted"
        }
    }

    /// Goes on with the sweep of a table. The function that packs is installed, and a transaction is open.
    ///
    /// Throws for a key that is out of its order: a search for the keys behind it begins at the front again, so the
    /// sweep would never end. `SecondCopies.mendTree` puts the keys in order.
    mutating func step(_ copies: SecondCopies, _ db: Database) throws {
        let (last, count) =
            try isThroughRows
            ? copies.dropOrphans(after: key, rowsMax: Self.rowsMax, db)
            : copies.renew(after: key, rowsMax: Self.rowsMax, db)
        changes += count
        if let last, let key, try !Self.isBehind(last, key, db) {
            throw StoreError(
                .damaged, operation: operation,
                cause: "keys of \(isThroughRows ? "cairn_copies" : group.table) are out of their order",
                remedy: SecondCopies.remedyOfOrder)
        }
        key = last
        guard last == nil else { return }
        isDone = isThroughRows
        isThroughRows = true
    }

    /// Goes on with the sweep of strays. A transaction is open.
    /// - Parameter known: the names of all tables that are kept twice.
    mutating func stepThroughStrays(among known: [String], _ db: Database) throws {
        let count = try SecondCopies.dropStrays(among: known, rowsMax: Self.rowsMax, db)
        changes += count
        isDone = count == 0
    }

    /// Ends the sweep of a table of which there are no copies.
    mutating func end() { isDone = true }

    /// Whether a key comes after another one, by the order that SQLite gives values of all types.
    private static func isBehind(_ last: SQLValue, _ key: SQLValue, _ db: Database) throws -> Bool {
        var isBehind = false
        try db.each("SELECT ? > ?", [last, key]) { isBehind = $0.values[0] == .integer(1) }
        return isBehind
    }
}
