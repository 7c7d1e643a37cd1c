internal import CairnWire

/// A rolling window whose places are reserved before they are used up: what an `Allowance` of one limit is made of.
public struct ReservedWindow: Sendable {
    private var window: RollingWindow
    private var reserved = 0

    /// - Parameters:
    ///   - limit: events in any window.
    ///   - length: of the window, milliseconds.
    public init(limit: Int, length: Int64) {
        window = RollingWindow(limit: limit, length: length)
    }

    public var limit: Int {
        get { window.limit }
        set { window.limit = newValue }
    }

    /// Counts an event of before. Times do not decrease.
    public mutating func restore(_ time: Int64) { window.add(time) }

    /// - Parameters:
    ///   - what: what is counted and over which time, for the refusal: `reactions in the last minute`.
    ///   - component: who refuses, with `rate_limited`.
    public mutating func reserve(now: Int64, what: String, component: String) -> Reservation {
        let used = window.count(now: now)
        guard used < limit else {
            return .refused(
                Refusal(
                    .rateLimited, "\(used) \(what), the limit is \(limit)", component: component,
                    retryAfter: .milliseconds(window.wait(now: now)),
                    details: ["count": "\(used)", "limit": "\(limit)"]))
        }
        if used + reserved >= limit { return .wait }
        reserved += 1
        return .granted
    }

    /// Ends one reservation: `granted` uses its place up.
    public mutating func settle(granted: Bool, now: Int64) {
        reserved -= 1
        if granted { window.add(now) }
    }
}
