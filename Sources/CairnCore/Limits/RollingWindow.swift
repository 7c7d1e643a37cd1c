internal import DequeModule

/// At most `limit` events in any span of `length`, as a rolling window (PLC-6).
public struct RollingWindow: Sendable {
    public var limit: Int
    public let length: Duration
    private var times: Deque<LastingTime> = []

    public init(limit: Int, length: Duration) {
        self.limit = limit
        self.length = length
    }

    /// Events of the window that ends at `now`.
    public mutating func count(now: LastingTime) -> Int {
        let start = now - length
        while let first = times.first, first <= start { times.removeFirst() }
        return times.count
    }

    /// How long until the window has room for one more; zero when it has.
    public mutating func wait(now: LastingTime) -> Duration {
        let surplus = count(now: now) - limit
        return surplus < 0 ? .zero : times[surplus] + length - now
    }

    /// Counts an event. Times do not decrease.
    public mutating func add(_ time: LastingTime) {
        times.append(time)
    }
}
