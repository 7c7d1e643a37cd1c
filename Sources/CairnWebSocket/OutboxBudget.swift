internal import Synchronization

/// By how many bytes the outboxes of slow readers may still grow, over all loops that share it (pitfalls B30).
///
/// Whoever watches the memory says how many it may be; each loop draws on it as it queues. A reading of the memory is
/// some milliseconds old, and readers who read nothing fill 300 MB a second: the budget is exact in between.
public final class OutboxBudget: Sendable {
    private let bytes: Atomic<Int>

    /// - Parameter bytes: `.max` = without bound.
    public init(bytes: Int = .max) {
        self.bytes = Atomic(bytes)
    }

    /// Replaces what is left, after a new reading. From any thread.
    public func set(_ bytes: Int) {
        self.bytes.store(bytes, ordering: .relaxed)
    }

    /// What is left; below 0 = more is queued than may be.
    public var left: Int { bytes.load(ordering: .relaxed) }

    /// Takes from it as bytes are queued.
    /// - Returns: false = it is used up.
    func draw(_ count: Int) -> Bool {
        bytes.wrappingSubtract(count, ordering: .relaxed).newValue >= 0
    }

    /// Gives back what is not queued any more.
    func giveBack(_ count: Int) {
        let (sum, isOver) = left.addingReportingOverflow(count)
        // Unbounded stays unbounded. A draw in between is lost: the next reading knows it.
        bytes.store(isOver ? .max : sum, ordering: .relaxed)
    }
}
