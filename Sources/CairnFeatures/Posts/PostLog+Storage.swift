internal import CairnCore
internal import CairnWire

/// The log of posts, from which the quotas of a minute and a day are restored (PST-10). An entry outlives its post,
/// because removing a post gives no quota back.
enum PostLog {
    static let migration = Migration(
        "post-log-1",
        "CREATE TABLE post_log (id INTEGER PRIMARY KEY, account INTEGER NOT NULL, at INTEGER NOT NULL) STRICT",
        "CREATE INDEX post_log_account ON post_log (account, at)",
        "CREATE INDEX post_log_at ON post_log (at)")

    /// Its columns are neither sealed nor bound: an attacker who can write the file can change the use of a quota, and
    /// whose a gone post was by this log, which is therefore shown as not proven.
    static let table = StoredTable(
        "post_log", of: .account, columns: ["id", "account", "at"], key: [0], erasure: [.rows(1)],
        export: .rows([1]) { row, _ throws(ColumnFault) in ["at": .time(try row.lastingTime(2))] }
    ) { row throws(ColumnFault) in
        _ = try (row.integer(0), row.integer(1), row.lastingTime(2))
        return []
    }

    static func entry(of post: InstanceID, by account: AccountID, at time: LastingTime) -> Statement {
        Statement(
            "INSERT INTO post_log (id, account, at) VALUES (?, ?, ?)", Posts.integer(post.rawValue),
            Posts.integer(account.rawValue), .time(time), changing: 1)
    }

    static func expiries(now: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "at", isBelow: (now - Quota.Span.day.length).milliseconds + 1)]
    }

    private static let lately = table.query("WHERE account = ? AND at > ? ORDER BY at")

    /// Query for an account's entries of the last day, oldest first; `times` reads the rows.
    static func recent(of account: AccountID, now: LastingTime) -> Query {
        lately.about(Posts.integer(account.rawValue), .time(now - Quota.Span.day.length))
    }

    /// Query for who has made a post of the last day by this log, also after its removal: one row of one integer.
    static func author(of post: InstanceID) -> Query {
        Query("SELECT account FROM post_log WHERE id = ?", Posts.integer(post.rawValue))
    }

    static func times(in rows: [Row], _ damage: inout [DamagedRow]) -> [LastingTime] {
        rows.read(as: table, into: &damage) { row throws(ColumnFault) in try row.lastingTime(2) }
    }
}
