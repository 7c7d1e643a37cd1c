internal import Synchronization

/// Hands out 63-bit numbers that strictly increase: 41 bits of milliseconds, then a counter of 22 bits.
///
/// One source serves a whole process from any thread. More than four million numbers in one millisecond, or a clock that
/// was set back, borrow from the milliseconds to come.
public final class IdentifierSource: Sendable {
    private let last: Atomic<UInt64>

    /// - Parameter above: a number that every new one exceeds, for instance the largest in the database.
    public init(above: UInt64 = 0) {
        last = Atomic(above)
    }

    /// - Parameter now: milliseconds since 1970-01-01 UTC, not negative.
    public func next(now: Int64) -> UInt64 {
        let earliest = UInt64(now) << 22
        while true {
            let previous = last.load(ordering: .relaxed)
            let number = max(previous + 1, earliest)
            let (exchanged, _) = last.weakCompareExchange(
                expected: previous, desired: number, ordering: .relaxed)
            if exchanged { return number }
        }
    }
}
