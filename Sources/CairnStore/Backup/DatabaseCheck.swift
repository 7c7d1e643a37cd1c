internal import Foundation
internal import GRDB

/// Looks whether a file is a sound database of ours, through a connection that cannot write.
enum DatabaseCheck {
    /// - Parameter schema: refuses a database that a newer server wrote; nil = does not look.
    static func run(_ path: String, masters: MasterKeys, schema: Schema? = nil) throws(StoreError) -> VerifyReport {
        guard access(path, R_OK) == 0 else { throw DatabaseFile.failure("open \(path)") }
        try DatabaseFile.examineHeader(path)
        return try examine(path) { (connection) throws(StoreError) in
            try run(connection, path, masters, schema)
        }
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

    private static func run(
        _ connection: Connection, _ path: String, _ masters: MasterKeys, _ schema: Schema?
    ) throws(StoreError) -> VerifyReport {
        if let schema { _ = try schema.examine(connection) }
        try connection.examineStructure(path, withIndexes: true)
        guard try connection.unlock(with: masters) != nil else {
            throw StoreError(
                .key, operation: "check \(path)",
                cause: "it holds no keys: it is no database of Cairn's, or an empty one",
                remedy: "name another file")
        }
        let pages = try connection.setting("page_count") ?? 0
        let pageSize = try connection.setting("page_size") ?? 0
        let rows = try connection.lend("count the rows of \(path)") { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            return try tables.reduce(into: [:]) { rows, table in
                rows[table] = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.quotedDatabaseIdentifier)")
            }
        }
        return VerifyReport(path: path, pages: pages, bytes: pages * pageSize, rowsPerTable: rows)
    }
}

/// What a sound database holds.
public struct VerifyReport: Hashable, Sendable {
    public let path: String
    public let pages: Int
    public let bytes: Int
    public let rowsPerTable: [String: Int]
    /// Rows of all tables together.
    public var rows: Int { rowsPerTable.values.reduce(0, +) }
}
