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
            stored: Quota.Stored(query: PlacementLog.recent, times: PlacementLog.times)),
        Quota(
            "edits and removals", of: name, code: .rateLimited, counting: [Edit.self, Remove.self],
            windows: [
                Quota.Window(.minute, isStored: false) { $0.placements.changesPerMinute },
                Quota.Window(.day) { $0.placements.changesPerDay },
            ],
            stored: Quota.Stored(query: StoredReply.count, times: keyTimes)),
    ]

    /// The rows of `StoredReply.count(of:at:)`. A count is of no row that could be damaged.
    private static func keyTimes(in rows: [Row], _ damage: inout [DamagedRow]) -> [Int64] {
        guard let row = rows.first, let count = try? row.integer(0), let now = try? row.integer(1) else { return [] }
        return Array(repeating: now, count: Int(min(count, keysMax)))
    }

    /// More keys than any setting of a day's changes allows are as many as this.
    private static let keysMax: Int64 = 10_000_000
}
