/// A token bucket: `rate` a second on average, `burst` at once. Time is the caller's, monotonic microseconds.
public struct TokenBucket: Sendable {
    private let microsecondsPerToken: Double
    private let capacity: Double
    private var tokens: Double
    private var filledAt: UInt64

    /// - Parameters:
    ///   - rate: tokens a second, above 0.
    ///   - burst: tokens when full, at least 1.
    public init(rate: Double, burst: Double, now: UInt64) {
        microsecondsPerToken = 1_000_000 / rate
        capacity = burst
        tokens = burst
        filledAt = now
    }

    /// Takes a token, or says how long until there is one, in microseconds.
    public mutating func take(now: UInt64) -> UInt64? {
        if now > filledAt {
            tokens = min(capacity, tokens + Double(now - filledAt) / microsecondsPerToken)
            filledAt = now
        }
        guard tokens < 1 else {
            tokens -= 1
            return nil
        }
        return UInt64(((1 - tokens) * microsecondsPerToken).rounded(.up))
    }
}
