import CairnClient
import CairnGeo
import CairnTime
import CairnWire
import Histogram

/// Counts the fate of every pose at every receiver.
///
/// Each follower of a cell should get every pose that a sharing person in the cell sends. A pose is *delivered*, or
/// *conflated* (its batch had a newer pose of the same sender), or *lost*. Latency is measured from the time at which
/// the pose was due and not from when it was sent, so that a stall of generator or server is not hidden (coordinated
/// omission).
final class PoseMeter {
    struct Sender {
        /// Poses sent so far; the newest has number `sent - 1`.
        var sent: UInt32 = 0
        /// When number 0 was due; after a shift, when it would have been due at the present moments.
        var firstDue: MonotonicTime = .epoch
        /// `firstDue` before the last shift, and the first number to which it does not apply. All earlier poses go by
        /// it, those of before an earlier shift as well.
        var earlier: (firstDue: MonotonicTime, end: UInt32) = (.epoch, 0)
        /// Numbers that were sent again when their sender reconnected.
        var resent: [UInt32] = []
    }

    /// Sending times of each sender's latest poses, to judge a gap by.
    private static let sentTimesKept = 64
    /// Two poses that are sent a presence interval and this much apart can still be in one batch.
    private static let conflationSlack: Duration = .milliseconds(10)

    /// Poses sent this shortly before a cut may be lost with it.
    private static let cutTime: Duration = .milliseconds(500)

    private(set) var senders: [Sender]
    /// `sentTimesKept` for each sender, by number modulo `sentTimesKept`; `.epoch` = not sent, or about to be cut off.
    private var sentTimes: [MonotonicTime]
    private let periodMicroseconds: UInt64
    /// Number of people from which on a cell is a crowd.
    private let crowdPeople: Int
    /// Cells in which a receiver has seen a crowd. A later receiver cannot derive that from the number of people.
    private var crowdedCells: Set<CellID> = []
    /// The longest recent delay in the crowd itself: bytes that it reads late need not have arrived late.
    var lag: Duration = .zero
    /// The server's least time between two batches of a cell.
    var presenceInterval: Duration = .milliseconds(50)
    /// Nil = not measured.
    var arrivals: PoseArrivals?
    /// Only poses due in this window are counted.
    var window = MonotonicTime.epoch..<MonotonicTime.epoch

    /// From the time when a pose was due to its arrival, microseconds.
    private(set) var latency: Histogram<UInt32>
    /// Latency in the present second, for the line of progress.
    private(set) var secondLatency: Histogram<UInt32>
    private(set) var delivered: UInt64 = 0
    /// Delivered poses that arrived before the window ended.
    private(set) var deliveredInTime: UInt64 = 0
    private(set) var conflated: UInt64 = 0
    private(set) var lost: UInt64 = 0
    /// Poses left out for slow readers, or in crowds (SES-8).
    private(set) var thinned: UInt64 = 0
    /// Poses on the wire, including receivers' own ones and those outside the window.
    private(set) var received: UInt64 = 0
    /// Poses of other people, in or outside the window.
    private(set) var deliveredEver: UInt64 = 0
    /// How long after they were due poses were sent, microseconds.
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

    /// From the next pose on the sender's poses are due at other moments.
    func shift(sender: Int, by shift: Duration) {
        senders[sender].earlier = (senders[sender].firstDue, senders[sender].sent)
        senders[sender].firstDue = senders[sender].firstDue + shift
    }

    /// Counts a pose that is being sent and returns its number. Skipped numbers were due while the sender had no
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

    /// A sender has reconnected and sends its last position again.
    func resend(_ sender: Int) {
        senders[sender].resent.append(senders[sender].sent &- 1)
    }

    /// A sender's connection is cut: its last poses may never arrive, which is no fault.
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

    /// Applies a batch's changes of the roster. Call it before `take`.
    /// - Parameter person: returns a person's index by name.
    func takeRoster(
        of batch: borrowing PresenceBatch, into track: inout CellTrack, person: (UnsafeRawBufferPointer) -> Int32
    ) {
        track.take(batch, person: person) { index in index >= 0 ? senders[Int(index)].sent : 0 }
        track.settle(crowdPeople: crowdPeople, wasCrowded: crowdedCells.contains(batch.cell))
        if track.isCrowd { crowdedCells.insert(batch.cell) }
    }

    /// Counts a batch at a receiver that does not judge poses.
    func pass(_ batch: borrowing PresenceBatch) { received += UInt64(batch.poseCount) }

    /// Takes the poses of a batch.
    /// - Returns: the faults of the poses.
    func take(
        _ batch: borrowing PresenceBatch, into track: inout CellTrack, receiver: Int, isSlow: Bool, now: MonotonicTime
    ) -> PoseFaults {
        var faults = PoseFaults()
        let poses = batch.poses
        let step = Int((batch.stepMetres * 1_000).rounded())
        let base = Int(batch.baseHeightMetres) * 1_000
        // Poses in a keyframe may have any age, so they do not count as delivered.
        let delivers = !batch.isKeyframe
        let isThinned = isSlow || track.isCrowd || track.wasCrowd
        // Receivers in one block of a crowd get the same batch: a person who walks into another block gets some poses
        // again.
        let mayRepeat = track.batchesSinceKeyframe <= 1 || isThinned
        received += UInt64(batch.poseCount)
        var offset = 0
        while offset + PoseRecord.byteCount <= poses.count {
            // Within `poses`: the batch's length was checked when it was read. Layout: `PoseRecord`.
            let slot = Int(UInt16(littleEndian: poses.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
            let up = Int(Int16(littleEndian: poses.loadUnaligned(fromByteOffset: offset + 6, as: Int16.self)))
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
                    } else if !mayRepeat, !sender.resent.contains(number) {
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
            // The age of poses at a slow reader says nothing about the server.
            guard delivers, !isSlow, window.contains(due) else { continue }
            delivered += 1
            if now < window.upperBound { deliveredInTime += 1 }
            let age = now.microseconds(since: due)
            latency.record(age)
            secondLatency.record(age)
            arrivals?.note(person, number, age: age)
        }
        track.lastBatchAt = now
        return faults
    }

    /// Classifies skipped poses as conflated, left out or lost.
    ///
    /// A pose is conflated if the newer one was sent within one presence interval, or if no batch of the cell between
    /// the two was made after the older one was sent: then both were in one batch, however late it was.
    private func judgeGap(
        _ person: Int, from first: UInt32, to next: UInt32, batchBefore: MonotonicTime, isThinned: Bool
    ) {
        let sender = senders[person]
        for number in first..<next {
            guard window.contains(due(number, of: sender)) else { continue }
            let isKnown = sender.sent - number < UInt32(Self.sentTimesKept)
            let times = person * Self.sentTimesKept
            let sent = sentTimes[times + Int(number) % Self.sentTimesKept]
            // The pose was due while its sender had no connection.
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

    /// At the end of the run: whether a receiver's pose of a person is the newest one.
    func isNewest(_ number: UInt32, of person: Int) -> Bool { senders[person].sent == number &+ 1 }

    /// Counts the poses of a person from number `first` on, which a receiver never got, as lost.
    func loseTail(of person: Int, from first: UInt32) {
        let sender = senders[person]
        guard sender.sent > first else { return }
        for missing in first..<sender.sent
        where window.contains(due(missing, of: sender)) { lost += 1 }
    }

    /// When a pose is due.
    private func due(_ number: UInt32, of sender: Sender) -> MonotonicTime {
        let first = number < sender.earlier.end ? sender.earlier.firstDue : sender.firstDue
        return MonotonicTime(microseconds: first.microseconds + UInt64(number) * periodMicroseconds)
    }
}
