public import CairnTime
public import CairnWire
internal import Foundation

/// A batch of a crowded cell. The roster goes to everybody; poses are chosen by the receiver's place.
public struct CrowdBatch: Sendable {
    /// The people who joined and left; nil = none.
    public let roster: WirePresence?
    /// Poses, each batch for one group of receivers or for several.
    public let batches: [WirePresence]
    /// For each group, by `PresenceBoard.group(of:)`, the index of its batch in `batches`; nil = no batch this time.
    public let places: [Int?]
    /// Fresh poses that were left out, summed over the groups that exist.
    public let thinned: Int
}

extension PresenceBoard {
    /// Takes a batch with at most `posesMax` poses for each receiver: all of the nearest people and of the fastest,
    /// then as many of the others as fit. The rest rotate, so that no one is left out for long (SES-8).
    ///
    /// What does not fit is sent later, unless the person has moved again by then: at once when there is room, and in
    /// an eighth of the room when the person stands while others move.
    public mutating func takeCrowdBatch(now: MonotonicTime, posesMax: Int) -> CrowdBatch {
        if turns.isEmpty { turns = [Turns](repeating: Turns(), count: CellFrame.groupCount) }
        updateBaseHeight()
        untold.reserve(slots: slots.count)
        settleCrossings(now: now)
        let room = max(1, posesMax)
        let fresh = freshRecords(now: now, fastMax: room / 4)
        var older = OlderRecords(slots: slots.count)
        var batches: [WirePresence] = []
        var places = [Int?](repeating: nil, count: CellFrame.groupCount)
        var everything: Int?
        var thinned = 0
        let groups = (0..<CellFrame.groupCount).filter { $0 == CellFrame.outside || hasPeople(inGroup: $0) }
        for group in groups {
            let room = group == CellFrame.outside ? Self.roomOutside(room, of: fresh.count) : room
            let hasOlder = untold.hasAny(of: group)
            if fresh.count <= room, !hasOlder, let everything {
                places[group] = everything
                continue
            }
            var bytes = Data()
            if fresh.count <= room {
                bytes.append(contentsOf: fresh.bytes)
                for slot in fresh.slots where hasOlder { untold.remove(slot, for: group) }
                if hasOlder { append(room - fresh.count, of: group, to: &bytes, &older, now: now) { _ in true } }
            } else {
                for slot in fresh.slots { untold.insert(slot, for: group) }
                if hasOlder {
                    append(room / 8, of: group, to: &bytes, &older, now: now) { [slots] slot in
                        slots[Int(slot)].stands(at: now)
                    }
                }
                let left = max(1, room - bytes.count / PoseRecord.byteCount)
                let chosen = choose(for: group, budget: left, starts: fresh.starts)
                for range in chosen {
                    let size = PoseRecord.byteCount
                    bytes.append(contentsOf: fresh.bytes[range.lowerBound * size..<range.upperBound * size])
                    for slot in fresh.slots[range] { untold.remove(slot, for: group) }
                }
                thinned += fresh.count - chosen.reduce(0) { $0 + $1.count }
            }
            guard !bytes.isEmpty else { continue }
            var batch = heading()
            batch.poses = bytes
            places[group] = batches.count
            if fresh.count <= room, !hasOlder { everything = batches.count }
            batches.append(batch)
        }
        untold.releaseIfTold(groups)
        forgetMoves()
        let roster = hasRosterNews ? takeRoster() : nil
        return CrowdBatch(roster: roster, batches: batches, places: places, thinned: thinned)
    }

    /// Room of receivers outside the cell, who are further away: a quarter, and more the more of the poses fit.
    private static func roomOutside(_ room: Int, of count: Int) -> Int {
        guard count > room else { return room }
        return max(1, room / 4, room * room / count)
    }

    /// Adds up to `count` poses that a group was not sent before.
    private mutating func append(
        _ count: Int, of group: Int, to bytes: inout Data, _ older: inout OlderRecords, now: MonotonicTime,
        where isWanted: (UInt16) -> Bool
    ) {
        let chosen = untold.take(count, for: group, from: &turns[group].older) { [slots] slot in
            !slots[Int(slot)].isMarked && isWanted(slot)
        }
        for slot in chosen { older.append(slot, to: &bytes) { record(of: slot, now: now) } }
    }

    /// The people who moved, ordered by block, and where the records of each block begin.
    private struct FreshRecords {
        let slots: [UInt16]
        let bytes: [UInt8]
        /// One entry more than there are blocks; those who are fast have a block of their own, `CellFrame.groupCount`.
        let starts: [Int]

        var count: Int { slots.count }
    }

    /// - Parameter fastMax: how many may count as fast; if there are more, none does.
    private func freshRecords(now: MonotonicTime, fastMax: Int) -> FreshRecords {
        let fastCount = moved.count { slots[Int($0)].isFast }
        let block = { (slot: UInt16) in
            let slot = slots[Int(slot)]
            return slot.isFast && fastCount <= fastMax ? CellFrame.groupCount : Int(slot.group)
        }
        var starts = [Int](repeating: 0, count: CellFrame.groupCount + 2)
        for slot in moved { starts[block(slot) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        var ordered = [UInt16](repeating: 0, count: moved.count)
        var next = starts
        for slot in moved {
            let block = block(slot)
            ordered[next[block]] = slot
            next[block] += 1
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(moved.count * PoseRecord.byteCount)
        for slot in ordered { record(of: slot, now: now)?.append(to: &bytes) }
        return FreshRecords(slots: ordered, bytes: bytes, starts: starts)
    }

    /// Records of poses that were left out before, each made once for all groups.
    private struct OlderRecords {
        private var bytes: [UInt8] = []
        /// Where in `bytes` each slot's record begins; -1 = not made.
        private var offsets: [Int32] = []
        private let slots: Int

        init(slots: Int) { self.slots = slots }

        mutating func append(_ slot: UInt16, to target: inout Data, _ record: () -> PoseRecord?) {
            if offsets.isEmpty { offsets = [Int32](repeating: -1, count: slots) }
            if offsets[Int(slot)] < 0 {
                guard let record = record() else { return }
                offsets[Int(slot)] = Int32(bytes.count)
                record.append(to: &bytes)
            }
            let offset = Int(offsets[Int(slot)])
            target.append(contentsOf: bytes[offset..<offset + PoseRecord.byteCount])
        }
    }

    /// Chooses the records for a group of receivers. Those of fast people come first, then whole rings of blocks around
    /// the group's own block while they fit. The first ring that does not fit gets three quarters of the remaining
    /// budget, and all blocks beyond it the rest. In both parts the records take turns from batch to batch.
    private mutating func choose(for group: Int, budget: Int, starts: [Int]) -> [Range<Int>] {
        var chosen: [Range<Int>] = []
        var left = budget
        let fast = starts[CellFrame.groupCount]..<starts[CellFrame.groupCount + 1]
        var isTaken = [Bool](repeating: false, count: CellFrame.groupCount + 1)
        if !fast.isEmpty, fast.count < left {
            chosen.append(fast)
            left -= fast.count
            isTaken[CellFrame.groupCount] = true
        }
        if group != Int(CellFrame.outside) {
            for ring in 0..<CellFrame.side where left > 0 {
                let blocks = Self.ring(ring, around: group)
                let count = blocks.reduce(0) { $0 + starts[$1 + 1] - starts[$1] }
                let share = count <= left ? count : left - left / 4
                chosen += Self.turn(of: blocks, starts: starts, count: share, cursor: &turns[group].near)
                left -= share
                for block in blocks { isTaken[block] = true }
                if share < count { break }
            }
        }
        let far = isTaken.indices.filter { !isTaken[$0] && starts[$0] < starts[$0 + 1] }
        chosen += Self.turn(of: far, starts: starts, count: left, cursor: &turns[group].far)
        return chosen
    }

    /// Takes `count` records of some blocks, from where the cursor stands, and moves the cursor on.
    private static func turn(of blocks: [Int], starts: [Int], count: Int, cursor: inout Int) -> [Range<Int>] {
        let total = blocks.reduce(0) { $0 + starts[$1 + 1] - starts[$1] }
        guard total > 0, count > 0 else { return [] }
        guard count < total else { return blocks.map { starts[$0]..<starts[$0 + 1] }.filter { !$0.isEmpty } }
        let first = cursor % total
        cursor = first + count
        // After the last record the first follows.
        let places = [first..<min(first + count, total), 0..<max(0, first + count - total)]
        var chosen: [Range<Int>] = []
        var place = 0
        for block in blocks {
            let size = starts[block + 1] - starts[block]
            for wanted in places {
                let part = wanted.clamped(to: place..<place + size)
                let shift = starts[block] - place
                if !part.isEmpty { chosen.append(part.lowerBound + shift..<part.upperBound + shift) }
            }
            place += size
        }
        return chosen
    }

    /// The blocks at a Chebyshev distance of `ring` from a block, as groups.
    private static func ring(_ ring: Int, around group: Int) -> [Int] {
        let (row, column) = ((group - 1) / CellFrame.side, (group - 1) % CellFrame.side)
        guard ring > 0 else { return [group] }
        var blocks: [Int] = []
        for rowOffset in -ring...ring {
            let columnStep = abs(rowOffset) == ring ? 1 : 2 * ring
            for columnOffset in stride(from: -ring, through: ring, by: columnStep) {
                let (blockRow, blockColumn) = (row + rowOffset, column + columnOffset)
                let isInside = (0..<CellFrame.side).contains(blockRow) && (0..<CellFrame.side).contains(blockColumn)
                if isInside { blocks.append(1 + blockRow * CellFrame.side + blockColumn) }
            }
        }
        return blocks
    }

    func bytes(of chosen: [UInt16], now: MonotonicTime) -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(chosen.count * PoseRecord.byteCount)
        for slot in chosen { record(of: slot, now: now)?.append(to: &bytes) }
        return Data(bytes)
    }
}

extension PresenceBoard.SlotState {
    /// Whether the person has not moved for half as long again as between the last two samples.
    fileprivate func stands(at now: MonotonicTime) -> Bool {
        sample.map { now - $0.at > pause * 3 / 2 } ?? false
    }
}
