/// A clock that the test moves.
public struct ManualTime: Sendable {
    /// Wall-clock milliseconds since 1970-01-01 UTC, the unit of product rules.
    public private(set) var milliseconds: Int64
    /// Monotonic microseconds, the unit of loops.
    public private(set) var microseconds: UInt64

    /// 2026-01-01, an hour after the machine started.
    public init(milliseconds: Int64 = 1_767_225_600_000, microseconds: UInt64 = 3_600_000_000) {
        self.milliseconds = milliseconds
        self.microseconds = microseconds
    }

    /// Advances both clocks.
    public mutating func advance(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        milliseconds += seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        microseconds += UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
    }

    /// Sets the wall clock, also backwards; the monotonic clock stays.
    public mutating func setWall(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }
}
