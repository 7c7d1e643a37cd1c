internal import CairnCore
internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// Statements and rows go to SQLite's C functions directly: GRDB prepares, but its own arguments and rows cost nearly
/// as much as SQLite's work on a small insert (docs/decisions/0003-group-commit.md).
extension Database {
    /// Runs a statement and returns the number of changed rows.
    @discardableResult
    func run(
        _ statement: CairnCore.Statement, keyring: Keyring?, among prepared: PreparedStatements? = nil
    ) throws -> Int {
        let rows = try run(statement.sql.text, statement.arguments, keyring: keyring, among: prepared)
        guard let expected = statement.rows, rows != expected else { return rows }
        throw StoreError(
            .overtaken, operation: "commit",
            cause: "\"\(statement.sql.text)\" changed \(rows) rows instead of \(expected)",
            remedy: "run cairn verify: the database may have been changed behind the server's back")
    }

    @discardableResult
    func run(
        _ sql: String, _ arguments: [SQLValue], keyring: Keyring?, among prepared: PreparedStatements? = nil
    ) throws -> Int {
        try withPrepared(sql, arguments, keyring, among: prepared) { prepared in
            var code = sqlite3_step(prepared)
            // A change may return rows (RETURNING); they are discarded.
            while code == SQLITE_ROW { code = sqlite3_step(prepared) }
            try check(code == SQLITE_DONE ? SQLITE_OK : code, sql)
        }
        return Int(sqlite3_changes(sqliteConnection))
    }

    /// All rows of a query.
    func answer(
        _ query: Query, keyring: Keyring?, among prepared: PreparedStatements? = nil
    ) throws -> [CairnCore.Row] {
        var rows: [CairnCore.Row] = []
        try each(query, keyring: keyring, among: prepared) { rows.append($0) }
        return rows
    }

    /// The rows of a query, one at a time.
    func each(
        _ query: Query, keyring: Keyring?, among prepared: PreparedStatements? = nil,
        _ body: (CairnCore.Row) throws -> Void
    ) throws {
        try each(query.sql.text, query.arguments, opening: query.openings, keyring, among: prepared, body)
    }

    /// The rows of a query whose text the store has put together.
    func each(
        _ sql: String, _ arguments: [SQLValue], opening openings: [Opening] = [], _ keyring: Keyring? = nil,
        among prepared: PreparedStatements? = nil, _ body: (CairnCore.Row) throws -> Void
    ) throws {
        try withPrepared(sql, arguments, keyring, among: prepared) { prepared in
            let columns = 0..<sqlite3_column_count(prepared)
            var code = sqlite3_step(prepared)
            while code == SQLITE_ROW {
                var values = columns.map { SQLValue(prepared, $0) }
                for opening in openings {
                    // If the id of a row is not an integer, its sealed values cannot be opened, and the reader reports
                    // the row as damaged.
                    guard let keyring, case .integer(let row) = values[opening.row] else { continue }
                    values[opening.column] = keyring.open(
                        values[opening.column], opening.seal, row: row, bound: opening.bound.map { values[$0] })
                }
                try body(CairnCore.Row(values))
                code = sqlite3_step(prepared)
            }
            try check(code == SQLITE_DONE ? SQLITE_OK : code, sql)
        }
    }

    /// Lends the prepared statement with its arguments bound, and resets it in any case.
    private func withPrepared<Result>(
        _ sql: String, _ arguments: [SQLValue], _ keyring: Keyring?, among statements: PreparedStatements?,
        _ body: (OpaquePointer) throws -> Result
    ) throws -> Result {
        let statement = try statements?.statement(sql, in: self) ?? cachedStatement(sql: sql)
        let prepared = statement.sqliteStatement
        // Resetting returns the error of the last step again, which is reported already. The bindings are cleared,
        // because they may point to memory of the caller.
        defer {
            sqlite3_reset(prepared)
            sqlite3_clear_bindings(prepared)
        }
        guard arguments.count == sqlite3_bind_parameter_count(prepared) else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "wrong number of arguments", sql: sql)
        }
        for index in arguments.indices {
            // The submitter has sealed most arguments already.
            let code =
                if arguments[index].needsKey, let keyring {
                    try keyring.clear(arguments[index]).bind(to: prepared, at: CInt(index + 1))
                } else {
                    arguments[index].bind(to: prepared, at: CInt(index + 1))
                }
            try check(code, sql)
        }
        return try body(prepared)
    }

    private func check(_ code: Int32, _ sql: String) throws {
        guard code != SQLITE_OK else { return }
        throw DatabaseError(
            resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(sqliteConnection)), sql: sql
        )
    }
}

extension SQLValue {
    /// SQLITE_TRANSIENT, a cast that Swift cannot import: SQLite copies the bytes before the call returns.
    static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    fileprivate func bind(to prepared: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .null:
            return sqlite3_bind_null(prepared, index)
        case .integer(let value):
            return sqlite3_bind_int64(prepared, index, value)
        case .real(let value):
            return sqlite3_bind_double(prepared, index, value)
        case .text(var value):
            return value.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // C's characters are bytes. An empty string may have no address, which would bind NULL.
                    guard let start = characters.baseAddress else {
                        return sqlite3_bind_text(prepared, index, "", 0, Self.copied)
                    }
                    return sqlite3_bind_text64(
                        prepared, index, start, UInt64(characters.count), Self.copied, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let value):
            guard !value.isEmpty else { return sqlite3_bind_zeroblob(prepared, index, 0) }
            return value.withUnsafeBytes { bytes in
                sqlite3_bind_blob64(prepared, index, bytes.baseAddress, UInt64(bytes.count), Self.copied)
            }
        case .sealed, .fingerprint, .pseudonym:
            preconditionFailure("nothing reaches SQLite that should have been sealed")
        }
    }

    /// A value that SQLite lends to a function for one call.
    init(lent value: OpaquePointer) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            // As below: the length is that of the text that was produced last.
            let text = sqlite3_value_text(value)
            let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
            self = .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let blob = sqlite3_value_blob(value)
            // Borrowed until the call ends, so the bytes are copied.
            self = .blob([UInt8](UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_value_bytes(value)))))
        default: self = .null
        }
    }

    /// The value of a column of the statement's current row.
    fileprivate init(_ prepared: OpaquePointer, _ column: Int32) {
        switch sqlite3_column_type(prepared, column) {
        case SQLITE_INTEGER:
            self = .integer(sqlite3_column_int64(prepared, column))
        case SQLITE_FLOAT:
            self = .real(sqlite3_column_double(prepared, column))
        case SQLITE_TEXT:
            // The order matters: `bytes` returns the length of the text that `text` has just produced. Both are valid
            // until the next step, so the text is copied here.
            let text = sqlite3_column_text(prepared, column)
            let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(prepared, column)))
            self = .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let blob = sqlite3_column_blob(prepared, column)
            let bytes = UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(prepared, column)))
            self = .blob([UInt8](bytes))
        default:
            self = .null
        }
    }
}
