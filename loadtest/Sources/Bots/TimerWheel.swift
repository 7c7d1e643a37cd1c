import CairnTime

/// A timer wheel: 4,096 slots of a millisecond, and for each entry its exact time.
///
/// The cost of setting and firing does not depend on the number of timers. Entries further away than a turn stay for
/// another turn.
struct TimerWheel<Item> {
    private struct Entry {
        let due: MonotonicTime
        let item: Item
    }

    private static var slotMicroseconds: UInt64 { 1_000 }
    private static var slotCount: UInt64 { 4_096 }

    private var slots: [[Entry]]
    /// The slot, counted from time zero, up to which everything has fired.
    private var current: UInt64
    private(set) var count = 0

    init(now: MonotonicTime) {
        slots = Array(repeating: [], count: Int(Self.slotCount))
        current = now.microseconds / Self.slotMicroseconds
    }

    /// Sets a timer; a time that is past fires at the next turn.
    mutating func schedule(at due: MonotonicTime, _ item: Item) {
        let slot = max(due.microseconds / Self.slotMicroseconds, current)
        slots[Int(slot % Self.slotCount)].append(Entry(due: due, item: item))
        count += 1
    }

    /// Removes and returns all due entries, in the order of slots.
    mutating func takeDue(now: MonotonicTime) -> [(due: MonotonicTime, item: Item)] {
        let last = max(now.microseconds / Self.slotMicroseconds, current)
        // After a long pause one turn is enough, because it visits every slot.
        let first = last - current >= Self.slotCount ? last - (Self.slotCount - 1) : current
        var taken: [(due: MonotonicTime, item: Item)] = []
        for slot in first...last {
            let index = Int(slot % Self.slotCount)
            guard !slots[index].isEmpty else { continue }
            for entry in slots[index] where entry.due <= now { taken.append((entry.due, entry.item)) }
            slots[index].removeAll { $0.due <= now }
        }
        count -= taken.count
        current = last
        return taken
    }

    /// When the next entry may be due, at most a turn from now; nil when there is none.
    func nextDue() -> MonotonicTime? {
        guard count > 0 else { return nil }
        for slot in current..<(current + Self.slotCount) {
            let entries = slots[Int(slot % Self.slotCount)]
            let end = MonotonicTime(microseconds: (slot + 1) * Self.slotMicroseconds)
            if let due = entries.lazy.map(\.due).filter({ $0 < end }).min() { return due }
        }
        return MonotonicTime(microseconds: (current + Self.slotCount) * Self.slotMicroseconds)
    }
}
