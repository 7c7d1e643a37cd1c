internal import CairnCore
internal import CairnLogging
internal import CairnTime
internal import DequeModule

/// Metrics of the last minutes second by second, and of the last day minute by minute, so that a newly opened console
/// shows their course. It begins with the room. Steps go by the monotonic clock: a jump of the wall's moves nothing.
struct History {
    /// How far back an answer reaches, and in which steps.
    enum Range: String, CaseIterable {
        case minutes = "5min"
        case hour = "1h"
        case day = "24h"

        var stepSeconds: Int {
            switch self {
            case .minutes: 1
            case .hour: 60
            case .day: 300
            }
        }

        /// Most steps of an answer.
        var stepsMax: Int { self == .minutes ? 300 : self == .hour ? 60 : 288 }
    }

    /// Minutes that are kept.
    static let minutesMax = 1_440

    /// Newest last; nil = the room stood still.
    private var seconds: Deque<[Double]?> = []
    /// Whole minutes, newest last; one without samples = the room stood still.
    private var minutes: Deque<Span> = []
    /// The minute under way.
    private var running = Span()
    /// When the minute under way began; nil = nothing was added yet.
    private var minuteAt: MonotonicTime?
    private var lastAt: MonotonicTime?
    /// Minutes that have ended since the start.
    private var minuteNumber = 0
    private var reasons = ReasonHistory()

    /// What was measured over some time, for each series.
    private struct Span {
        var samples = 0
        var least: [Double] = []
        var sum: [Double] = []
        var most: [Double] = []

        mutating func add(_ values: [Double]) {
            add(Span(samples: 1, least: values, sum: values, most: values))
        }

        mutating func add(_ other: Span) {
            guard other.samples > 0 else { return }
            guard samples > 0 else { return self = other }
            samples += other.samples
            for index in sum.indices {
                least[index] = min(least[index], other.least[index])
                sum[index] += other.sum[index]
                most[index] = max(most[index], other.most[index])
            }
        }
    }

    /// One figure that is kept.
    private struct Series {
        let name: String
        let value: @Sendable (ServerFigures, Rates) -> Double
    }

    private static let series: [Series] = MetricsRegistry.server.compactMap { metric -> Series? in
        guard metric.description.isInHistory else { return nil }
        if let rate = metric.description.rate {
            return Series(name: "\(rate)PerSecond") { $1["\(rate)"] }
        }
        guard let name = metric.description.members.first?.name else { return nil }
        return Series(name: "\(name)") { figures, _ in metric.value(figures).amount }
    }

    /// Adds the figures of a second.
    mutating func add(_ figures: ServerFigures, _ rates: Rates, now: MonotonicTime) {
        add(Self.series.map { $0.value(figures, rates) }, now: now) { OperatorReason.counts(in: figures) }
    }

    /// - Parameter counts: the counts by reason since the start; read every few seconds.
    mutating func add(_ values: [Double], now: MonotonicTime, counts: () -> [UInt64]) {
        if let lastAt {
            let missed = (now.microseconds(since: lastAt) + 500_000) / 1_000_000
            for _ in 0..<min(max(1, missed) - 1, UInt64(Range.minutes.stepsMax)) { append(nil) }
        }
        lastAt = now
        append(values)
        endMinutes(now: now, counts: counts)
        running.add(values)
        reasons.add(now: now, counts: counts)
    }

    private mutating func append(_ values: [Double]?) {
        if seconds.count == Range.minutes.stepsMax { seconds.removeFirst() }
        seconds.append(values)
    }

    /// Ends the minutes whose time is over: after a standstill those that were missed, too.
    private mutating func endMinutes(now: MonotonicTime, counts: () -> [UInt64]) {
        guard var began = minuteAt else { return minuteAt = now }
        var ended = 0
        while now - began >= .seconds(60) {
            began += .seconds(60)
            ended += 1
        }
        minuteAt = began
        guard ended > 0 else { return }
        minuteNumber += ended
        for _ in 0..<min(ended, Self.minutesMax) {
            if minutes.count == Self.minutesMax { minutes.removeFirst() }
            minutes.append(running)
            running = Span()
        }
        reasons.endMinutes(min(ended, Self.minutesMax), counts: counts())
    }

    // MARK: Answers

    /// Writes a range: for each series the mean of each step, oldest first, null = nothing was measured; for steps of
    /// minutes the least and the most of each, too.
    func write(_ range: Range, now: MonotonicTime, in line: inout JSONLine) {
        line.member("range", range.rawValue)
        line.member("stepSeconds", range.stepSeconds)
        let steps = steps(of: range)
        // Of the newest step, which is under way.
        let newest = range == .minutes ? 1 : secondsOfMinute(now: now) + 60 * (minuteNumber % (range.stepSeconds / 60))
        line.member("newestSeconds", newest)
        write(steps, in: &line) { $0.sum[$1] / Double($0.samples) }
        guard range != .minutes else { return }
        line.object("least") { line in write(steps, in: &line) { $0.least[$1] } }
        line.object("most") { line in write(steps, in: &line) { $0.most[$1] } }
    }

    private func write(_ steps: [Span], in line: inout JSONLine, value: (Span, Int) -> Double) {
        for (place, series) in Self.series.enumerated() {
            line.array(named: series.name) { line in
                for step in steps { line.element(step.samples > 0 ? value(step, place) : .nan) }
            }
        }
    }

    /// The steps of a range, oldest first. Steps of several minutes begin at fixed ones, so that they do not change
    /// while time goes on.
    private func steps(of range: Range) -> [Span] {
        guard range != .minutes else {
            return seconds.map { values in
                var span = Span()
                if let values { span.add(values) }
                return span
            }
        }
        let width = range.stepSeconds / 60
        var steps: [Span] = []
        var last: Int?
        for (offset, span) in (Array(minutes) + [running]).enumerated() {
            let step = (minuteNumber - minutes.count + offset) / width
            if step != last { steps.append(Span()) }
            last = step
            steps[steps.count - 1].add(span)
        }
        return steps.suffix(range.stepsMax)
    }

    private func secondsOfMinute(now: MonotonicTime) -> Int {
        minuteAt.map { Int(min(60, now.microseconds(since: $0) / 1_000_000)) } ?? 0
    }

    // MARK: Reasons

    /// What was counted in the last minute or so, in the order of `OperatorReason.all`.
    /// - Parameter counts: those since the start.
    func lately(_ counts: [UInt64]) -> [UInt64] { reasons.lately(counts) }

    /// What was counted between two times; the minutes that they touch are counted whole.
    /// - Parameters:
    ///   - seconds: how long ago, the end first.
    ///   - counts: those since the start.
    /// - Returns: the counts in the order of `OperatorReason.all`, and the time that they are of, in seconds ago.
    func counted(
        _ seconds: ClosedRange<Int>, now: MonotonicTime, counts: [UInt64]
    ) -> (counts: [UInt64], seconds: ClosedRange<Int>) {
        reasons.counted(seconds, secondsOfMinute: secondsOfMinute(now: now), counts: counts)
    }
}
