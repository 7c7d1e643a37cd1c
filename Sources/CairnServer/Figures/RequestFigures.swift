internal import Histogram

/// How long requests of one kind took on one shard, from receipt to reply, and how many were refused.
package struct RequestFigures: Sendable {
    private(set) var refused: UInt64 = 0
    private(set) var sumMicroseconds: UInt64 = 0
    /// Two significant digits up to a minute; longer ones count as a minute.
    private(set) var times = Histogram<UInt64>(
        highestTrackableValue: Self.longestMicroseconds, numberOfSignificantValueDigits: .two)

    private static let longestMicroseconds: UInt64 = 60_000_000

    package init() {}

    var count: UInt64 { times.totalCount }

    mutating func record(microseconds: UInt64, isRefused: Bool) {
        times.record(min(microseconds, Self.longestMicroseconds))
        sumMicroseconds &+= microseconds
        if isRefused { refused += 1 }
    }

    package mutating func add(_ other: RequestFigures) {
        times.add(other.times)
        sumMicroseconds &+= other.sumMicroseconds
        refused += other.refused
    }

    /// The time that this share of all requests did not exceed.
    func microseconds(percentile: Double) -> UInt64 {
        count == 0 ? 0 : times.valueAtPercentile(percentile)
    }

    var maxMicroseconds: UInt64 { count == 0 ? 0 : times.max }

    /// For each bound, in ascending order, how many took no longer.
    func counts(upTo boundsMicroseconds: [UInt64]) -> [UInt64] {
        var counts = Array(repeating: UInt64(0), count: boundsMicroseconds.count)
        for entry in times.recordedValues() {
            let place = boundsMicroseconds.firstIndex { entry.value <= $0 }
            if let place { counts[place] += entry.count }
        }
        for place in counts.indices.dropFirst() { counts[place] += counts[place - 1] }
        return counts
    }
}
