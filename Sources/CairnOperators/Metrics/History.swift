internal import CairnCore
internal import CairnLogging

/// Metrics of the last minutes, second by second, so that a newly opened console shows their course.
struct History {
    /// Seconds that are kept.
    static let secondsMax = 300

    private var values = Array(repeating: [Double](), count: Self.series.count)

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

    mutating func add(_ figures: ServerFigures, _ rates: Rates) {
        for (place, series) in Self.series.enumerated() {
            if values[place].count == Self.secondsMax { values[place].removeFirst() }
            values[place].append(series.value(figures, rates))
        }
    }

    func write(in line: inout JSONLine) {
        for (series, values) in zip(Self.series, values) {
            line.array(named: series.name) { line in values.forEach { line.element($0) } }
        }
    }
}
