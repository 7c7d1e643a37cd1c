public import CairnCore
public import CairnWire

/// So much feedback an hour and person (STA-5), over all devices and restarts.
public struct FeedbackAllowance: Allowance {
    public static let name = "feedback"
    public static let kinds: [MessageKind] = [.sendFeedback]

    private static let hour: Int64 = 3_600_000

    private var window: RollingWindow
    private var reserved = 0

    public init(rules: Rules) {
        window = RollingWindow(limit: rules.feedbackPerHour, length: Self.hour)
    }

    public static func stored(for account: AccountID, now: Int64) -> [Query] {
        [Feedback.times(of: account, after: now - hour)]
    }

    public mutating func restore(_ answers: [[Row]]) {
        for row in answers.first ?? [] { window.add(row.integer(0)) }
    }

    public mutating func adopt(_ rules: Rules) {
        window.limit = rules.feedbackPerHour
    }

    public mutating func reserve(now: Int64) -> Reservation {
        let used = window.count(now: now)
        guard used < window.limit else {
            return .refused(
                Refusal(
                    .rateLimited, "\(used) entries in the last hour, the limit is \(window.limit)",
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
