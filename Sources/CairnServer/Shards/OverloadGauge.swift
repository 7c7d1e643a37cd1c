internal import CairnTime

/// Measures whether a shard keeps up with its work, by how late its timers fire (QOS-5).
///
/// The least delay of an interval decides, as in CoDel (RFC 8289, section 4.2): a burst makes some timers late, only a
/// standing queue makes all of them late. The level rises and falls by one step an interval. A delay beyond the bound
/// for refusing takes all steps of shedding at once, so nothing is ever refused before everything is shed.
struct OverloadGauge: Sendable {
    enum Level: Int, Sendable, Comparable, CaseIterable {
        case none
        /// Positions are told a quarter as often.
        case sheddingPresence
        /// Live counts are held back as well.
        case sheddingCounts
        /// Movement loses its detail as well: where people are is told every two seconds, not how they got there.
        case sheddingMovement
        /// New connections and changes are refused as well.
        case refusing

        static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

        fileprivate var above: Self { Self(rawValue: rawValue + 1) ?? self }
        fileprivate var below: Self { Self(rawValue: rawValue - 1) ?? self }
    }

    private(set) var level = Level.none
    /// The least delay of the last whole interval.
    private(set) var delay: Duration = .zero
    /// The least delay of this one; nil before its first timer.
    private var least: Duration?
    private var samples = 0
    private var since: MonotonicTime = .epoch

    private static let interval: Duration = .milliseconds(500)
    private static let samplesLeast = 3

    /// A timer has fired.
    /// - Parameters:
    ///   - lateness: how late it was.
    ///   - shedAt: a delay that is too long for positions; 0 = never.
    ///   - refuseAt: one that is too long for anything new; 0 = never.
    /// - Returns: whether the level is another.
    mutating func fired(lateness: Duration, now: MonotonicTime, shedAt: Duration, refuseAt: Duration) -> Bool {
        let least = min(self.least ?? lateness, lateness)
        self.least = least
        samples += 1
        guard now - since >= Self.interval, samples >= Self.samplesLeast else { return false }
        delay = least
        (self.least, samples, since) = (nil, 0, now)
        let before = level
        level = next(shedAt: shedAt, refuseAt: refuseAt)
        return level != before
    }

    private func next(shedAt: Duration, refuseAt: Duration) -> Level {
        if reaches(refuseAt) { return level < .sheddingMovement ? .sheddingMovement : .refusing }
        switch level {
        case .refusing: return lingers(refuseAt) ? .refusing : .sheddingMovement
        case .sheddingMovement: return lingers(shedAt) ? .sheddingMovement : level.below
        case .none, .sheddingPresence, .sheddingCounts:
            return reaches(shedAt) ? level.above : lingers(shedAt) ? level : level.below
        }
    }

    private func reaches(_ limit: Duration) -> Bool { limit > .zero && delay >= limit }

    /// A step ends at half the delay that begins it (hysteresis).
    private func lingers(_ limit: Duration) -> Bool { level > .none && limit > .zero && delay * 2 >= limit }
}
