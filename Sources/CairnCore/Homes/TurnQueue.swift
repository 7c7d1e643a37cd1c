internal import DequeModule

/// Holds the outputs of turns until their writes are on disk, in turn order (invariant 4).
///
/// A turn without writes also waits while an earlier turn does, because it may have read that turn's changes.
struct TurnQueue<Effects: Sendable>: Sendable {
    private var held: Deque<Entry> = []
    private var committedTurn: UInt64 = 0
    private var lastTurn: UInt64 = 0

    private struct Entry: Sendable {
        let turn: UInt64
        let writes: Bool
        var effects: Effects
    }

    var count: Int { held.count }
    /// The earliest turn that waits for the disk.
    var firstHeld: UInt64? { held.first?.turn }

    /// Queues a turn's effects; returns them at once when nothing holds them.
    mutating func enqueue(_ effects: Effects, of turn: UInt64, writes: Bool) -> Effects? {
        lastTurn = turn
        if held.isEmpty && !writes { return effects }
        held.append(Entry(turn: turn, writes: writes, effects: effects))
        return nil
    }

    /// The held turns from this one on, in turn order, with their outputs.
    func held(from turn: UInt64) -> [(turn: UInt64, effects: Effects)] {
        held.reversed().prefix { $0.turn >= turn }.reversed().map { ($0.turn, $0.effects) }
    }

    /// Replaces the outputs of a held turn.
    mutating func replace(_ turn: UInt64, with effects: Effects) {
        guard let index = held.lastIndex(where: { $0.turn == turn }) else { return }
        held[index].effects = effects
    }

    /// Releases the outputs of all turns up to this one, whose writes are on disk, in turn order. A number beyond the
    /// last turn does not release a later turn that gets it.
    mutating func committed(through turn: UInt64) -> [Effects] {
        committedTurn = max(committedTurn, min(turn, lastTurn))
        var released: [Effects] = []
        while let first = held.first, !first.writes || first.turn <= committedTurn {
            released.append(held.removeFirst().effects)
        }
        return released
    }
}
