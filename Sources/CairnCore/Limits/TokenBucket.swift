public import CairnTime

/// A token bucket: `rate` a second on average, `burst` at once. Time is the caller's.
public struct TokenBucket: Sendable {
    // Single precision: every connection has four of these, and rates are given with fewer digits.
    private let microsecondsPerToken: Float
    private let capacity: Float
    private var tokens: Double
    private var filledAt: MonotonicTime

    /// - Parameters:
    ///   - rate: tokens a second, above 0.
    ///   - burst: tokens when full, at least 1.
    public init(rate: Double, burst: Double, now: MonotonicTime) {
        microsecondsPerToken = Float(1_000_000 / rate)
        capacity = Float(burst)
        tokens = Double(capacity)
        filledAt = now
    }

    /// Takes a token, or says how long until there is one.
    public mutating func take(now: MonotonicTime) -> Duration? {
        if let wait = wait(now: now) { return wait }
        tokens -= 1
        return nil
    }

    /// How long until there is a token, in whole microseconds; nil = there is one.
    public mutating func wait(now: MonotonicTime) -> Duration? {
        fill(now: now)
        guard tokens < 1 else { return nil }
        return .microseconds(Int64(((1 - tokens) * Double(microsecondsPerToken)).rounded(.up)))
    }

    /// Time until the bucket holds `count` tokens, in whole microseconds; zero = it does.
    public mutating func wait(for count: Double, now: MonotonicTime) -> Duration {
        fill(now: now)
        return .microseconds(Int64((max(0, count - tokens) * Double(microsecondsPerToken)).rounded(.up)))
    }

    /// Time until the bucket is half full.
    public mutating func waitForHalf(now: MonotonicTime) -> Duration { wait(for: Double(capacity) / 2, now: now) }

    /// Takes the whole tokens that are left, at most `wanted`.
    /// - Returns: how many.
    public mutating func take(upTo wanted: Int, now: MonotonicTime) -> Int {
        fill(now: now)
        let taken = min(wanted, max(0, Int(tokens)))
        tokens -= Double(taken)
        return taken
    }

    /// The whole tokens that are there.
    public mutating func available(now: MonotonicTime) -> Int {
        fill(now: now)
        return max(0, Int(tokens))
    }

    /// Takes any number of tokens, also more than there are: the debt is paid off at the bucket's rate.
    public mutating func spend(_ count: Double) { tokens -= count }

    /// Whether all tokens are there.
    public func isFull(now: MonotonicTime) -> Bool {
        tokens + added(until: now) >= Double(capacity)
    }

    private mutating func fill(now: MonotonicTime) {
        guard now > filledAt else { return }
        tokens = min(Double(capacity), tokens + added(until: now))
        filledAt = now
    }

    private func added(until now: MonotonicTime) -> Double {
        Double(now.microseconds(since: filledAt)) / Double(microsecondsPerToken)
    }
}
