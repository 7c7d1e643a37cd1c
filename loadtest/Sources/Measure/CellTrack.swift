import CairnClient
import CairnTime

/// Who has which slot of a cell, as one receiver was told, and the newest pose of each.
struct CellTrack {
    static let nobody: Int32 = -1
    /// Somebody who is not of this crowd.
    static let stranger: Int32 = -2
    static let none = UInt32.max

    struct Slot {
        var person = CellTrack.nobody
        /// Number of the newest pose; `none` before the first.
        var last = CellTrack.none
        /// The first number that was sent after they were named: from there on every pose should come.
        var awaited: UInt32 = 0
    }

    var slots: [Slot] = []
    /// Slots that somebody has.
    private(set) var occupied = 0
    /// Whether the cell holds too many to tell everybody of everybody, and whether it did until the batch before.
    private(set) var isCrowd = false
    private(set) var wasCrowd = false
    var batchesSinceKeyframe = 0
    /// When the batch before came.
    var lastBatchAt: MonotonicTime = .epoch

    /// Takes who came and went. `person` gives somebody's index by name, `sent` how many poses they have sent so far.
    mutating func take(
        _ batch: borrowing PresenceBatch, person: (UnsafeRawBufferPointer) -> Int32, sent: (Int32) -> UInt32
    ) {
        guard batch.changesRoster else {
            batchesSinceKeyframe += 1
            return
        }
        let before = slots
        if batch.isKeyframe {
            batchesSinceKeyframe = 0
            for index in slots.indices { slots[index] = Slot() }
        } else {
            batchesSinceKeyframe += 1
        }
        batch.forEachLeft { slot in
            if Int(slot) < slots.count { slots[Int(slot)] = Slot() }
        }
        batch.forEachJoined { joined in
            let slot = Int(joined.slot)
            while slots.count <= slot { slots.append(Slot()) }
            let index = person(joined.nameBytes)
            // Told again: what is known of their poses stays, so that a pose lost meanwhile is noticed.
            let known = batch.isKeyframe && slot < before.count ? before[slot] : slots[slot]
            slots[slot] = known.person == index && index >= 0 ? known : Slot(person: index, awaited: sent(index))
        }
        occupied = slots.count { $0.person != Self.nobody }
    }

    /// Draws the line between a crowd and all others where the server does: it begins at `crowdPeople` and ends below
    /// four fifths of that.
    /// - Parameter wasCrowded: others have seen the cell crowded; somebody new may have come in the middle of it.
    mutating func settle(crowdPeople: Int, wasCrowded: Bool) {
        let isNew = lastBatchAt == .epoch
        wasCrowd = isCrowd
        let goesOn = isCrowd || isNew && wasCrowded
        isCrowd = occupied >= (goesOn ? crowdPeople * 4 / 5 : crowdPeople)
    }
}

/// What is wrong with the poses of a batch.
struct PoseFaults {
    /// Slots that nobody has.
    var unknownSlot = 0
    /// An older pose after a newer one of the same sender.
    var reordered = 0
    /// The same pose again, without a keyframe in between.
    var repeated = 0
    /// A number that its sender has not sent yet.
    var unsent = 0

    var isEmpty: Bool { unknownSlot == 0 && reordered == 0 && repeated == 0 && unsent == 0 }
}
