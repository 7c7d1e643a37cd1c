public import CairnCore
public import CairnWire

/// So much feedback an hour and person (STA-5), over all devices and restarts.
public struct FeedbackAllowance: Allowance {
    public static let name = "feedback"
    public static let kinds: [MessageKind] = [.sendFeedback]

    private static let hour: Int64 = 3_600_000

    private var window: ReservedWindow

    public init(rules: Rules) {
        window = ReservedWindow(limit: rules.feedbackPerHour, length: Self.hour)
    }

    public static func stored(for account: AccountID, now: Int64) -> [Query] {
        [Feedback.times(of: account, after: now - hour)]
    }

    public mutating func restore(_ answers: [[Row]]) -> [DamagedRow] {
        var damage: [DamagedRow] = []
        for time in Feedback.times(in: answers.first ?? [], into: &damage) { window.restore(time) }
        return damage
    }

    public mutating func adopt(_ rules: Rules) { window.limit = rules.feedbackPerHour }

    public mutating func reserve(now: Int64) -> Reservation {
        window.reserve(now: now, what: "entries in the last hour", component: Self.name)
    }

    public mutating func settle(granted: Bool, now: Int64) { window.settle(granted: granted, now: now) }
}
