internal import CairnConfiguration
internal import CairnGeo
internal import CairnTime
internal import Foundation

/// Decides when live positions leave: at once while there is little to send, at most once per interval under load.
///
/// Batching saves sends, so the wait follows the cost of sending without batches: offered updates times receivers, per
/// second. Below a small budget the wait shrinks in proportion. Above it the wait follows how busy the loop is, from
/// `quietInterval` for an idle loop to `interval` for one that is busy for `fullLoad` of the time. A longer wait makes
/// the loop less busy, so the two settle where they meet. While many people arrive the interval is longer, and
/// newcomers are told together: each arrival is news for everybody in the cell and would queue behind the one before.
struct PresencePace: Sendable {
    /// A beat of its own, on which some of the cells leave together. If all left together, the last would wait for the
    /// sends of all others.
    struct Tick: Equatable, Sendable {
        fileprivate(set) var index: Int

        private static let usualCount = 4
        /// For crowded cells, where sending alone takes a good part of the interval: half as long again.
        static let crowded = Tick(index: usualCount)
        static let all = (0...usualCount).map(Tick.init)
        fileprivate static let share = usualCount

        /// The tick of a cell that is not crowded.
        static func usual(of cell: CellID) -> Tick {
            // Neighbours' ids differ in their lowest bits that count, of which there are few: they are mixed (Fibonacci
            // hashing).
            Tick(index: Int((cell.rawValue &* 0x9E37_79B9_7F4A_7C15) >> 32) % usualCount)
        }
    }

    /// Longest wait at ordinary times, of a loop that is full.
    var interval: Duration
    /// Longest wait of a loop that has nothing else to do.
    var quietInterval: Duration
    /// The loop's present level of shedding (QOS-5).
    var shedding = OverloadGauge.Level.none
    private var offered = FadingCount()
    private var arrived = FadingCount()
    private var lastTicks = [MonotonicTime](repeating: .epoch, count: Tick.all.count)
    /// The last of those that are not of crowded cells.
    private var lastUsualTick: MonotonicTime = .epoch
    private var load = LoadGauge()

    /// Sends a second at which every update waits the whole interval: about a tenth of a core.
    private static let fullBatchingSendsPerSecond = 10_000.0
    /// Share of the time for which a loop is busy that has none to lose.
    private static let fullLoad = 0.6
    /// Arrivals a second at which everybody waits for the longest wait.
    private static let stormArrivalsPerSecond = 200.0
    /// Longest wait of newcomers for others, at five times as many arrivals and the usual interval.
    private static let newcomersWaitMax: Duration = .seconds(1)
    /// The longest wait, in intervals.
    private static let stretchMax = 4
    /// The wait while movement loses its detail: what is left of it is where people are.
    private static let withoutDetail: Duration = .seconds(2)

    init(interval: Duration = .milliseconds(50), quietInterval: Duration = .milliseconds(15)) {
        (self.interval, self.quietInterval) = (interval, quietInterval)
    }

    init(_ settings: Configuration.Presence) {
        self.init(
            interval: .milliseconds(settings.intervalMilliseconds),
            quietInterval: .milliseconds(settings.quietIntervalMilliseconds))
    }

    mutating func apply(_ settings: Configuration.Presence) {
        let changed = Self(settings)
        (interval, quietInterval) = (changed.interval, changed.quietInterval)
    }

    /// Counts an update for `receivers` receivers.
    mutating func offer(receivers: Int, now: MonotonicTime) {
        offered.add(Double(receivers), now: now)
    }

    /// Counts an arrival.
    mutating func arrived(now: MonotonicTime) {
        arrived.add(1, now: now)
    }

    /// The time from which on the next batches may leave.
    mutating func nextTick(_ tick: Tick, now: MonotonicTime) -> MonotonicTime {
        let (last, wait) = (lastTicks[tick.index], wait(tick, now: now))
        // Ticks that have come together part again.
        return tick == .crowded ? last + wait : max(last + wait, lastUsualTick + wait / Tick.share)
    }

    private mutating func wait(_ tick: Tick, now: MonotonicTime) -> Duration {
        guard shedding < .sheddingMovement else { return max(interval * Self.stretchMax, Self.withoutDetail) }
        guard shedding == .none, arrived.perSecond(now: now) < Self.stormArrivalsPerSecond else {
            return interval * Self.stretchMax
        }
        let share = min(1, offered.perSecond(now: now) / Self.fullBatchingSendsPerSecond)
        return (tick == .crowded ? interval * 3 / 2 : longest) * share
    }

    /// How long a cell's news of nobody but newcomers waits for more of them, from the last batch on. The more come,
    /// the longer, so that telling them does not cost the loop more than at `stormArrivalsPerSecond`.
    mutating func newcomersWait(now: MonotonicTime) -> Duration {
        let storm = arrived.perSecond(now: now) / Self.stormArrivalsPerSecond
        return storm < 1 ? .zero : min(interval * Self.stretchMax * storm, Self.newcomersWaitMax)
    }

    /// The longest wait at present, for cells that are not crowded.
    var longest: Duration {
        let quiet = min(quietInterval, interval)
        return quiet + (interval - quiet) * min(1, load.share / Self.fullLoad)
    }

    /// Whether a change of a live count is told now; otherwise it waits until the loop has less to do.
    var tellsCounts: Bool { shedding < .sheddingCounts }

    /// - Parameter busyMicroseconds: processor time of the loop's thread so far.
    mutating func ticked(_ tick: Tick, now: MonotonicTime, busyMicroseconds: UInt64) {
        lastTicks[tick.index] = now
        if tick != .crowded { lastUsualTick = now }
        load.measure(busyMicroseconds, now: now)
    }
}

/// How busy a thread is: the share of the time in which it had a processor. What is older than half a second fades.
private struct LoadGauge: Sendable {
    private(set) var share = 0.0
    private var measuredAt: MonotonicTime?
    private var busyMicroseconds: UInt64 = 0

    private static let memory: Duration = .milliseconds(500)
    private static let spanLeast: Duration = .milliseconds(10)

    mutating func measure(_ busy: UInt64, now: MonotonicTime) {
        guard let at = measuredAt else {
            (measuredAt, busyMicroseconds) = (now, busy)
            return
        }
        let elapsed = now - at
        guard elapsed >= Self.spanLeast else { return }
        let present = min(1, Double(busy - busyMicroseconds) / Double(elapsed.microseconds))
        share += (present - share) * (1 - exp(-(elapsed / Self.memory)))
        (measuredAt, busyMicroseconds) = (now, busy)
    }
}

/// How often something has happened lately: what is older than half a second fades.
private struct FadingCount: Sendable {
    private var count = 0.0
    private var measuredAt: MonotonicTime = .epoch

    private static let memoryMicroseconds = 500_000.0

    mutating func add(_ number: Double, now: MonotonicTime) {
        fade(to: now)
        count += number
    }

    mutating func perSecond(now: MonotonicTime) -> Double {
        fade(to: now)
        return count / (Self.memoryMicroseconds / 1_000_000)
    }

    private mutating func fade(to now: MonotonicTime) {
        guard now > measuredAt else { return }
        let elapsed = Double(now.microseconds(since: measuredAt))
        count *= elapsed >= Self.memoryMicroseconds * 8 ? 0 : exp(-elapsed / Self.memoryMicroseconds)
        measuredAt = now
    }
}
