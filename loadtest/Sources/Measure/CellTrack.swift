import CairnClient
import CairnTime

/// The people in the slots of a cell, as one receiver knows them, and the newest pose of each.
struct CellTrack {
    /// The person of an empty slot.
    static let nobody: Int32 = -1
    /// A person who does not belong to this crowd.
    static let stranger: Int32 = -2
    /// The number of a pose before the first one.
    static let none = UInt32.max

    struct Slot {
        var person = CellTrack.nobody
        /// Number of the newest pose; `none` before the first.
        var last = CellTrack.none
        /// The first number that was sent after the person was named: from it on every pose should arrive.
        var awaited: UInt32 = 0
    }

    var slots: [Slot] = []
    /// Number of slots in use.
    private(set) var occupied = 0
    /// Whether the cell is a crowd, and whether it was one until the batch before.
    private(set) var isCrowd = false
    private(set) var wasCrowd = false
    /// 0 = the last batch was a keyframe.
    var batchesSinceKeyframe = 0
    /// When the last batch arrived.
    var lastBatchAt: MonotonicTime = .epoch

    /// Applies a batch's changes of the roster.
    /// - Parameters:
    ///   - person: returns a person's index by the UTF-8 of their name; `stranger` for an unknown name.
    ///   - sent: returns how many poses the person with an index has sent so far.
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
            // The person was known before: the newest pose stays, so that a pose that was lost meanwhile is noticed.
            let known = batch.isKeyframe && slot < before.count ? before[slot] : slots[slot]
            slots[slot] = known.person == index && index >= 0 ? known : Slot(person: index, awaited: sent(index))
        }
        occupied = slots.count { $0.person != Self.nobody }
    }

    /// Decides whether the cell is a crowd, in which poses may be left out: from `crowdPeople` on, until there are
    /// fewer than four fifths of that.
    /// - Parameter wasCrowded: another receiver has seen the crowd; a new receiver may have joined during it.
    mutating func settle(crowdPeople: Int, wasCrowded: Bool) {
        let isNew = lastBatchAt == .epoch
        wasCrowd = isCrowd
        let goesOn = isCrowd || isNew && wasCrowded
        isCrowd = occupied >= (goesOn ? crowdPeople * 4 / 5 : crowdPeople)
    }
}

/// The faults of the poses in a batch.
struct PoseFaults {
    /// Poses in slots that are not in use.
    var unknownSlot = 0
    /// An older pose after a newer one of the same sender.
    var reordered = 0
    /// The same pose again, without a keyframe in between.
    var repeated = 0
    /// A number that its sender has not sent yet.
    var unsent = 0

    var isEmpty: Bool { unknownSlot == 0 && reordered == 0 && repeated == 0 && unsent == 0 }
}
