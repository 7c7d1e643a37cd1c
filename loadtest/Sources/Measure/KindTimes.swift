import CairnTime
import Histogram

/// The times of one kind of request or broadcast, against a limit.
struct KindTimes {
    let limit: Duration
    /// Microseconds.
    private(set) var times = Histogram<UInt32>(
        highestTrackableValue: 120_000_000, numberOfSignificantValueDigits: .three)
    /// Times over the limit.
    private(set) var late = 0
    /// Answers that were refusals.
    private(set) var refused = 0
    /// Receivers of all broadcasts together.
    private(set) var receivers = 0

    init(limit: Duration) { self.limit = limit }

    mutating func record(_ microseconds: UInt64, isRefusal: Bool = false, receivers: Int = 0) {
        // Longer ones count as the longest that the histogram holds.
        times.record(min(microseconds, times.highestTrackableValue))
        if microseconds > UInt64(limit.microseconds) { late += 1 }
        if isRefusal { refused += 1 }
        self.receivers += receivers
    }
}
