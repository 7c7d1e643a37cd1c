/// What a cell has done since it woke, and at what rate at present. Confined to the cell.
struct CellFigures: Sendable {
    var people = 0
    var turns: UInt64 = 0
    var events: UInt64 = 0
    var batches: UInt64 = 0
    /// Poses that a crowd's receivers were spared, summed over groups of receivers.
    var thinned: UInt64 = 0
    var resumed: UInt64 = 0
    private(set) var eventsPerSecond = 0.0
    private(set) var turnsPerSecond = 0.0
    private(set) var turnTimes = TurnTimes()
    private var eventsMeasured: UInt64 = 0
    private var turnsMeasured: UInt64 = 0

    /// A turn is over: everything from the check to the last effect that did not have to wait for the disk.
    mutating func turnTook(microseconds: UInt64) {
        turns += 1
        turnTimes.record(microseconds)
    }

    /// Works the rates out anew, from what came since the last time. Called about once a second.
    mutating func measure(seconds: Double) {
        eventsPerSecond = Double(events - eventsMeasured) / seconds
        turnsPerSecond = Double(turns - turnsMeasured) / seconds
        if turnsPerSecond > 0 { turnTimes.fade() }
        eventsMeasured = events
        turnsMeasured = turns
    }
}

/// How long the turns of one cell take: counts in buckets of powers of two, in which old turns fade. Small, because
/// there is one for each cell; nothing is allocated before the first turn.
struct TurnTimes: Sendable {
    /// Bucket n counts turns of 2^(n-1) ..< 2^n microseconds, the last one all longer ones (4 s).
    private static let bucketCount = 23
    /// At this many turns all counts are halved, so that the last few hundred decide.
    private static let fadeAt: UInt32 = 1_000

    private var buckets: [UInt32] = []
    private var count: UInt32 = 0

    mutating func record(_ microseconds: UInt64) {
        if buckets.isEmpty { buckets = Array(repeating: 0, count: Self.bucketCount) }
        buckets[min(UInt64.bitWidth - microseconds.leadingZeroBitCount, Self.bucketCount - 1)] += 1
        count += 1
    }

    mutating func fade() {
        guard count >= Self.fadeAt else { return }
        for bucket in buckets.indices { buckets[bucket] /= 2 }
        count = buckets.reduce(0, +)
    }

    /// The upper end of the bucket that holds the slowest of a hundred turns; 0 before the first.
    var p99Microseconds: UInt64 {
        guard count > 0 else { return 0 }
        var left = count / 100
        for (bucket, number) in buckets.enumerated().reversed() where number > 0 {
            if number > left { return 1 << UInt64(bucket) }
            left -= number
        }
        return 0
    }
}
