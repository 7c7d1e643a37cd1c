/// Counts of a cell since the last reading, and its present rates. Confined to the cell.
struct CellFigures: Sendable {
    var events: UInt64 = 0
    /// Poses that a crowd's receivers were spared, summed over groups of receivers.
    var thinned: UInt64 = 0
    var resumed: UInt64 = 0
    private(set) var turns: UInt64 = 0
    private(set) var eventsPerSecond = 0.0
    private(set) var turnsPerSecond = 0.0
    private(set) var turnTimes = TurnTimes()
    /// Counted in looks since the last measurement.
    private var eventsLooked: UInt64 = 0
    private var turnsLooked: UInt64 = 0
    /// Whether the shard is to look at the cell; it does at first.
    private var isTouched = true

    /// - Returns: whether the shard has to be told.
    mutating func touch() -> Bool {
        defer { isTouched = true }
        return !isTouched
    }

    /// A turn is over: everything from the check to the last effect that did not have to wait for the disk.
    mutating func turnTook(microseconds: UInt64) {
        turns += 1
        turnTimes.record(microseconds)
    }

    /// Whether the rates are to be worked out again although nothing more should happen.
    var isMoving: Bool { eventsPerSecond > 0 || turnsPerSecond > 0 || eventsLooked > 0 || turnsLooked > 0 }

    /// Gives what was counted since the last look, and works the rates out when `seconds` is their time.
    mutating func look(seconds: Double?) -> CellSums {
        let counts = CellSums(events: events, turns: turns, thinned: thinned, resumed: resumed)
        eventsLooked += events
        turnsLooked += turns
        (events, turns, thinned, resumed) = (0, 0, 0, 0)
        if let seconds {
            eventsPerSecond = Double(eventsLooked) / seconds
            turnsPerSecond = Double(turnsLooked) / seconds
            (eventsLooked, turnsLooked) = (0, 0)
            turnTimes.fade()
        }
        isTouched = isMoving
        return counts
    }
}

/// One look at a cell.
struct CellLook: Sendable {
    let row: CellRow
    /// Counted since the last look.
    let counts: CellSums
    /// Whether the next look has to come although nothing should happen: rates fall.
    let staysTouched: Bool
}

/// Sums of what cells have done.
struct CellSums: Sendable {
    var events: UInt64 = 0
    var turns: UInt64 = 0
    var thinned: UInt64 = 0
    var resumed: UInt64 = 0

    mutating func add(_ other: CellSums) {
        events += other.events
        turns += other.turns
        thinned += other.thinned
        resumed += other.resumed
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
