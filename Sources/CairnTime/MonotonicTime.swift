/// A reading of the machine's monotonic clock, in whole microseconds.
///
/// It paces messages, ends waits within a run and measures delays: it never jumps. It counts from a moment before the
/// start of the process, so a reading means nothing to another machine or after a restart; what is stored and what
/// people see goes by the other clocks (decision 0021).
@frozen public struct MonotonicTime: Hashable, Comparable, Sendable {
    /// Since `epoch`. For C, for records that are packed, and for statistics; rules use `Duration`.
    public let microseconds: UInt64

    @inlinable
    public init(microseconds: UInt64) {
        self.microseconds = microseconds
    }

    /// Where the clock counts from: no reading is earlier.
    @inlinable public static var epoch: Self { Self(microseconds: 0) }
    /// No reading is later.
    @inlinable public static var distantFuture: Self { Self(microseconds: .max) }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    /// Stops at `distantFuture`; a negative span goes back.
    @inlinable
    public static func + (time: Self, duration: Duration) -> Self {
        let span = duration.microseconds
        return span < 0 ? time.back(span.magnitude) : time.forth(span.magnitude)
    }

    /// Stops at `epoch`; a negative span goes forth.
    @inlinable
    public static func - (time: Self, duration: Duration) -> Self {
        let span = duration.microseconds
        return span < 0 ? time.forth(span.magnitude) : time.back(span.magnitude)
    }

    /// Below zero when `earlier` is the later one.
    @inlinable
    public static func - (later: Self, earlier: Self) -> Duration {
        .microseconds(Int64(truncatingIfNeeded: later.microseconds &- earlier.microseconds))
    }

    @inlinable
    public static func += (time: inout Self, duration: Duration) { time = time + duration }

    /// How long ago `earlier` was, in microseconds; 0 when it is the later one, as a reading of another thread may be.
    ///
    /// For statistics and for sums in floating point: a `Duration` has 128 bits, and dividing one is slow.
    @inlinable
    public func microseconds(since earlier: Self) -> UInt64 {
        microseconds - min(microseconds, earlier.microseconds)
    }

    @inlinable
    func forth(_ span: UInt64) -> Self { Self(microseconds: microseconds + min(.max - microseconds, span)) }

    @inlinable
    func back(_ span: UInt64) -> Self { Self(microseconds: microseconds - min(microseconds, span)) }
}

extension Duration {
    /// Whole microseconds; what is less than one is cut off. At most 292,000 years.
    @inlinable public var microseconds: Int64 { Int64(attoseconds / 1_000_000_000_000) }
}
