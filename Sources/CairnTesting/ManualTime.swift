/// A clock that moves when the test says so.
public struct ManualTime: Sendable {
    /// Milliseconds since 1970-01-01 UTC, as rules count.
    public private(set) var milliseconds: Int64
    /// Monotonic microseconds, as loops count.
    public private(set) var microseconds: UInt64

    /// 2026-01-01, an hour after the machine started.
    public init(milliseconds: Int64 = 1_767_225_600_000, microseconds: UInt64 = 3_600_000_000) {
        self.milliseconds = milliseconds
        self.microseconds = microseconds
    }

    /// Lets time pass.
    public mutating func advance(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        milliseconds += seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        microseconds += UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
    }

    /// Sets the wall clock, also backwards; the monotonic one does not notice.
    public mutating func setWall(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }
}
