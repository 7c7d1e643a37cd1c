internal import CairnCore
internal import CairnStore
internal import CairnWire

/// A name that its owner has given up: for a time it is nobody else's, so that nobody is taken for them.
enum ReservedName {
    private static let seal = Seal("reserved_names")
    private static let printSeal = Seal("reserved_names.fingerprint")

    static let migration = Migration(
        "reserved-names-1",
        """
        CREATE TABLE reserved_names (
            fingerprint BLOB PRIMARY KEY, account INTEGER NOT NULL, until INTEGER NOT NULL, sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX reserved_names_until ON reserved_names (until)")

    /// The row outlives its account, so the column refers to no table.
    static let table = StoredTable(
        "reserved_names", of: .account, columns: ["fingerprint", "account", "until", "sealed"], key: [0],
        opening: [Opening(3, seal, row: 1, bound: [0, 2])],
        erasure: [.kept(because: "a freed name stays reserved, as a fingerprint (PRF-2)")],
        export: .nothing(because: "fingerprints, which nobody can read back")
    ) { row throws(ColumnFault) in
        guard try row.blob(0).count == 16 else { throw ColumnFault(0, .outOfRange) }
        _ = (try row.integer(1), try row.lastingTime(2), try row.opened(3))
        return []
    }

    private static let byPrint = table.query("WHERE fingerprint = ? AND until > ?")

    /// - Parameter name: in its compared form.
    static func query(_ name: String, now: LastingTime) -> Query {
        byPrint.about(.fingerprint(name, printSeal), .time(now))
    }

    /// Whose the name in the answer to `query` was; nil = it is free, or its row is damaged.
    static func owner(in rows: [Row]) -> AccountID? {
        guard let row = rows.first, (try? row.opened(3)) != nil, let id = try? row.integer(1) else { return nil }
        return AccountID(rawValue: UInt64(bitPattern: id))
    }

    static func insertion(_ name: String, of account: AccountID, until: LastingTime) -> Statement {
        let (print, row) = (SQLValue.fingerprint(name, printSeal), Int64(bitPattern: account.rawValue))
        return Statement(
            "INSERT OR REPLACE INTO reserved_names (fingerprint, account, until, sealed) VALUES (?, ?, ?, ?)", print,
            .integer(row), .time(until), .sealed([], seal, row: row, bound: [print, .time(until)]))
    }

    static func deletion(_ name: String) -> Statement {
        Statement("DELETE FROM reserved_names WHERE fingerprint = ?", .fingerprint(name, printSeal))
    }

    static func expiries(now: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "until", isBelow: now.milliseconds)]
    }
}
