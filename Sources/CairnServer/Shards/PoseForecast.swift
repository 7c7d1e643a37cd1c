internal import CairnCore
internal import CairnTime

/// How many poses are expected when, in the cells that tell theirs together.
///
/// A ring of buckets of 2 ms each; what is further ahead than a second is not expected.
struct PoseForecast: Sendable {
    /// Poses expected in each bucket. Empty until something is.
    private var counts: [UInt16] = []
    /// The first bucket that counts: that before the present one, whose poses may still come. Buckets count from the
    /// clock's epoch.
    private var oldest: UInt64 = 0
    /// Share of the last poses that came when they were expected. Clients count as punctual until they are not.
    private var punctual = 1.0
    private var came = FadingCount(memory: .milliseconds(500))

    /// A bucket's length is 2 to the power of this, in microseconds.
    private static let bucketShift: UInt64 = 11
    /// Number of buckets in the ring.
    private static let size: UInt64 = 512
    /// Poses over which `punctual` is averaged.
    private static let posesAveraged = 32.0
    /// Shares of poses on time from which a forecast begins to count, and from which it counts in full.
    private static let punctualRange = 0.5...0.9

    /// Length of a bucket.
    static let bucket: Duration = .microseconds(1 << 11)

    /// The number of the bucket that a time is in, counted from the clock's epoch.
    static func bucket(of time: MonotonicTime) -> UInt64 { time.microseconds >> bucketShift }
    /// When nearly all poses have come that were expected in a bucket: one bucket after its end.
    static func end(of bucket: UInt64) -> MonotonicTime {
        MonotonicTime(microseconds: (bucket + 2) << bucketShift)
    }

    /// How far the forecast is to be trusted, from 0 to 1.
    var trust: Double {
        let range = Self.punctualRange
        return min(1, max(0, (punctual - range.lowerBound) / (range.upperBound - range.lowerBound)))
    }

    /// Poses that come in a second, by those of the last half second.
    mutating func posesPerSecond(now: MonotonicTime) -> Double { came.perSecond(now: now) }

    /// Poses that come in a bucket, on average.
    mutating func posesPerBucket(now: MonotonicTime) -> Double {
        posesPerSecond(now: now) * Double(Self.bucket.microseconds) / 1_000_000
    }

    /// Notes a pose that has come.
    mutating func note(_ arrival: PoseArrival, now: MonotonicTime) {
        came.add(1, now: now)
        if let expected = arrival.expected {
            punctual += ((arrival.isOnTime ? 1 : 0) - punctual) / Self.posesAveraged
            change(at: expected, now: now) { $0 - min($0, 1) }
        }
        if let next = arrival.next { change(at: next, now: now) { $0 + ($0 < .max ? 1 : 0) } }
    }

    private mutating func change(at time: MonotonicTime, now: MonotonicTime, _ body: (UInt16) -> UInt16) {
        forgetPast(now: now)
        let bucket = Self.bucket(of: time)
        guard bucket >= oldest, bucket - oldest < Self.size else { return }
        let place = Int(bucket % Self.size)
        counts[place] = body(counts[place])
    }

    /// A plan by the forecast. The less it is to be trusted, the more the plan expects an even stream of poses.
    /// - Parameter waitMax: the longest wait of a pose, in buckets.
    mutating func plan(waitMax: Int, now: MonotonicTime) -> BatchPlan {
        forgetPast(now: now)
        let (trust, mean) = (trust, posesPerBucket(now: now))
        let expected = (0..<BatchPlan.length(waitMax: waitMax)).map { ahead in
            let count = self[ahead + 1] + (ahead == 0 ? self[0] : 0)
            return trust * Double(count) + (1 - trust) * mean
        }
        return BatchPlan(waitMax: waitMax, mean: mean, expected: expected)
    }

    /// Poses expected in a bucket, by its distance from the oldest.
    private subscript(number: Int) -> Int { Int(counts[Int((oldest + UInt64(number)) % Self.size)]) }

    private mutating func forgetPast(now: MonotonicTime) {
        let bucket = max(Self.bucket(of: now), 1) - 1
        if counts.isEmpty || bucket - min(bucket, oldest) >= Self.size {
            counts = Array(repeating: 0, count: Int(Self.size))
            oldest = bucket
        }
        while oldest < bucket {
            counts[Int(oldest % Self.size)] = 0
            oldest += 1
        }
    }
}
