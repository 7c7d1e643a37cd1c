import CairnClient
import CairnGeo
import CairnTime
import CairnWire
import Histogram

/// What became of the poses: of everybody's, at everybody who saw them.
///
/// Every pose that a sharing person sends while in a cell is one that each follower of the cell should get. It is
/// *delivered*, or *conflated* (a newer one of the same sender came in the batch that it would have come in), or
/// *lost*. Latency runs from the time at which the pose was due to be sent, not from when it was: a generator or server
/// that stalls is not let off (coordinated omission).
final class PoseMeter {
    struct Sender {
        /// Poses sent so far; the newest has number `sent - 1`.
        var sent: UInt32 = 0
        /// When number 0 was due.
        var firstDue: MonotonicTime = .epoch
        /// Numbers that were sent again when their sender came back.
        var resent: [UInt32] = []
    }

    /// Sending times of each sender's latest poses, to judge a gap by.
    private static let sentTimesKept = 64
    /// Two poses that leave this much more than a presence interval apart can still meet in one batch.
    private static let conflationSlack: Duration = .milliseconds(10)

    /// Poses sent this shortly before a cut may be lost with it.
    private static let cutTime: Duration = .milliseconds(500)

    private(set) var senders: [Sender]
    /// `.epoch` = none.
    private var sentTimes: [MonotonicTime]
    private let periodMicroseconds: UInt64
    /// People in a cell from which on not everybody is told of everybody.
    private let crowdPeople: Int
    /// Cells that somebody has seen as many in. Who comes later cannot tell by what they see.
    private var crowdedCells: Set<CellID> = []
    /// The longest that the crowd itself sat on something lately: what it reads late did not come late.
    var lag: Duration = .zero
    /// The server's least time between two batches of a cell.
    var presenceInterval: Duration = .milliseconds(50)
    /// Poses due in this window count.
    var window = MonotonicTime.epoch..<MonotonicTime.epoch

    private(set) var latency: Histogram<UInt32>
    /// Of the second that is running, for the line of progress.
    private(set) var secondLatency: Histogram<UInt32>
    private(set) var delivered: UInt64 = 0
    /// Those of them that had come when the window ended.
    private(set) var deliveredInTime: UInt64 = 0
    private(set) var conflated: UInt64 = 0
    private(set) var lost: UInt64 = 0
    /// Left out for receivers who read too slowly, or where there are too many people to tell of (SES-8).
    private(set) var thinned: UInt64 = 0
    /// Poses on the wire, the receivers' own and those outside the window included.
    private(set) var received: UInt64 = 0
    /// Poses of other people, in or outside the window.
    private(set) var deliveredEver: UInt64 = 0
    private(set) var late = Histogram<UInt32>(highestTrackableValue: 60_000_000, numberOfSignificantValueDigits: .two)

    init(people: Int, period: Duration, crowdPeople: Int = .max) {
        periodMicroseconds = UInt64(period.microseconds)
        self.crowdPeople = crowdPeople
        senders = Array(repeating: Sender(), count: people)
        sentTimes = Array(repeating: .epoch, count: people * Self.sentTimesKept)
        latency = Histogram(highestTrackableValue: 120_000_000, numberOfSignificantValueDigits: .three)
        secondLatency = Histogram(highestTrackableValue: 120_000_000, numberOfSignificantValueDigits: .two)
    }

    func start(sender: Int, firstDue: MonotonicTime) {
        senders[sender].firstDue = firstDue
    }

    /// Counts a pose that is being sent; gives its number. Numbers in between were due while the sender had no
    /// connection, and were never sent.
    func send(_ sender: Int, due: MonotonicTime, now: MonotonicTime) -> UInt32 {
        let number = UInt32(due.microseconds(since: senders[sender].firstDue) / periodMicroseconds)
        let times = sender * Self.sentTimesKept
        for skipped in (senders[sender].sent..<number).suffix(Self.sentTimesKept) {
            sentTimes[times + Int(skipped) % Self.sentTimesKept] = .epoch
        }
        senders[sender].sent = number + 1
        sentTimes[times + Int(number) % Self.sentTimesKept] = now
        if window.contains(due) { late.record(now.microseconds(since: due)) }
        return number
    }

    /// A sender has come back and says once more where it was.
    func resend(_ sender: Int) {
        senders[sender].resent.append(senders[sender].sent &- 1)
    }

    /// A sender's connection is cut: what it has just sent may never arrive, and nobody is to blame.
    func cut(_ sender: Int, now: MonotonicTime) {
        let times = sender * Self.sentTimesKept
        for index in times..<times + Self.sentTimesKept where now - sentTimes[index] < Self.cutTime {
            sentTimes[index] = .epoch
        }
    }

    func takeSecond() -> Histogram<UInt32> {
        defer { secondLatency.reset() }
        return secondLatency
    }

    /// Takes who came and went in a batch; then `take` its poses.
    /// - Parameter person: somebody's index by name.
    func takeRoster(
        of batch: borrowing PresenceBatch, into track: inout CellTrack, person: (UnsafeRawBufferPointer) -> Int32
    ) {
        track.take(batch, person: person) { index in index >= 0 ? senders[Int(index)].sent : 0 }
        track.settle(crowdPeople: crowdPeople, wasCrowded: crowdedCells.contains(batch.cell))
        if track.isCrowd { crowdedCells.insert(batch.cell) }
    }

    /// A batch at somebody who does not look at the poses.
    func pass(_ batch: borrowing PresenceBatch) { received += UInt64(batch.poseCount) }

    /// Takes the poses of a batch.
    /// - Returns: what is wrong with them.
    func take(
        _ batch: borrowing PresenceBatch, into track: inout CellTrack, receiver: Int, isSlow: Bool, now: MonotonicTime
    ) -> PoseFaults {
        var faults = PoseFaults()
        let poses = batch.poses
        let step = Int((batch.stepMetres * 1_000).rounded())
        let base = Int(batch.baseHeightMetres) * 1_000
        // The first batch after a crowd tells everybody of everybody again.
        let mayRepeat = track.batchesSinceKeyframe <= 1 || track.wasCrowd
        // What a keyframe repeats is as old as it may be: it tells where people are, it delivers nothing.
        let delivers = !batch.isKeyframe
        let isThinned = isSlow || track.isCrowd || track.wasCrowd
        received += UInt64(batch.poseCount)
        var offset = 0
        while offset + PoseRecord.byteCount <= poses.count {
            // Within `poses`: the batch's length was checked when it was read. Layout: `PoseRecord`.
            let slot = Int(UInt16(littleEndian: poses.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
            let up = Int(Int16(littleEndian: poses.loadUnaligned(fromByteOffset: offset + 6, as: Int16.self)))
            // In a crowd, where somebody stands is told again, late, to those who were spared it and to the others.
            let isStanding = isThinned && poses[offset + 12] == .max
            offset += PoseRecord.byteCount
            guard slot < track.slots.count, track.slots[slot].person != CellTrack.nobody else {
                faults.unknownSlot += 1
                continue
            }
            let person = Int(track.slots[slot].person)
            guard person >= 0, person != receiver, let code = PoseCode.code(heightMillimetres: base + up * step) else {
                continue
            }
            let sender = senders[person]
            guard let number = PoseCode.number(code, of: sender.sent) else {
                faults.unsent += 1
                continue
            }
            if delivers { deliveredEver += 1 }
            let last = track.slots[slot].last
            if last == CellTrack.none {
                judgeGap(
                    person, from: min(number, track.slots[slot].awaited), to: number, batchBefore: track.lastBatchAt,
                    isThinned: isThinned)
            } else {
                let ahead = Int32(bitPattern: number &- last)
                if ahead <= 0 {
                    if ahead < 0 {
                        faults.reordered += 1
                    } else if !mayRepeat, !isStanding, !sender.resent.contains(number) {
                        faults.repeated += 1
                    }
                    continue
                }
                if ahead > 1 {
                    judgeGap(person, from: last + 1, to: number, batchBefore: track.lastBatchAt, isThinned: isThinned)
                }
            }
            track.slots[slot].last = number
            let due = due(number, of: sender)
            // A slow reader's poses are as old as it is slow: they tell nothing about the server.
            guard delivers, !isSlow, !isStanding, window.contains(due) else { continue }
            delivered += 1
            if now < window.upperBound { deliveredInTime += 1 }
            let age = now.microseconds(since: due)
            latency.record(age)
            secondLatency.record(age)
        }
        track.lastBatchAt = now
        return faults
    }

    /// Poses that were skipped: replaced by a newer one in time, or lost.
    ///
    /// One is conflated when the newer was sent within one presence interval, or when no batch of the cell came in
    /// between that was made after it was sent: then both met in one batch, however late that was.
    private func judgeGap(
        _ person: Int, from first: UInt32, to next: UInt32, batchBefore: MonotonicTime, isThinned: Bool
    ) {
        let sender = senders[person]
        for number in first..<next {
            guard window.contains(due(number, of: sender)) else { continue }
            let isKnown = sender.sent - number < UInt32(Self.sentTimesKept)
            let times = person * Self.sentTimesKept
            let sent = sentTimes[times + Int(number) % Self.sentTimesKept]
            // Due while its sender had no connection.
            if isKnown, sent == .epoch { continue }
            let newer = sentTimes[times + Int(number + 1) % Self.sentTimesKept]
            let interval = presenceInterval + Self.conflationSlack + lag
            let isOvertaken = newer != .epoch && newer - sent <= interval
            if isKnown && (isOvertaken || batchBefore - sent <= interval) {
                conflated += 1
            } else if isThinned {
                thinned += 1
            } else {
                lost += 1
            }
        }
    }

    /// After everything has come to rest: whether the newest pose of a person is the one that a receiver holds.
    func isNewest(_ number: UInt32, of person: Int) -> Bool { senders[person].sent == number &+ 1 }

    /// The poses of a person from number `first` on, which a receiver never got, count as lost.
    func loseTail(of person: Int, from first: UInt32) {
        let sender = senders[person]
        guard sender.sent > first else { return }
        for missing in first..<sender.sent
        where window.contains(due(missing, of: sender)) { lost += 1 }
    }

    /// When a pose is due.
    private func due(_ number: UInt32, of sender: Sender) -> MonotonicTime {
        MonotonicTime(microseconds: sender.firstDue.microseconds + UInt64(number) * periodMicroseconds)
    }
}
