internal import CairnTime
internal import Foundation

/// Decides when live positions leave: at once while there is little to send, at most once per interval under load.
///
/// Batching saves sends, so the wait follows the cost of sending without batches: offered updates times receivers, per
/// second. Below a small budget the wait shrinks in proportion. While many people arrive the interval is longer: each
/// arrival is news for everybody in the cell and would queue behind the one before.
struct PresencePace: Sendable {
    /// The two ticks: all cells of one leave together.
    enum Tick: Int {
        case usual
        /// For crowded cells, where sending alone takes a good part of the interval: half as long again.
        case crowded
    }

    /// Longest wait at ordinary times.
    var interval: Duration
    /// The loop's present level of shedding (QOS-5).
    var shedding = OverloadGauge.Level.none
    private var offered = FadingCount()
    private var arrived = FadingCount()
    private var lastTicks: [MonotonicTime] = [.epoch, .epoch]

    /// Sends a second at which every update waits the whole interval: about a tenth of a core.
    private static let fullBatchingSendsPerSecond = 10_000.0
    /// Arrivals a second at which everybody waits for the longest wait.
    private static let stormArrivalsPerSecond = 200.0
    /// The longest wait, in intervals.
    private static let stretchMax = 4
    /// The wait while movement loses its detail: what is left of it is where people are.
    private static let withoutDetail: Duration = .seconds(2)

    init(interval: Duration = .milliseconds(50)) {
        self.interval = interval
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
        let last = lastTicks[tick.rawValue]
        guard shedding < .sheddingMovement else {
            return last + max(interval * Self.stretchMax, Self.withoutDetail)
        }
        guard shedding == .none, arrived.perSecond(now: now) < Self.stormArrivalsPerSecond else {
            return last + interval * Self.stretchMax
        }
        let longest = tick == .crowded ? interval * 3 / 2 : interval
        let share = min(1, offered.perSecond(now: now) / Self.fullBatchingSendsPerSecond)
        return last + longest * share
    }

    /// Whether a change of a live count is told now; otherwise it waits until the loop has less to do.
    var tellsCounts: Bool { shedding < .sheddingCounts }

    mutating func ticked(_ tick: Tick, now: MonotonicTime) {
        lastTicks[tick.rawValue] = now
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
