package import CairnTime

/// How often something came lately, counted by buckets of time: the oldest bucket goes as a whole.
package struct RecentCount: Sendable {
    private let bucketsMax: Int64
    private let bucketSeconds: Int64
    /// Those in which something came, the newest last.
    private var buckets: [(number: Int64, count: Int)] = []

    /// - Parameters:
    ///   - bucketsMax: buckets that count, with the one that is not over yet.
    ///   - bucketSeconds: how long each is.
    package init(buckets bucketsMax: Int64, ofSeconds bucketSeconds: Int64) {
        self.bucketsMax = bucketsMax
        self.bucketSeconds = bucketSeconds
    }

    package mutating func add(_ now: MonotonicTime) {
        forget(now)
        let number = bucket(now)
        if let last = buckets.indices.last, buckets[last].number == number {
            buckets[last].count += 1
        } else {
            buckets.append((number, 1))
        }
    }

    package func count(_ now: MonotonicTime) -> Int {
        let over = bucket(now) - bucketsMax
        return buckets.reduce(0) { $1.number > over ? $0 + $1.count : $0 }
    }

    /// Drops the buckets that do not count any more.
    package mutating func forget(_ now: MonotonicTime) {
        let over = bucket(now) - bucketsMax
        buckets.removeAll { $0.number <= over }
    }

    /// Whether nothing came since the buckets that `forget` has dropped.
    package var isEmpty: Bool { buckets.isEmpty }

    private func bucket(_ now: MonotonicTime) -> Int64 { (now - .epoch).components.seconds / bucketSeconds }
}
