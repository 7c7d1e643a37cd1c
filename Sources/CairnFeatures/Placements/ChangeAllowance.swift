public import CairnCore
public import CairnWire

/// So many edits and removals a minute and a day and person: each leaves a key on disk for a day.
///
/// The minute is kept in memory only. The day is restored when the account wakes: of all keys that stand on the disk by
/// then, whatever they were for, as if they had been used just now. So the disk never holds more of one person's keys
/// than a day's worth, and who comes back is not counted too low.
public struct ChangeAllowance: Allowance {
    public static let name = "placements"
    public static let kinds: [MessageKind] = [.edit, .remove]

    private static let day: Int64 = 86_400_000

    private var minute: ReservedWindow
    private var day: ReservedWindow

    public init(rules: Rules) {
        minute = ReservedWindow(limit: rules.changesPerMinute, length: 60_000)
        day = ReservedWindow(limit: rules.changesPerDay, length: Self.day)
    }

    public static func stored(for account: AccountID, now: Int64) -> [Query] {
        [KeptAnswer.count(of: account, at: now)]
    }

    public mutating func restore(_ answers: [[Row]]) -> [DamagedRow] {
        // A count is of no row that could be damaged.
        guard let row = answers.first?.first, let count = try? row.integer(0), let now = try? row.integer(1) else {
            return []
        }
        for _ in 0..<min(count, Int64(day.limit)) { day.restore(now) }
        return []
    }

    public mutating func adopt(_ rules: Rules) {
        minute.limit = rules.changesPerMinute
        day.limit = rules.changesPerDay
    }

    public mutating func reserve(now: Int64) -> Reservation {
        let ofDay = day.reserve(now: now, what: "edits and removals in the last day", component: Self.name)
        guard case .granted = ofDay else { return ofDay }
        let ofMinute = minute.reserve(now: now, what: "edits and removals in the last minute", component: Self.name)
        if case .granted = ofMinute {} else { day.settle(granted: false, now: now) }
        return ofMinute
    }

    public mutating func settle(granted: Bool, now: Int64) {
        minute.settle(granted: granted, now: now)
        day.settle(granted: granted, now: now)
    }
}
