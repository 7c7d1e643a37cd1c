internal import CairnTime
internal import DequeModule

/// When the disk of the database is full if it goes on filling as in the last day. In memory, from the start on.
struct DiskForecast {
    /// Every ten minutes of the last day, the newest last.
    private var samples: Deque<Sample> = []

    private struct Sample {
        let at: MonotonicTime
        let free: Int
    }

    private static let pause = Duration.seconds(600)
    private static let samplesMax = 144
    /// What is shorter says nothing: a backup comes and an old one goes.
    private static let spanMin = Duration.seconds(3_600)

    /// - Parameter free: bytes; 0 = unknown.
    /// - Returns: seconds from now on; nil = it does not fill, or that is not known yet.
    mutating func seconds(free: Int, now: MonotonicTime) -> Int? {
        guard free > 0 else { return nil }
        if samples.last.map({ now - $0.at >= Self.pause }) ?? true {
            if samples.count == Self.samplesMax { samples.removeFirst() }
            samples.append(Sample(at: now, free: free))
        }
        guard let first = samples.first, now - first.at >= Self.spanMin, free < first.free else { return nil }
        let taken = Double(first.free - free) / Double((now - first.at).components.seconds)
        return Int(min(Double(free) / taken, 1e12))
    }
}
