public import CairnCore
public import CairnWire

/// The period quota: so many placements a minute and a day, wherever and from whichever device (PLC-6, PLC-7).
public struct PlacementAllowance: Allowance {
    public static let name = "placements"
    public static let kinds: [MessageKind] = [.place]

    private static let minute: Int64 = 60_000
    private static let day: Int64 = 86_400_000

    private var windows: [RollingWindow]
    private var reserved = 0

    public init(rules: Rules) {
        windows = [
            RollingWindow(limit: rules.placementsPerMinute, length: Self.minute),
            RollingWindow(limit: rules.placementsPerDay, length: Self.day),
        ]
    }

    /// The record of one placement. It outlives the instance: removing gives nothing back (PLC-6).
    static func entry(account: AccountID, at: Int64) -> Statement {
        Statement(
            "INSERT INTO placement_log (account, at) VALUES (?, ?)",
            .integer(Int64(bitPattern: account.rawValue)), .integer(at), changing: 1)
    }

    static let migration = Migration(
        "placement-log-1",
        "CREATE TABLE placement_log (account INTEGER NOT NULL, at INTEGER NOT NULL) STRICT",
        "CREATE INDEX placement_log_account ON placement_log (account, at)",
        "CREATE INDEX placement_log_at ON placement_log (at)")

    /// Nothing in it is sealed, and nothing is bound: who can write the file can give back a quota, and take it.
    static let table = StoredTable("placement_log", columns: ["rowid", "account", "at"], key: [0]) {
        row throws(ColumnFault) in
        _ = try (row.integer(0), row.integer(1), row.time(2))
        return []
    }

    private static let recent = table.query("WHERE account = ? AND at > ? ORDER BY at")

    static func expiries(now: Int64) -> [Statement] {
        [Statement("DELETE FROM placement_log WHERE at <= ?", .integer(now - day))]
    }

    public static func stored(for account: AccountID, now: Int64) -> [Query] {
        [recent.about(.integer(Int64(bitPattern: account.rawValue)), .integer(now - day))]
    }

    public mutating func restore(_ answers: [[Row]]) -> [DamagedRow] {
        var damage: [DamagedRow] = []
        let rows = answers.first ?? []
        for time in rows.read(as: Self.table, into: &damage, { row throws(ColumnFault) in try row.time(2) }) {
            for index in windows.indices { windows[index].add(time) }
        }
        return damage
    }

    public mutating func adopt(_ rules: Rules) {
        windows[0].limit = rules.placementsPerMinute
        windows[1].limit = rules.placementsPerDay
    }

    public mutating func reserve(now: Int64) -> Reservation {
        // The window that keeps them waiting longest speaks.
        let waits = windows.indices.map { windows[$0].wait(now: now) }
        if let longest = waits.indices.max(by: { waits[$0] < waits[$1] }), waits[longest] > 0 {
            let (used, limit) = (windows[longest].count(now: now), windows[longest].limit)
            let span = windows[longest].length == Self.minute ? "minute" : "day"
            return .refused(
                Refusal(
                    .quotaPeriod, "\(used) placements in the last \(span), the limit is \(limit)",
                    component: Self.name, retryAfter: .milliseconds(waits[longest]),
                    details: ["count": "\(used)", "limit": "\(limit)", "period": span]))
        }
        guard windows.indices.allSatisfy({ windows[$0].count(now: now) + reserved < windows[$0].limit }) else {
            return .wait
        }
        reserved += 1
        return .granted
    }

    public mutating func settle(granted: Bool, now: Int64) {
        reserved -= 1
        guard granted else { return }
        for index in windows.indices { windows[index].add(now) }
    }
}
