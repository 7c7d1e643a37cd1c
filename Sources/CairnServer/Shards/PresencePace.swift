internal import Foundation

/// When live positions leave: at once while little is going on, at most once per interval under load.
///
/// What batching saves is sends, so the pace follows what unbatched sending would cost: offered updates times
/// receivers, per second. Below a small budget the wait shrinks in proportion. A loop that has so many receivers that
/// telling them would take most of its time tells them less often: whoever joins or places must not wait for that.
struct PresencePace: Sendable {
    /// Longest wait of a loop that has time, microseconds.
    var interval: UInt64
    /// Everything waits as long as ever is allowed: the loop is late with all it has to do (QOS-5).
    var isShedding = false
    private var offered: Double = 0
    private var measuredAt: UInt64 = 0
    private var lastTick: UInt64 = 0
    /// Processor time of the last few batches on average, microseconds.
    private var cost: UInt64 = 0

    /// The wait is at least so many tenths of what the batches take, as long as it stays bounded: they get two fifths
    /// of a loop's time.
    private static let costTenths: UInt64 = 25
    /// The longest wait, in intervals.
    private static let stretchMax: UInt64 = 4
    /// Sends a second from which on every update waits the whole interval: about a tenth of a core.
    private static let fullBatchingSendsPerSecond = 10_000.0
    /// Offered sends are averaged over about this long.
    private static let memoryMicroseconds = 500_000.0

    init(interval: UInt64 = 50_000) {
        self.interval = interval
    }

    /// An update came for so many receivers.
    mutating func offer(receivers: Int, now: UInt64) {
        decay(to: now)
        offered += Double(receivers)
    }

    /// The time from which on the next batches may leave.
    mutating func nextTick(now: UInt64) -> UInt64 {
        decay(to: now)
        let perSecond = offered / (Self.memoryMicroseconds / 1_000_000)
        let share = min(1, perSecond / Self.fullBatchingSendsPerSecond)
        let wait = UInt64(Double(interval) * share)
        let longest = interval * Self.stretchMax
        return lastTick + (isShedding ? longest : max(wait, min(cost * Self.costTenths / 10, longest)))
    }

    /// Batches begin to leave.
    mutating func ticked(now: UInt64) {
        lastTick = now
    }

    /// They have left, and took so much processor time, in microseconds.
    mutating func took(_ time: UInt64) {
        cost = (cost * 3 + time) / 4
    }

    private mutating func decay(to now: UInt64) {
        guard now > measuredAt else { return }
        let elapsed = Double(now - measuredAt)
        offered *= elapsed >= Self.memoryMicroseconds * 8 ? 0 : exp(-elapsed / Self.memoryMicroseconds)
        measuredAt = now
    }
}
