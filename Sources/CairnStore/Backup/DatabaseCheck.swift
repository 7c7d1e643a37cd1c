public import CairnCore
internal import Foundation
internal import GRDB

/// Looks whether a file is a sound database of a world, through a connection that cannot write: its header, schema,
/// pages, indexes and keys, and every row (DAT-5, DAT-6).
struct DatabaseCheck: Sendable {
    let masters: MasterKeys
    /// What the database is to be like; nil = any.
    var schema: Schema?
    var tables: [StoredTable] = []
    /// Told now and then how far it is.
    var progress: @Sendable (CheckProgress) -> Void = { _ in }

    /// Throws for a file that cannot be used at all; what is wrong with single rows or indexes is in the report.
    func run(_ path: String) throws(StoreError) -> VerifyReport {
        guard access(path, R_OK) == 0 else { throw DatabaseFile.failure("open \(path)") }
        try DatabaseFile.examineHeader(path)
        return try Self.examine(path) { (connection) throws(StoreError) in try run(connection, path) }
    }

    /// Lends a connection that cannot write. What SQLite takes for a fault of the statement is the file's here.
    static func examine<Result>(
        _ path: String, _ body: (Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            let connection = try Connection(path: path, role: .reader)
            defer { connection.close() }
            return try body(connection)
        } catch {
            guard error.isPermanent else { throw error }
            throw StoreError(
                .damaged, operation: error.operation, cause: error.cause,
                remedy: "restore a backup (cairn restore); the file was left as it is")
        }
    }

    private func run(_ connection: Connection, _ path: String) throws(StoreError) -> VerifyReport {
        var tables = tables
        // What an older server wrote has other columns: its rows are checked once its schema has been brought up to
        // date.
        if let schema, try schema.examine(connection) != .current { tables = [] }
        progress(CheckProgress(part: "pages", rows: 0))
        let structure = try connection.examineStructure(path, withIndexes: true)
        guard let keyring = try connection.unlock(with: masters) else {
            throw StoreError(
                .key, operation: "check \(path)",
                cause: "it holds no keys: it is no database of Cairn's, or an empty one",
                remedy: "name another file")
        }
        let pages = try connection.setting("page_count") ?? 0
        let pageSize = try connection.setting("page_size") ?? 0
        let check = RowCheck(tables: tables, keyring: keyring, progress: progress)
        let found = try connection.lend("check the rows of \(path)") { db in try check.run(db) }
        return VerifyReport(
            path: path, pages: pages, bytes: pages * pageSize, rowsPerTable: found.rowsPerTable,
            structure: structure, damaged: found.damaged, damagedCount: found.damagedCount,
            areRowsChecked: !tables.isEmpty || self.tables.isEmpty)
    }
}

/// How far a check is.
public struct CheckProgress: Hashable, Sendable {
    /// What is looked at: pages, or a table.
    public let part: String
    /// Rows of the table so far.
    public let rows: Int
}

/// What a database holds, and what is wrong with it.
public struct VerifyReport: Hashable, Sendable {
    public let path: String
    public let pages: Int
    public let bytes: Int
    public let rowsPerTable: [String: Int]
    /// What SQLite says of indexes and single values; they concern rows, the pages are sound.
    public let structure: [String]
    /// Damaged rows, the first 1,000.
    public let damaged: [DamagedRow]
    /// How many there are.
    public let damagedCount: Int
    /// False for the database of an older server, whose rows are checked once its schema is up to date.
    public let areRowsChecked: Bool

    /// Rows of all tables together.
    public var rows: Int { rowsPerTable.values.reduce(0, +) }
    public var isSound: Bool { structure.isEmpty && damagedCount == 0 }

    /// Indexes that do not agree with their tables.
    public var damagedIndexes: [String] {
        // SQLite's words end with the name, as in "row 7 missing from index instances_cell".
        let names = structure.compactMap { finding in
            finding.range(of: " index ").map { String(finding[$0.upperBound...]) }
        }
        return Set(names).sorted()
    }

    /// What is wrong in one line; empty = nothing.
    public var faults: String {
        var parts: [String] = []
        if damagedCount > 0 { parts.append("\(damagedCount) damaged rows, the first is \(damaged[0])") }
        if let first = structure.first { parts.append("SQLite finds \(structure.count) faults, the first is \(first)") }
        return parts.joined(separator: "; ")
    }
}
