/// A time on one of the server's clocks, in whole milliseconds.
///
/// Each clock has a type of its own, so times of two clocks cannot be compared, subtracted, or passed for each other.
/// Rules add and subtract `Duration`s; the number is for rows, messages and logs (decision 0021).
public protocol Timestamp: Hashable, Comparable, Sendable {
    /// Since 1970-01-01 UTC.
    var milliseconds: Int64 { get }

    init(milliseconds: Int64)
}

/// The time of day: what people are shown, and what is stored beside the things they make.
///
/// It is the told time of `FollowedTime`. It may jump when the machine's clock is set, so no age is measured with it.
@frozen public struct WallTime: Timestamp {
    public let milliseconds: Int64

    @inlinable
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }
}

/// The time by which things end: keys, tokens, quotas, instances, timers.
///
/// It is the lasting time of `FollowedTime`. It never runs backwards, not even across restarts, and ignores jumps of
/// the machine's clock for a day.
@frozen public struct LastingTime: Timestamp {
    public let milliseconds: Int64

    @inlinable
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }
}

extension Timestamp {
    /// 1970-01-01 UTC: before everything that is stored.
    @inlinable public static var epoch: Self { Self(milliseconds: 0) }
    /// Only for comparison: adding to it overflows.
    @inlinable public static var distantPast: Self { Self(milliseconds: .min) }
    /// Only for comparison: adding to it overflows.
    @inlinable public static var distantFuture: Self { Self(milliseconds: .max) }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    @inlinable
    public static func + (time: Self, duration: Duration) -> Self {
        Self(milliseconds: time.milliseconds + duration.milliseconds)
    }

    @inlinable
    public static func - (time: Self, duration: Duration) -> Self {
        Self(milliseconds: time.milliseconds - duration.milliseconds)
    }

    @inlinable
    public static func - (later: Self, earlier: Self) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }
}

extension Duration {
    /// Whole milliseconds; what is less than one is cut off.
    @inlinable public var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
