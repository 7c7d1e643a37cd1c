internal import CairnCore
internal import CairnServer
internal import CairnStore
internal import CairnTime

/// Rates over the last second or so.
struct Rates: Sendable {
    private var values: [Double]

    static let names: [StaticString] = shardCounts.map(\.name) + storeCounts.map(\.name)
    static let none = Rates(values: Array(repeating: 0, count: names.count))

    fileprivate init(values: [Double]) {
        self.values = values
    }

    /// All of them, by name.
    var all: [(name: StaticString, perSecond: Double)] { zip(Self.names, values).map { ($0, $1) } }

    subscript(_ name: String) -> Double {
        all.first { "\($0.name)" == name }?.perSecond ?? 0
    }

    /// What a shard counts.
    fileprivate static let shardCounts = counts(ShardReport.metrics)

    /// What the store counts.
    fileprivate static let storeCounts = counts(StoreFigures.metrics)

    private static func counts<Source>(
        _ metrics: [Metric<Source>]
    ) -> [(name: StaticString, value: @Sendable (Source) -> Double)] {
        metrics.compactMap { metric -> (name: StaticString, value: @Sendable (Source) -> Double)? in
            guard let rate = metric.description.rate else { return nil }
            return (rate, { metric.value($0).amount })
        }
    }
}

/// Makes rates of counts. Shards report at times of their own, so each is measured by its own clock, and reading a
/// report twice changes nothing.
struct RateMeter {
    private var shards: [Measured] = []
    private var store = Measured()

    private struct Measured {
        var at: MonotonicTime = .epoch
        var counts: [Double] = []
        var rates: [Double] = []

        mutating func add(_ fresh: [Double], at time: MonotonicTime) {
            guard time > at else { return }
            let seconds = Double(time.microseconds(since: at)) / 1e6
            rates = counts.isEmpty ? [] : zip(counts, fresh).map { max(0, $1 - $0) / seconds }
            counts = fresh
            at = time
        }
    }

    /// Takes the board's reports, each of which is about a second younger than the shard's last.
    mutating func measure(_ reports: [ShardReport], store figures: StoreFigures, now: MonotonicTime) -> Rates {
        while shards.count < reports.count { shards.append(Measured()) }
        for (place, report) in reports.enumerated() {
            shards[place].add(Rates.shardCounts.map { $0.value(report) }, at: report.at)
        }
        store.add(Rates.storeCounts.map { $0.value(figures) }, at: now)
        var sums = Array(repeating: 0.0, count: Rates.shardCounts.count)
        for shard in shards {
            for (place, rate) in shard.rates.enumerated() { sums[place] += rate }
        }
        let stored = store.rates.isEmpty ? Array(repeating: 0.0, count: Rates.storeCounts.count) : store.rates
        return Rates(values: sums + stored)
    }
}
