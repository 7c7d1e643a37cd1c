internal import CairnCore
internal import CairnWire

/// The log of placements, from which the quotas of a minute and a day are restored. An entry outlives its instance,
/// because removing an instance gives no quota back (PLC-6).
enum PlacementLog {
    static let migrations = [
        Migration(
            "placement-log-1",
            "CREATE TABLE placement_log (account INTEGER NOT NULL, at INTEGER NOT NULL) STRICT",
            "CREATE INDEX placement_log_account ON placement_log (account, at)",
            "CREATE INDEX placement_log_at ON placement_log (at)"),
        // An entry's key is the id of its instance; before, SQLite chose a number (decision 0018).
        Migration(
            "placement-log-2",
            "CREATE TABLE log_by_id (id INTEGER PRIMARY KEY, account INTEGER NOT NULL, at INTEGER NOT NULL) STRICT",
            "INSERT INTO log_by_id (id, account, at) SELECT rowid, account, at FROM placement_log ORDER BY rowid",
            "DROP TABLE placement_log",
            "ALTER TABLE log_by_id RENAME TO placement_log",
            "CREATE INDEX placement_log_account ON placement_log (account, at)",
            "CREATE INDEX placement_log_at ON placement_log (at)"),
    ]

    /// Its columns are neither sealed nor bound: an attacker who can write the file can change the use of a quota, and
    /// nothing else.
    static let table = StoredTable(
        "placement_log", of: .account, columns: ["id", "account", "at"], key: [0], erasure: [.rows(1)],
        export: .rows([1]) { row, _ throws(ColumnFault) in ["at": .time(try row.lastingTime(2))] }
    ) { row throws(ColumnFault) in
        _ = try (row.integer(0), row.integer(1), row.lastingTime(2))
        return []
    }

    static func entry(of instance: InstanceID, by account: AccountID, at time: LastingTime) -> Statement {
        Statement(
            "INSERT INTO placement_log (id, account, at) VALUES (?, ?, ?)",
            .integer(Int64(bitPattern: instance.rawValue)), .integer(Int64(bitPattern: account.rawValue)),
            .time(time), changing: 1)
    }

    static func expiries(now: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "at", isBelow: (now - Quota.Span.day.length).milliseconds + 1)]
    }

    private static let lately = table.query("WHERE account = ? AND at > ? ORDER BY at")

    /// Query for an account's entries of the last day, oldest first; `times` reads the rows.
    static func recent(of account: AccountID, now: LastingTime) -> Query {
        lately.about(
            .integer(Int64(bitPattern: account.rawValue)), .time(now - Quota.Span.day.length))
    }

    static func times(in rows: [Row], _ damage: inout [DamagedRow]) -> [LastingTime] {
        rows.read(as: table, into: &damage) { row throws(ColumnFault) in try row.lastingTime(2) }
    }
}
