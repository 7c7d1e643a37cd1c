internal import GRDB

extension StoreError {
    /// Translates SQLite's error into words for operators.
    init(_ error: any Error, operation: String) {
        if let error = error as? StoreError {
            self = error
            return
        }
        guard let error = error as? DatabaseError else {
            self.init(.io, operation: operation, cause: "\(error)", remedy: "see the system's log")
            return
        }
        var cause = "\(error.extendedResultCode): \(error.message ?? "no message")"
        if let sql = error.sql {
            cause += " in \"\(sql.split(whereSeparator: \.isWhitespace).joined(separator: " "))\""
        }
        let (kind, remedy) = Self.reading(of: error.resultCode)
        self.init(kind, operation: operation, cause: cause, remedy: remedy)
        statement = error.sql
    }

    /// Whether the same statement will always fail again, independent of the disk.
    var isPermanent: Bool { kind == .rejected || kind == .overtaken }

    /// Whether the file is at fault, and not the disk or the system. The statements of a check are known to be correct,
    /// so one that SQLite refuses is a fault of the file. Only such an error may cost what came since a backup.
    var isDamage: Bool { kind == .damaged || isPermanent }

    private static func reading(of code: ResultCode) -> (Kind, String) {
        switch code {
        case .SQLITE_FULL: (.full, "make room on the disk; the server goes on by itself")
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL, .SQLITE_INTERRUPT:
            (.busy, "close other programs that use the database file")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: (.damaged, "restore a backup (cairn restore)")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            (.readOnly, "make the database file and its directory writable for the server's user")
        case .SQLITE_CONSTRAINT, .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_MISUSE, .SQLITE_RANGE, .SQLITE_TOOBIG:
            (.rejected, "report this as a bug of the server")
        default: (.io, "check the disk and the system's log")
        }
    }
}
