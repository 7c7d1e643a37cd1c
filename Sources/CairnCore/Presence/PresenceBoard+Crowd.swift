public import CairnWire
internal import Foundation

/// What a crowded cell tells: rosters to all, poses by where the receiver stands.
public struct CrowdBatch: Sendable {
    /// Who came and went; nil = nobody.
    public let roster: WirePresence?
    /// Poses for each group of receivers, by `PresenceBoard.group(of:)`; nil = nothing for them this time.
    public let poses: [WirePresence?]
    /// Fresh poses that were left out, summed over the groups that exist.
    public let thinned: Int
}

extension PresenceBoard {
    /// Takes a batch in which nobody gets more than `bytesMax` of poses: the nearest in full, of everybody else as many
    /// as fit, in turns so that nobody is left out for long (SES-8).
    ///
    /// A pose that did not fit is superseded by the person's next. Of those who then stand the last one is told again,
    /// to everybody: a few with each batch, and more when nobody moves.
    public mutating func takeCrowdBatch(now: UInt64, bytesMax: Int) -> CrowdBatch {
        if farCursors.isEmpty { farCursors = [Int](repeating: 0, count: CellFrame.groupCount) }
        settleBaseHeight()
        let budget = max(1, bytesMax / PoseRecord.byteCount)
        let (records, starts) = freshRecords(now: now)
        let standing = bytes(
            of: takeOwed(max: max(1, budget / (moved.isEmpty ? 4 : 8))) { $0.at + Self.standingMicroseconds <= now },
            now: now)
        var poses = [WirePresence?](repeating: nil, count: CellFrame.groupCount)
        var thinned = 0
        let total = starts[CellFrame.groupCount]
        for group in 0..<CellFrame.groupCount where group == CellFrame.outside || groupPopulation[group] > 0 {
            // Those outside look from further away, so a quarter will do.
            let share = group == CellFrame.outside ? max(1, budget / 4) : budget
            let room = max(1, share - standing.count / PoseRecord.byteCount)
            let chosen = choose(for: group, budget: room, starts: starts)
            guard !chosen.isEmpty || !standing.isEmpty else { continue }
            var batch = heading()
            var bytes = Data(capacity: share * PoseRecord.byteCount)
            for range in chosen {
                let size = PoseRecord.byteCount
                bytes.append(contentsOf: records[range.lowerBound * size..<range.upperBound * size])
            }
            thinned += total - bytes.count / PoseRecord.byteCount
            bytes.append(standing)
            batch.poses = bytes
            poses[group] = batch
        }
        if thinned > 0 { oweMoves() }
        forgetMoves()
        let roster = hasRosterNews ? takeRoster() : nil
        return CrowdBatch(roster: roster, poses: poses, thinned: thinned)
    }

    /// An age that a record cannot tell any more: who has not moved for that long stands.
    private static let standingMicroseconds: UInt64 = 255 * 4_000

    /// Not everybody was told of those who moved.
    private mutating func oweMoves() {
        for slot in moved where !slots[Int(slot)].isOwed {
            slots[Int(slot)].isOwed = true
            owed += 1
        }
    }

    /// The next of those who are owed to somebody and stand, at most so many: they are owed no more.
    mutating func takeOwed(max count: Int, isStanding: (PoseSample) -> Bool) -> [UInt16] {
        var chosen: [UInt16] = []
        var unseen = slots.count
        while owed > 0, unseen > 0, chosen.count < count {
            unseen -= 1
            if owedNext >= slots.count { owedNext = 0 }
            let slot = slots[owedNext]
            if slot.isOwed, !slot.isMarked, let sample = slot.sample, isStanding(sample) {
                slots[owedNext].isOwed = false
                owed -= 1
                chosen.append(UInt16(owedNext))
            }
            owedNext += 1
        }
        return chosen
    }

    /// The records of all who moved, ordered by block, and where each block's begin (one more entry at the end).
    private func freshRecords(now: UInt64) -> (bytes: [UInt8], starts: [Int]) {
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

    /// Which records a group is told: whole rings of blocks around its own while they fit, then others in turns.
    private mutating func choose(for group: Int, budget: Int, starts: [Int]) -> [Range<Int>] {
        var chosen: [Range<Int>] = []
        var left = budget
        var isTaken = [Bool](repeating: false, count: CellFrame.groupCount)
        if group != Int(CellFrame.outside) {
            for ring in 0..<CellFrame.side {
                let blocks = Self.ring(ring, around: group)
                let count = blocks.reduce(0) { $0 + starts[$1 + 1] - starts[$1] }
                guard count <= left else { break }
                left -= count
                for block in blocks {
                    isTaken[block] = true
                    if starts[block] < starts[block + 1] { chosen.append(starts[block]..<starts[block + 1]) }
                }
            }
        }
        var cursor = farCursors[group]
        for _ in 0..<CellFrame.groupCount where left > 0 {
            defer { cursor = (cursor + 1) % CellFrame.groupCount }
            guard !isTaken[cursor], starts[cursor] < starts[cursor + 1] else { continue }
            let count = min(left, starts[cursor + 1] - starts[cursor])
            chosen.append(starts[cursor]..<starts[cursor] + count)
            left -= count
        }
        farCursors[group] = cursor
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

    func bytes(of chosen: [UInt16], now: UInt64) -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(chosen.count * PoseRecord.byteCount)
        for slot in chosen { record(of: slot, now: now)?.append(to: &bytes) }
        return Data(bytes)
    }
}
