public import CairnCore
public import CairnWire

/// So many reactions a minute and person (RCT-5). Kept in memory only: a restart forgives.
public struct ReactionAllowance: Allowance {
    public static let name = "reactions"
    public static let kinds: [MessageKind] = [.react]

    private var window: ReservedWindow

    public init(rules: Rules) {
        window = ReservedWindow(limit: rules.reactionsPerMinute, length: 60_000)
    }

    public mutating func adopt(_ rules: Rules) { window.limit = rules.reactionsPerMinute }

    public mutating func reserve(now: Int64) -> Reservation {
        window.reserve(now: now, what: "reactions in the last minute", component: Self.name)
    }

    public mutating func settle(granted: Bool, now: Int64) { window.settle(granted: granted, now: now) }
}
