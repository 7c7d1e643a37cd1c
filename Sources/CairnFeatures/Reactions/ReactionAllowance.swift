public import CairnCore
public import CairnWire

/// So many reactions a minute and person (RCT-5). Kept in memory only: a restart forgives.
public struct ReactionAllowance: Allowance {
    public static let name = "reactions"
    public static let kinds: [MessageKind] = [.react]

    private var window: RollingWindow
    private var reserved = 0

    public init(rules: Rules) {
        window = RollingWindow(limit: rules.reactionsPerMinute, length: 60_000)
    }

    public mutating func adopt(_ rules: Rules) {
        window.limit = rules.reactionsPerMinute
    }

    public mutating func reserve(now: Int64) -> Reservation {
        let used = window.count(now: now)
        guard used < window.limit else {
            return .refused(
                Refusal(
                    .rateLimited, "\(used) reactions in the last minute, the limit is \(window.limit)",
                    component: Self.name, retryAfter: .milliseconds(window.wait(now: now)),
                    details: ["count": "\(used)", "limit": "\(window.limit)"]))
        }
        if used + reserved >= window.limit { return .wait }
        reserved += 1
        return .granted
    }

    public mutating func settle(granted: Bool, now: Int64) {
        reserved -= 1
        if granted { window.add(now) }
    }
}
