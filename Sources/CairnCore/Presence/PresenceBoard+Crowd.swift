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
    /// Takes a batch with at most `bytesMax` of poses for each receiver: all of the nearest people, then as many of the
    /// others as fit. The others take turns, so that no one is left out for long (SES-8).
    ///
    /// A pose that did not fit is superseded by the person's next one. When a person stops, the last pose is sent again
    /// to everybody: a few people with each batch, more when nobody moves.
    public mutating func takeCrowdBatch(now: MonotonicTime, bytesMax: Int) -> CrowdBatch {
        if farCursors.isEmpty {
            farCursors = [Int](repeating: 0, count: CellFrame.groupCount)
            nearCursors = farCursors
        }
        updateBaseHeight()
        let budget = max(1, bytesMax / PoseRecord.byteCount)
        let (records, starts) = freshRecords(now: now)
        let standing = bytes(
            of: takePendingResends(max: max(1, budget / (moved.isEmpty ? 4 : 8))) {
                now - $0.at >= Self.standing
            },
            now: now)
        var batches: [WirePresence] = []
        var places = [Int?](repeating: nil, count: CellFrame.groupCount)
        var everything: Int?
        var thinned = 0
        let total = starts[CellFrame.groupCount]
        for group in 0..<CellFrame.groupCount where group == CellFrame.outside || groupPopulation[group] > 0 {
            // Receivers outside the cell are further away, so a quarter of the budget is enough for them.
            let share = group == CellFrame.outside ? max(1, budget / 4) : budget
            let room = max(1, share - standing.count / PoseRecord.byteCount)
            guard total > 0 || !standing.isEmpty else { continue }
            if total <= room, let everything {
                places[group] = everything
                continue
            }
            let chosen = total <= room ? [0..<total] : choose(for: group, budget: room, starts: starts)
            var bytes = Data(capacity: share * PoseRecord.byteCount)
            for range in chosen {
                let size = PoseRecord.byteCount
                bytes.append(contentsOf: records[range.lowerBound * size..<range.upperBound * size])
            }
            thinned += total - bytes.count / PoseRecord.byteCount
            bytes.append(standing)
            var batch = heading()
            batch.poses = bytes
            places[group] = batches.count
            if total <= room { everything = batches.count }
            batches.append(batch)
        }
        if thinned > 0 { markMovesForResend() }
        forgetMoves()
        let roster = hasRosterNews ? takeRoster() : nil
        return CrowdBatch(roster: roster, batches: batches, places: places, thinned: thinned)
    }

    /// The largest age that a record can encode: a person who has not moved for longer counts as standing.
    private static let standing: Duration = .milliseconds(255 * PoseRecord.ageStepMilliseconds)

    /// Marks everybody who moved for a later resend, because some receivers were not sent the pose.
    private mutating func markMovesForResend() {
        for slot in moved where !slots[Int(slot)].isResendPending {
            slots[Int(slot)].isResendPending = true
            pendingResends += 1
        }
    }

    /// Takes up to `count` slots with a pending resend whose person stands, from where the last scan ended.
    mutating func takePendingResends(max count: Int, isStanding: (PoseSample) -> Bool) -> [UInt16] {
        var chosen: [UInt16] = []
        var unseen = slots.count
        while pendingResends > 0, unseen > 0, chosen.count < count {
            unseen -= 1
            if nextResend >= slots.count { nextResend = 0 }
            let slot = slots[nextResend]
            if slot.isResendPending, !slot.isMarked, let sample = slot.sample, isStanding(sample) {
                slots[nextResend].isResendPending = false
                pendingResends -= 1
                chosen.append(UInt16(nextResend))
            }
            nextResend += 1
        }
        return chosen
    }

    /// The records of all who moved, ordered by block, and where each block's begin (one more entry at the end).
    private func freshRecords(now: MonotonicTime) -> (bytes: [UInt8], starts: [Int]) {
        var starts = [Int](repeating: 0, count: CellFrame.groupCount + 1)
        for slot in moved { starts[Int(slots[Int(slot)].group) + 1] += 1 }
        for index in 1...CellFrame.groupCount { starts[index] += starts[index - 1] }
        var ordered = [UInt16](repeating: 0, count: moved.count)
        var next = starts
        for slot in moved {
            let group = Int(slots[Int(slot)].group)
            ordered[next[group]] = slot
            next[group] += 1
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(moved.count * PoseRecord.byteCount)
        for slot in ordered { record(of: slot, now: now)?.append(to: &bytes) }
        return (bytes, starts)
    }

    /// Chooses the records for a group of receivers. Whole rings of blocks around the group's own block come first
    /// while they fit. The first ring that does not fit gets three quarters of the remaining budget, and all blocks
    /// beyond it the rest. In both parts the records take turns from batch to batch.
    private mutating func choose(for group: Int, budget: Int, starts: [Int]) -> [Range<Int>] {
        var chosen: [Range<Int>] = []
        var left = budget
        var isTaken = [Bool](repeating: false, count: CellFrame.groupCount)
        if group != Int(CellFrame.outside) {
            for ring in 0..<CellFrame.side where left > 0 {
                let blocks = Self.ring(ring, around: group)
                let count = blocks.reduce(0) { $0 + starts[$1 + 1] - starts[$1] }
                let share = count <= left ? count : left - left / 4
                chosen += Self.turn(of: blocks, starts: starts, count: share, cursor: &nearCursors[group])
                left -= share
                for block in blocks { isTaken[block] = true }
                if share < count { break }
            }
        }
        let far = (0..<CellFrame.groupCount).filter { !isTaken[$0] && starts[$0] < starts[$0 + 1] }
        chosen += Self.turn(of: far, starts: starts, count: left, cursor: &farCursors[group])
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
