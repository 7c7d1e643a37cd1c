public import CairnCore
internal import CairnWire

extension Placements {
    /// Two quotas, each over all places and devices: placements (PLC-6, PLC-7), and edits and removals, because each
    /// of these leaves a key on disk for a day.
    ///
    /// The minute of the second quota is kept in memory only. Its day is restored when the account wakes: every key
    /// that is on disk then, of whatever command, counts as used at that moment. So the disk never holds more keys of
    /// one person than a day allows, and no use is lost by sleeping.
    public static let quotas = [
        Quota(
            "placements", of: name, code: .quotaPeriod, counting: [Place.self],
            windows: [
                Quota.Window(.minute) { $0.placements.perMinute },
                Quota.Window(.day) { $0.placements.perDay },
            ],
            // An answer outlives its instance, because removing an instance gives no quota back (PLC-6).
            stored: .answers(to: [Place.self], within: .day)),
        Quota(
            "edits and removals", of: name, code: .rateLimited, counting: [Edit.self, Remove.self],
            windows: [
                Quota.Window(.minute, isStored: false) { $0.placements.changesPerMinute },
                Quota.Window(.day) { $0.placements.changesPerDay },
            ],
            stored: Quota.Stored(query: StoredReply.count, times: keyTimes)),
    ]

    /// Reads the row of `StoredReply.count(of:at:)`. It is computed, not stored, so it cannot be damaged.
    private static func keyTimes(in rows: [Row], _ damage: inout [DamagedRow]) -> [LastingTime] {
        guard let row = rows.first, let count = try? row.integer(0), let now = try? row.lastingTime(1) else {
            return []
        }
        return Array(repeating: now, count: Int(min(count, keysMax)))
    }

    /// Bounds the array: larger counts count as this one, which no setting of a day's changes reaches.
    private static let keysMax: Int64 = 10_000_000
}
