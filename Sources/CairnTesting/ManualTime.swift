public import CairnCore
public import CairnTime

/// A clock that the test moves.
public struct ManualTime: Sendable {
    /// The time of day.
    public private(set) var wall: WallTime
    /// The time for ages: the time of day until a test sets that.
    public private(set) var lasting: LastingTime
    /// The clock of loops.
    public private(set) var monotonic: MonotonicTime

    /// 2026-01-01, an hour after the machine started.
    public init(_ wall: WallTime = 1_767_225_600_000, monotonic: MonotonicTime = 3_600_000_000) {
        self.wall = wall
        lasting = LastingTime(milliseconds: wall.milliseconds)
        self.monotonic = monotonic
    }

    /// Advances all clocks.
    public mutating func advance(_ duration: Duration) {
        wall = wall + duration
        lasting = lasting + duration
        monotonic += duration
    }

    /// Sets the time of day, also backwards; the others stay.
    public mutating func set(_ wall: WallTime) {
        self.wall = wall
    }
}

// Tests may write times as the milliseconds and microseconds that they are. The product may not: there a number says
// nothing of its clock.
extension WallTime: ExpressibleByIntegerLiteral {
    public init(integerLiteral milliseconds: Int64) { self.init(milliseconds: milliseconds) }
}

extension LastingTime: ExpressibleByIntegerLiteral {
    public init(integerLiteral milliseconds: Int64) { self.init(milliseconds: milliseconds) }
}

extension MonotonicTime: ExpressibleByIntegerLiteral {
    public init(integerLiteral microseconds: UInt64) { self.init(microseconds: microseconds) }
}
