public import CairnCore
public import CairnWire

/// So many edits and removals a minute and person: each leaves a key on disk for a day. Kept in memory only: a restart
/// forgives.
public struct ChangeAllowance: Allowance {
    public static let name = "placements"
    public static let kinds: [MessageKind] = [.edit, .remove]

    private var window: ReservedWindow

    public init(rules: Rules) {
        window = ReservedWindow(limit: rules.changesPerMinute, length: 60_000)
    }

    public mutating func adopt(_ rules: Rules) { window.limit = rules.changesPerMinute }

    public mutating func reserve(now: Int64) -> Reservation {
        window.reserve(now: now, what: "edits and removals in the last minute", component: Self.name)
    }

    public mutating func settle(granted: Bool, now: Int64) { window.settle(granted: granted, now: now) }
}
