internal import CairnTime

/// When the poses that wait leave, so that waiting and sending cost as little as possible together.
///
/// A batch costs the same however many poses are in it, so each pose that waits for another one saves a send. Poses
/// come at known times, and a batch leaves best right behind some that come close together, before a long gap. The plan
/// divides what is expected into batches by dynamic programming over the forecast's buckets: a batch costs `price`, and
/// each pose costs the time that it waits. Only the first batch of the plan counts; with the next pose there is another
/// plan.
struct BatchPlan {
    /// The longest wait of a pose, in buckets.
    let waitMax: Int
    /// What a batch costs, in poses times buckets.
    let price: Double
    /// Poses that come in a bucket, on average.
    let mean: Double
    /// Poses that are expected in each bucket, from the present one on: `length(waitMax:)` buckets.
    let expected: [Double]

    /// Longer waits are not planned.
    static let waitMost = 64
    /// How many buckets a plan looks ahead: two longest waits, and that of a batch which begins at their end.
    static func length(waitMax: Int) -> Int { waitMax * 3 }

    /// - Parameters:
    ///   - waitMax: the longest wait of a pose, in buckets.
    ///   - mean: poses that come in a bucket, on average.
    init(waitMax: Int, mean: Double, expected: [Double]) {
        (self.waitMax, self.mean, self.expected) = (waitMax, mean, expected)
        let tick = Double(waitMax) * Self.tickShare
        price = max(Double(waitMax) * Self.posesLeast, mean * tick * tick / 2)
    }

    /// Length of a plain tick, as a share of the longest wait. A batch costs as much as the waiting of the poses of
    /// such a tick, so that frequent poses make about as many batches as the tick would.
    private static let tickShare = 0.8
    /// Least cost of a batch, in poses that wait for the longest wait: where poses are rare, they wait for each other.
    private static let posesLeast = 4.0

    /// The last bucket that the poses which wait now should wait for; nil = they leave at once.
    /// - Parameters:
    ///   - waiting: how many there are.
    ///   - age: for how many buckets the first has waited.
    func lastBucket(waiting: Int, age: Int) -> Int? {
        let rest = costs()
        var (best, last, cost, poses) = (rest[0], Int?.none, 0.0, Double(waiting))
        for bucket in 0..<max(0, waitMax - age) {
            cost += poses
            poses += expected[bucket]
            if cost + rest[bucket + 1] < best { (best, last) = (cost + rest[bucket + 1], bucket) }
        }
        return last
    }

    /// For each bucket, the least cost of all batches from there on. Beyond two longest waits each bucket has the
    /// average cost.
    private func costs() -> [Double] {
        let horizon = waitMax * 2
        var rest = (0...expected.count).map { Double(horizon - $0) * usualCost }
        for first in (0..<horizon).reversed() {
            // Nothing may come: then nothing begins here.
            let probability = min(1, expected[first])
            guard probability > 0 else {
                rest[first] = rest[first + 1]
                continue
            }
            var (best, cost, poses) = (Double.infinity, price, max(0, 1 - expected[first]))
            for bucket in first..<first + waitMax {
                cost += poses
                poses += expected[bucket]
                best = min(best, cost + rest[bucket + 1])
            }
            rest[first] = probability * best + (1 - probability) * rest[first + 1]
        }
        return rest
    }

    /// Cost of a bucket with evenly spaced poses and the best tick for them.
    private var usualCost: Double {
        guard mean > 0 else { return 0 }
        let wait = min(Double(waitMax), (2 * price / mean).squareRoot())
        return (price + mean * wait * wait / 2) / (wait + 0.5 / mean)
    }
}
