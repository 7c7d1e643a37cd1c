/// Whether a shard keeps up with its work, by how late its timers fire (QOS-5).
///
/// What counts is the least delay of an interval, as with CoDel (RFC 8289, section 4.2): a burst makes some timers
/// late, but only a queue that never drains makes all of them late. The level rises and falls by one step an interval,
/// so that positions are always thinned out before anything is refused.
struct OverloadGauge: Sendable {
    enum Level: Int, Sendable, Comparable {
        case none
        /// Positions, counts and movement are told less often.
        case shedding
        /// New connections and changes are refused as well.
        case refusing

        static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    private(set) var level = Level.none
    /// The least delay of the last whole interval, microseconds.
    private(set) var delay: UInt64 = 0
    private var least: UInt64 = .max
    private var samples = 0
    private var since: UInt64 = 0

    private static let intervalMicroseconds: UInt64 = 500_000
    private static let samplesLeast = 3

    /// A timer has fired.
    /// - Parameters:
    ///   - lateness: how late it was, microseconds.
    ///   - shedAt: a delay that is too long for positions, microseconds; 0 = never.
    ///   - refuseAt: one that is too long for anything new; 0 = never.
    /// - Returns: whether the level is another.
    mutating func fired(lateness: UInt64, now: UInt64, shedAt: UInt64, refuseAt: UInt64) -> Bool {
        least = min(least, lateness)
        samples += 1
        guard now - min(now, since) >= Self.intervalMicroseconds, samples >= Self.samplesLeast else { return false }
        delay = least
        (least, samples, since) = (.max, 0, now)
        let before = level
        level = next(shedAt: shedAt, refuseAt: refuseAt)
        return level != before
    }

    private func next(shedAt: UInt64, refuseAt: UInt64) -> Level {
        let mayShed = shedAt > 0 && delay >= shedAt
        let mayRefuse = refuseAt > 0 && delay >= refuseAt
        switch level {
        case .none: return mayShed || mayRefuse ? .shedding : .none
        // Half the delay, or it would go to and fro.
        case .shedding: return mayRefuse ? .refusing : mayShed || delay * 2 >= shedAt && shedAt > 0 ? .shedding : .none
        case .refusing: return mayRefuse || delay * 2 >= refuseAt && refuseAt > 0 ? .refusing : .shedding
        }
    }
}
