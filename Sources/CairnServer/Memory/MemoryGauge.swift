package import CairnTime

/// How much of a limit on memory is taken.
package struct MemoryUse: Sendable, Equatable {
    /// Whose limit it is, as it stands in the log.
    package enum Limit: String, Sendable {
        case setting = "overload.memoryMegabytes"
        case cgroup
        case addressSpace = "ulimit -v"
    }

    package let limit: Limit
    package let usedBytes: Int
    package let limitBytes: Int

    var share: Double { Double(usedBytes) / Double(max(limitBytes, 1)) }
}

/// Decides what to do as the process comes near a memory limit (pitfalls B30). Pure: readings and time are parameters.
///
/// Three levels: give up caches, which costs no client anything; refuse new connections and changes; close the
/// connections with the largest outboxes.
package struct MemoryGauge: Sendable {
    package enum Level: Int, Sendable, Comparable, CaseIterable {
        case enough
        /// Caches are given up, and free memory goes back to the system.
        case releasing
        /// New connections and changes are refused as well.
        case refusing
        /// The connections with the most to be sent are closed as well.
        case closing

        package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

        /// The share of a limit from which on it counts.
        fileprivate var share: Double {
            switch self {
            case .enough: 0
            case .releasing: 0.80
            case .refusing: 0.85
            case .closing: 0.90
            }
        }
    }

    /// The measures that are due.
    package struct Relief: Sendable, Equatable {
        package var releases = false
        package var closes = false
    }

    package private(set) var level = Level.enough
    /// Of the limits there are, the one that is nearest; nil = there is none.
    package private(set) var nearest: MemoryUse?
    private var releasedAt: MonotonicTime?
    private var closedAt: MonotonicTime?

    /// A level ends this far below the share at which it begins (hysteresis).
    private static let slack = 0.05
    /// Caches fill again; giving them up takes the processor and the disk.
    private static let releasePause: Duration = .seconds(5)
    /// After this time the memory of closed connections is missing from the reading.
    private static let closePause: Duration = .milliseconds(100)
    /// From this share on it is looked at often: readers who read nothing fill 300 MB a second.
    private static let watchfulShare = 0.40
    /// Without a limit: a reload of the settings may bring one.
    private static let unlimitedPause: Duration = .seconds(1)
    private static let calmPause: Duration = .milliseconds(200)
    private static let watchfulPause: Duration = .milliseconds(20)

    package init() {}

    /// Looks at what is taken of each limit.
    package mutating func look(_ uses: [MemoryUse], now: MonotonicTime) -> Relief {
        nearest = uses.max { $0.share < $1.share }
        let share = nearest?.share ?? 0
        level = Level.allCases.last { $0 <= level ? share >= $0.share - Self.slack : share >= $0.share } ?? .enough
        var relief = Relief()
        if level >= .closing, isDue(closedAt, Self.closePause, now) {
            relief.closes = true
            closedAt = now
        }
        // The memory of closed connections is given back at once.
        if relief.closes || level >= .releasing && isDue(releasedAt, Self.releasePause, now) {
            relief.releases = true
            releasedAt = now
        }
        return relief
    }

    /// Bytes until connections are closed, by the last reading; `.max` = there is no limit. Never so few that what a
    /// closure frees, and the next reading shows, is closed for twice.
    var roomBytes: Int {
        guard let nearest else { return .max }
        let closing = Int(Double(nearest.limitBytes) * Level.closing.share)
        return max(closing - nearest.usedBytes, nearest.limitBytes / Self.roomPartLeast)
    }

    private static let roomPartLeast = 50

    /// The pause before the next look.
    package var pause: Duration {
        guard let nearest else { return Self.unlimitedPause }
        return nearest.share >= Self.watchfulShare ? Self.watchfulPause : Self.calmPause
    }

    private func isDue(_ last: MonotonicTime?, _ pause: Duration, _ now: MonotonicTime) -> Bool {
        last.map { now - $0 >= pause } ?? true
    }
}
