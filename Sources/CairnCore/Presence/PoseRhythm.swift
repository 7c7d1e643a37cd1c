public import CairnTime

/// How regularly a person's poses come, and when the next one is expected.
///
/// Clients send poses at a fixed rate. The expectation follows a pose that is on time by a part of its deviation,
/// because the loop notices poses up to a few milliseconds late. It holds over single poses that are late or lost. It
/// is measured again when a pose comes at another time, as long after the last one as that came after the one before.
public struct PoseRhythm: Sendable {
    /// When the next pose is expected; `epoch` = unknown.
    private var next: MonotonicTime = .epoch
    /// Expected between two poses; 0 = unknown.
    private var periodMicroseconds: UInt32 = 0
    /// Measured between the last two poses; 0 = unknown.
    private var intervalMicroseconds: UInt32 = 0
    /// A shift that the person was asked for and has not made, in microseconds; 0 = none.
    private var shift: Int32 = 0
    /// Poses before the person may be asked for a shift.
    private var patience: UInt16 = 0
    /// How often the person was asked for one.
    private var shifts: UInt8 = 0

    /// How far from the expected moment a pose is still on time, in microseconds.
    private static let tolerance: Int64 = 4_000
    /// Poses that are further apart, in microseconds, are not expected: within such a time a person stops, turns or
    /// loses the link.
    private static let periodMax: UInt64 = 1_000_000
    /// Poses between the first two requests for a shift, and at most between later ones: each doubles the number.
    private static let patienceRange: ClosedRange<UInt16> = 8...512
    /// Shares of a deviation that the expectation and the period take over.
    private static let (phaseGain, periodGain) = (0.4, 0.1)

    public init() {}

    /// Notes a pose.
    /// - Parameter before: when the person's last pose came.
    mutating func note(_ time: MonotonicTime, after before: MonotonicTime) -> PoseArrival {
        let interval = time.microseconds(since: before)
        guard interval <= Self.periodMax else {
            forget()
            return PoseArrival()
        }
        patience -= min(patience, 1)
        let isLikeTheLast = abs(Int64(interval) - Int64(intervalMicroseconds)) <= Self.tolerance
        intervalMicroseconds = UInt32(interval)
        guard next > .epoch else {
            begin(at: time)
            return arrival(expected: nil, isOnTime: false)
        }
        let expected = next
        var deviation = Int64(truncatingIfNeeded: time.microseconds &- expected.microseconds)
        if shift != 0, abs(deviation - Int64(shift)) <= Self.tolerance {
            next = next + .microseconds(Int64(shift))
            (deviation, shift) = (deviation - Int64(shift), 0)
        }
        let isOnTime = abs(deviation) <= Self.tolerance
        if isOnTime {
            let period = Double(periodMicroseconds) + Double(deviation) * Self.periodGain
            periodMicroseconds = UInt32(max(1, period))
            let step = period + Double(deviation) * Self.phaseGain
            // Shorter than its own deviation a period can only be by intent.
            next = next + .microseconds(Int64(max(1, step)))
        } else if isLikeTheLast {
            begin(at: time)
        } else {
            expectBeyond(time)
        }
        return arrival(expected: expected, isOnTime: isOnTime)
    }

    /// Expects the person to send poses later by a duration from some pose on; negative = sooner. Until then poses at
    /// the old times are on time as well.
    mutating func expectShift(by duration: Duration) {
        shift = Int32(clamping: duration.microseconds)
        patience = min(Self.patienceRange.lowerBound << UInt16(min(shifts, 8)), Self.patienceRange.upperBound)
        shifts += shifts < .max ? 1 : 0
    }

    private mutating func forget() { (next, periodMicroseconds, intervalMicroseconds, shift) = (.epoch, 0, 0, 0) }

    /// Expects poses at the last interval from now on.
    private mutating func begin(at time: MonotonicTime) {
        (periodMicroseconds, shift) = (intervalMicroseconds, 0)
        next = time + .microseconds(Int64(intervalMicroseconds))
    }

    private func arrival(expected: MonotonicTime?, isOnTime: Bool) -> PoseArrival {
        PoseArrival(
            expected: expected, isOnTime: isOnTime, next: next,
            steadyMicroseconds: patience == 0 && isOnTime ? periodMicroseconds : nil)
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
    /// The time between two poses of a person who may be asked to shift them; nil = not now.
    public var steadyMicroseconds: UInt32?
    /// The person's slot.
    public var slot: UInt16 = 0

    public init(
        expected: MonotonicTime? = nil, isOnTime: Bool = false, next: MonotonicTime? = nil,
        steadyMicroseconds: UInt32? = nil
    ) {
        (self.expected, self.isOnTime, self.next) = (expected, isOnTime, next)
        self.steadyMicroseconds = steadyMicroseconds
    }
}
