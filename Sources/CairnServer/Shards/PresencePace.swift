internal import CairnConfiguration
internal import CairnGeo
internal import CairnTime
internal import Foundation

/// Decides when live positions leave, and how many: at once while there is little to send, at most once per interval
/// under load.
///
/// Batching saves sends, so the wait follows the cost of sending without batches: offered updates times receivers, per
/// second. Below a small budget the wait shrinks in proportion. Above it the wait follows how busy the loop is, on a
/// line from `quietInterval` for an idle loop through `interval` for one that is busy for `fullLoad` of the time. A
/// longer wait makes the loop less busy, so the two settle where they meet. While many people arrive the interval is
/// longer, and newcomers are told together: each arrival is news for everybody in the cell and would queue behind the
/// one before.
struct PresencePace: Sendable {
    /// Longest wait of a loop that is busy for `fullLoad` of the time.
    var interval: Duration
    /// Longest wait of a loop that has nothing else to do.
    var quietInterval: Duration
    /// Poses that the loop sends a second at most, over all receivers.
    var posesPerSecond: Int
    /// The loop's present level of shedding (QOS-5).
    var shedding = OverloadGauge.Level.none
    /// Updates times receivers.
    private var offered = FadingCount(memory: .milliseconds(500))
    /// People who came.
    private var arrived = FadingCount(memory: .milliseconds(500))
    /// Poses times receivers that cells had to tell.
    private var wanted = FadingCount(memory: .milliseconds(100))
    private var load = LoadGauge()

    /// Sends a second at which every update waits the whole interval: about a tenth of a core.
    private static let fullBatchingSendsPerSecond = 10_000.0
    /// Share of the time for which a loop is busy when poses wait for `interval`.
    private static let fullLoad = 0.6
    /// A loop that is busy for more than this share of the time sends fewer poses.
    private static let denseLoad = 0.85
    /// At this share of the time and beyond it, the bound `posesPerSecond` is lower by `excessMax` of it.
    private static let fullestLoad = 0.95
    private static let excessMax = 0.9
    /// Arrivals a second from which on all news waits for `stretchMax` intervals.
    private static let stormArrivalsPerSecond = 200.0
    /// Longest wait of newcomers for others, at five times as many arrivals and the usual interval.
    private static let newcomersWaitMax: Duration = .seconds(1)
    /// The wait in overload and in a storm of arrivals, in intervals.
    private static let stretchMax = 4
    /// The least wait while the loop sheds movement: followers still learn where people are, and not how they move.
    private static let withoutDetail: Duration = .seconds(2)
    /// The longest time whose unused room a batch may take.
    private static let spareMax: Duration = .milliseconds(100)

    init(
        interval: Duration = .milliseconds(50), quietInterval: Duration = .milliseconds(25),
        posesPerSecond: Int = 100_000_000
    ) {
        (self.interval, self.quietInterval, self.posesPerSecond) = (interval, quietInterval, posesPerSecond)
    }

    init(_ settings: Configuration.Presence) {
        self.init(
            interval: .milliseconds(settings.intervalMilliseconds),
            quietInterval: .milliseconds(settings.quietIntervalMilliseconds),
            posesPerSecond: settings.loopPosesPerSecond)
    }

    mutating func apply(_ settings: Configuration.Presence) {
        let changed = Self(settings)
        (interval, quietInterval, posesPerSecond) = (
            changed.interval, changed.quietInterval, changed.posesPerSecond
        )
    }

    /// Counts an update for `receivers` receivers.
    mutating func offer(receivers: Int, now: MonotonicTime) {
        offered.add(Double(receivers), now: now)
    }

    /// Counts an arrival.
    mutating func arrived(now: MonotonicTime) {
        arrived.add(1, now: now)
    }

    /// When the news of a neighbourhood leaves.
    /// - Parameters:
    ///   - waiting: how many poses and other changes there are.
    ///   - since: since when the oldest of them waits; nil = there is only what did not fit into the last batches.
    ///   - last: when batches left for the last time.
    mutating func departure(
        of waiting: Int, since: MonotonicTime?, after last: MonotonicTime, forecast: inout PoseForecast,
        now: MonotonicTime
    ) -> MonotonicTime {
        // A cell may wait for more than a moment with nothing that it may send.
        guard let since else { return last + max(wait(now: now), quietInterval) }
        let wait = wait(now: now)
        let waitMax = Int(wait / PoseForecast.bucket)
        guard isUsual(now: now), (1...BatchPlan.waitMost).contains(waitMax) else { return max(since, last + wait) }
        let plan = forecast.plan(waitMax: waitMax, now: now)
        let age = Int((now - since) / PoseForecast.bucket)
        guard let bucket = plan.lastBucket(waiting: waiting, age: age) else { return now }
        return min(since + wait, PoseForecast.end(of: PoseForecast.bucket(of: now) + UInt64(bucket)))
    }

    /// Whether neither overload nor a storm of arrivals makes everybody wait.
    private mutating func isUsual(now: MonotonicTime) -> Bool {
        shedding == .none && arrived.perSecond(now: now) < Self.stormArrivalsPerSecond
    }

    /// The longest wait of news at present, overload and storms of arrivals included.
    private mutating func wait(now: MonotonicTime) -> Duration {
        guard shedding < .sheddingMovement else { return max(interval * Self.stretchMax, Self.withoutDetail) }
        guard isUsual(now: now) else { return interval * Self.stretchMax }
        let share = min(1, offered.perSecond(now: now) / Self.fullBatchingSendsPerSecond)
        return longest * share
    }

    /// How long a cell's news of newcomers alone waits for more of them, from the last batch on. The more come, the
    /// longer, so that telling them does not cost the loop more than at `stormArrivalsPerSecond`.
    mutating func newcomersWait(now: MonotonicTime) -> Duration {
        let storm = arrived.perSecond(now: now) / Self.stormArrivalsPerSecond
        return storm < 1 ? .zero : min(interval * Self.stretchMax * storm, Self.newcomersWaitMax)
    }

    /// The longest wait at the loop's present load, but for overload and storms of arrivals.
    var longest: Duration {
        let quiet = min(quietInterval, interval)
        return quiet + (interval - quiet) * (load.share / Self.fullLoad)
    }

    /// How many poses a cell may tell each of its receivers now: all that are new while the loop has time for them, and
    /// beyond that the cell's share of what the loop can send.
    /// - Parameters:
    ///   - poses: those that are new.
    ///   - loops: how many send to the receivers.
    ///   - elapsed: since the cell's last batch.
    mutating func room(for poses: Int, receivers: Int, loops: Int, elapsed: Duration, now: MonotonicTime) -> Int {
        guard receivers > 0 else { return poses }
        // In two halves, because the rate is read in between: right after a batch it is too high, right before too low.
        wanted.add(Double(poses * receivers) / 2, now: now)
        let rate = wanted.perSecond(now: now)
        wanted.add(Double(poses * receivers) / 2, now: now)
        let excess = (load.share - Self.denseLoad) / (Self.fullestLoad - Self.denseLoad)
        let most = Double(posesPerSecond * loops) * (1 - min(1, max(0, excess)) * Self.excessMax)
        guard rate <= most else { return Int(Double(poses) * most / rate) }
        let spare = (most - rate) * Double(min(elapsed, Self.spareMax).microseconds) / 1_000_000
        return poses + Int(spare / Double(receivers))
    }

    /// Whether a change of a live count is told now; otherwise it waits until the loop has less to do.
    var tellsCounts: Bool { shedding < .sheddingCounts }

    /// Whether `measure` would learn something new.
    func needsMeasure(now: MonotonicTime) -> Bool { load.needsMeasure(now: now) }

    /// Measures the load since the last call.
    /// - Parameter busyMicroseconds: processor time of the loop's thread so far.
    mutating func measure(busyMicroseconds: UInt64, now: MonotonicTime) {
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

    func needsMeasure(now: MonotonicTime) -> Bool { measuredAt.map { now - $0 >= Self.spanLeast } ?? true }

    mutating func measure(_ busy: UInt64, now: MonotonicTime) {
        guard needsMeasure(now: now) else { return }
        guard let at = measuredAt else {
            (measuredAt, busyMicroseconds) = (now, busy)
            return
        }
        let elapsed = now - at
        let present = min(1, Double(busy - busyMicroseconds) / Double(elapsed.microseconds))
        share += (present - share) * (1 - exp(-(elapsed / Self.memory)))
        (measuredAt, busyMicroseconds) = (now, busy)
    }
}

/// How often something has happened lately: what is older than its memory fades.
struct FadingCount: Sendable {
    private var count = 0.0
    private var measuredAt: MonotonicTime = .epoch
    private let memoryMicroseconds: Double

    init(memory: Duration) { memoryMicroseconds = Double(memory.microseconds) }

    mutating func add(_ number: Double, now: MonotonicTime) {
        fade(to: now)
        count += number
    }

    mutating func perSecond(now: MonotonicTime) -> Double {
        fade(to: now)
        return count / (memoryMicroseconds / 1_000_000)
    }

    private mutating func fade(to now: MonotonicTime) {
        guard now > measuredAt else { return }
        let elapsed = Double(now.microseconds(since: measuredAt))
        count *= elapsed >= memoryMicroseconds * 8 ? 0 : exp(-elapsed / memoryMicroseconds)
        measuredAt = now
    }
}
