internal import CairnTime
internal import DequeModule

/// What was refused, dropped, closed and turned away in each minute of the last day, by reason: so that operators can
/// ask why people were refused ten minutes ago. Reasons are their places in `OperatorReason.all`, so a minute has no
/// more entries than there are reasons.
struct ReasonHistory {
    private struct Count {
        let reason: UInt16
        let count: UInt32
    }

    /// Whole minutes, newest last; only what was counted.
    private var minutes: Deque<[Count]> = []
    /// The counts since the start when the last minute ended; empty = none has.
    private var ended: [UInt64] = []
    /// The counts since the start every few seconds of the last minute, newest last.
    private var recent: Deque<[UInt64]> = []
    private var recentAt: MonotonicTime?

    private static let recentPause = Duration.seconds(5)
    private static let recentMax = 12

    /// Looks at the counts, if it is time.
    mutating func add(now: MonotonicTime, counts: () -> [UInt64]) {
        if let recentAt, now - recentAt < Self.recentPause { return }
        recentAt = now
        if recent.count == Self.recentMax { recent.removeFirst() }
        recent.append(counts())
    }

    /// Ends minutes; what was counted since the last end was counted in the first of them.
    mutating func endMinutes(_ count: Int, counts: [UInt64]) {
        for number in 0..<count {
            if minutes.count == History.minutesMax { minutes.removeFirst() }
            minutes.append(number == 0 ? Self.growth(of: counts, beyond: ended) : [])
        }
        ended = counts
    }

    func lately(_ counts: [UInt64]) -> [UInt64] {
        // Without a look before there was no minute before.
        guard recent.count == Self.recentMax, let oldest = recent.first else { return counts }
        return zip(counts, oldest).map { $0 >= $1 ? $0 - $1 : 0 }
    }

    /// As `History.counted`.
    func counted(
        _ seconds: ClosedRange<Int>, secondsOfMinute: Int, counts: [UInt64]
    ) -> (counts: [UInt64], seconds: ClosedRange<Int>) {
        // The minute under way is number 0, and began `secondsOfMinute` ago; the whole ones before it are 1 and so on.
        func number(of second: Int) -> Int { second <= secondsOfMinute ? 0 : (second - secondsOfMinute + 59) / 60 }
        var sums = [UInt64](repeating: 0, count: counts.count)
        // Before the start nothing was counted.
        guard number(of: seconds.lowerBound) <= minutes.count else { return (sums, seconds) }
        let first = min(number(of: seconds.upperBound), minutes.count)
        // The end is not within the time, but for a single moment.
        let last = seconds.lowerBound == 0 ? 0 : min(number(of: seconds.lowerBound + 1), first)
        let parts = (last...first).map { number in
            number == 0 ? Self.growth(of: counts, beyond: ended) : minutes[minutes.count - number]
        }
        for entry in parts.joined() { sums[Int(entry.reason)] += UInt64(entry.count) }
        let end = last == 0 ? 0 : secondsOfMinute + 60 * (last - 1)
        return (sums, end...(secondsOfMinute + 60 * first))
    }

    private static func growth(of counts: [UInt64], beyond before: [UInt64]) -> [Count] {
        counts.indices.compactMap { place in
            let earlier = place < before.count ? before[place] : 0
            guard counts[place] > earlier else { return nil }
            return Count(reason: UInt16(clamping: place), count: UInt32(clamping: counts[place] - earlier))
        }
    }
}
