public import CairnTime

/// How regularly a person's poses come, and when the next one is expected.
///
/// Clients send poses at a fixed rate. The expectation follows a pose that is on time by a part of its deviation,
/// because the loop notices poses up to a few milliseconds late. It holds over single poses that are late or lost,
/// and is measured again after several.
public struct PoseRhythm: Sendable {
    /// When the next pose is expected; `epoch` = unknown.
    private var next: MonotonicTime = .epoch
    private var periodMicroseconds: UInt32 = 0
    /// Poses in a row that came at other times than expected.
    private var misses: UInt8 = 0

    /// How far from the expected moment a pose is still on time.
    private static let tolerance: UInt64 = 4_000
    /// What comes more rarely is not expected: within such a time a person stops, turns or loses the link.
    private static let periodMax: UInt64 = 1_000_000
    /// Misses in a row after which the rhythm is measured again from the next pose.
    private static let missesMax = 3
    /// Shares of a deviation that the expectation and the period take over.
    private static let (phaseGain, periodGain) = (0.4, 0.1)

    public init() {}

    /// Notes a pose.
    /// - Parameter before: when the person's last pose came.
    mutating func note(_ time: MonotonicTime, after before: MonotonicTime) -> PoseArrival {
        let interval = time.microseconds(since: before)
        guard interval <= Self.periodMax else {
            self = PoseRhythm()
            return PoseArrival()
        }
        guard next > .epoch, misses < Self.missesMax else {
            self = PoseRhythm()
            (periodMicroseconds, next) = (UInt32(interval), time + .microseconds(Int64(interval)))
            return PoseArrival(next: next)
        }
        let expected = next
        let deviation = Int64(truncatingIfNeeded: time.microseconds &- expected.microseconds)
        let isOnTime = deviation.magnitude <= Self.tolerance
        if isOnTime {
            let period = Double(periodMicroseconds) + Double(deviation) * Self.periodGain
            periodMicroseconds = UInt32(max(1, period))
            let step = period + Double(deviation) * Self.phaseGain
            // Shorter than its own deviation a period can only be by intent.
            next = expected + .microseconds(Int64(max(1, step)))
            misses = 0
        } else {
            misses += 1
            expectBeyond(time)
        }
        return PoseArrival(expected: expected, isOnTime: isOnTime, next: next)
    }

    /// Moves the expectation on by whole periods, to the pose that follows one of now.
    private mutating func expectBeyond(_ time: MonotonicTime) {
        let period = UInt64(max(1, periodMicroseconds))
        let soonest = time + .microseconds(Int64(period / 2))
        guard next < soonest else { return }
        let periods = soonest.microseconds(since: next) / period + 1
        next = next + .microseconds(Int64(periods * period))
    }
}

/// A pose that has come, by its person's rhythm.
public struct PoseArrival: Equatable, Sendable {
    /// When it was expected; nil = it was not.
    public var expected: MonotonicTime?
    /// Whether it came at about the expected time.
    public var isOnTime = false
    /// When the next one is expected; nil = unknown.
    public var next: MonotonicTime?

    public init(expected: MonotonicTime? = nil, isOnTime: Bool = false, next: MonotonicTime? = nil) {
        (self.expected, self.isOnTime, self.next) = (expected, isOnTime, next)
    }
}
