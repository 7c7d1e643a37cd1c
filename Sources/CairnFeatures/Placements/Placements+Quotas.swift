public import CairnCore
internal import CairnWire

extension Placements {
    /// Placements wherever and from whichever device (PLC-6, PLC-7); and edits and removals, each of which leaves a key
    /// on disk for a day.
    ///
    /// Of the latter the minute is kept in memory only. The day is restored when the account wakes: of all keys that
    /// stand on the disk by then, whatever they were for, as if they had been used just now. So the disk never holds
    /// more of one person's keys than a day's worth, and a sleep never counts too little.
    public static let quotas = [
        Quota(
            "placements", of: name, code: .quotaPeriod, counting: [Place.self],
            windows: [
                Quota.Window(.minute) { $0.placements.perMinute },
                Quota.Window(.day) { $0.placements.perDay },
            ],
            stored: Quota.Stored(query: recentPlacements, times: placementTimes)),
        Quota(
            "edits and removals", of: name, code: .rateLimited, counting: [Edit.self, Remove.self],
            windows: [
                Quota.Window(.minute, isStored: false) { $0.placements.changesPerMinute },
                Quota.Window(.day) { $0.placements.changesPerDay },
            ],
            stored: Quota.Stored(query: KeptAnswer.count, times: keyTimes)),
    ]

    /// The rows of `KeptAnswer.count(of:at:)`. A count is of no row that could be damaged.
    private static func keyTimes(in rows: [Row], _ damage: inout [DamagedRow]) -> [Int64] {
        guard let row = rows.first, let count = try? row.integer(0), let now = try? row.integer(1) else { return [] }
        return Array(repeating: now, count: Int(min(count, keysMax)))
    }

    /// More keys than any setting of a day's changes allows are as many as this.
    private static let keysMax: Int64 = 10_000_000

    // MARK: The log of placements

    /// The record of one placement. It outlives the instance: removing gives nothing back (PLC-6).
    static func logEntry(of account: AccountID, at time: Int64) -> Statement {
        Statement(
            "INSERT INTO placement_log (account, at) VALUES (?, ?)",
            .integer(Int64(bitPattern: account.rawValue)), .integer(time), changing: 1)
    }

    static let logMigration = Migration(
        "placement-log-1",
        "CREATE TABLE placement_log (account INTEGER NOT NULL, at INTEGER NOT NULL) STRICT",
        "CREATE INDEX placement_log_account ON placement_log (account, at)",
        "CREATE INDEX placement_log_at ON placement_log (at)")

    /// Nothing in it is sealed, and nothing is bound: who can write the file can give back a quota, and take it.
    static let log = StoredTable("placement_log", columns: ["rowid", "account", "at"], key: [0]) {
        row throws(ColumnFault) in
        _ = try (row.integer(0), row.integer(1), row.time(2))
        return []
    }

    static func logExpiries(now: Int64) -> [Statement] {
        [Statement("DELETE FROM placement_log WHERE at <= ?", .integer(now - Quota.Span.day.milliseconds))]
    }

    private static let recent = log.query("WHERE account = ? AND at > ? ORDER BY at")

    private static func recentPlacements(of account: AccountID, now: Int64) -> Query {
        recent.about(
            .integer(Int64(bitPattern: account.rawValue)), .integer(now - Quota.Span.day.milliseconds))
    }

    private static func placementTimes(in rows: [Row], _ damage: inout [DamagedRow]) -> [Int64] {
        rows.read(as: log, into: &damage) { row throws(ColumnFault) in try row.time(2) }
    }
}
