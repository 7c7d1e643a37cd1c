package import CairnWebSocket
internal import Synchronization

/// The newest memory reading: written by the watcher of memory, read by all shards and by operators' code.
package final class MemoryBoard: Sendable {
    private let rawLevel = Atomic(MemoryGauge.Level.enough.rawValue)
    private let state = Mutex<MemoryUse?>(nil)
    /// By how much outboxes may grow until the next reading.
    package let outboxBudget = OutboxBudget()

    package func publish(_ gauge: MemoryGauge) {
        rawLevel.store(gauge.level.rawValue, ordering: .relaxed)
        state.withLock { $0 = gauge.nearest }
        outboxBudget.set(gauge.roomBytes)
    }

    /// One atomic read.
    package var level: MemoryGauge.Level {
        MemoryGauge.Level(rawValue: rawLevel.load(ordering: .relaxed)) ?? .enough
    }

    /// The use of the nearest limit; nil = there is none.
    package var nearest: MemoryUse? { state.withLock { $0 } }
}
