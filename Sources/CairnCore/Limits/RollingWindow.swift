internal import DequeModule

/// At most `limit` events in any `length` milliseconds, as a rolling window (PLC-6).
public struct RollingWindow: Sendable {
    public var limit: Int
    public let length: Int64
    private var times: Deque<Int64> = []

    public init(limit: Int, length: Int64) {
        self.limit = limit
        self.length = length
    }

    /// Events of the window that ends at `now`.
    public mutating func count(now: Int64) -> Int {
        while let first = times.first, first <= now - length { times.removeFirst() }
        return times.count
    }

    /// Milliseconds until the window has room for one more; 0 when it has.
    public mutating func wait(now: Int64) -> Int64 {
        let surplus = count(now: now) - limit
        return surplus < 0 ? 0 : times[surplus] + length - now
    }

    /// Counts an event. Times do not decrease.
    public mutating func add(_ time: Int64) {
        times.append(time)
    }
}
