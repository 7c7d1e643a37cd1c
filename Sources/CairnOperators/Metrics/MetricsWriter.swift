internal import CairnCore
internal import CairnText

/// Writes Prometheus' text format 0.0.4. Names are given as OpenTelemetry writes them and derived by its rule
/// (`MetricFamily`). No label names a user, a cell or an object: those are on the stats socket.
struct MetricsWriter {
    private(set) var text = ""

    /// Everything that `/metrics` shows.
    static func page(_ figures: ServerFigures) -> [UInt8] {
        var writer = MetricsWriter()
        for metric in MetricsRegistry.exported { writer.write(metric.description, metric.value(figures)) }
        return Array(writer.text.utf8)
    }

    mutating func write(_ description: MetricDescription, _ value: MetricValue) {
        guard let family = description.family else { return }
        let name = family.name(in: description.unit)
        let help = description.sentence.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(family.kind.rawValue)\n"
        let divisor = description.unit.divisor
        switch value {
        case .counts(let counts):
            for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
                sample(name, Self.label(family.label, key), Double(count) / divisor)
            }
        case .numbers(let numbers):
            for (key, number) in numbers.sorted(by: { $0.key < $1.key }) {
                sample(name, Self.label(family.label, key), number / divisor)
            }
        case .histogram(let histogram): write(name, "", histogram)
        case .histograms(let histograms):
            for (key, histogram) in histograms.sorted(by: { $0.key < $1.key }) {
                write(name, Self.label(family.label, key), histogram)
            }
        case .nothing: break
        case .count, .level, .number, .flag, .names, .text, .members: sample(name, "", value.amount / divisor)
        }
    }

    private mutating func write(_ name: String, _ label: String, _ histogram: MetricHistogram) {
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            let labels = [label, Self.label("le", Self.shown(bound))].filter { !$0.isEmpty }.joined(separator: ",")
            text += "\(name)_bucket{\(labels)} \(count)\n"
        }
        let labels = [label, Self.label("le", "+Inf")].filter { !$0.isEmpty }.joined(separator: ",")
        text += "\(name)_bucket{\(labels)} \(histogram.count)\n"
        sample(name + "_sum", label, histogram.sumSeconds)
        sample(name + "_count", label, Double(histogram.count))
    }

    private mutating func sample(_ name: String, _ label: String, _ figure: Double) {
        text += "\(name)\(label.isEmpty ? "" : "{\(label)}") \(Self.shown(figure))\n"
    }

    private static func label(_ name: String, _ value: String) -> String {
        "\(name)=\"\(Escaping.quotation(value))\""
    }

    /// Whole numbers without a point.
    private static func shown(_ figure: Double) -> String {
        figure == figure.rounded() && abs(figure) < 1e15 ? "\(Int(figure))" : "\(figure)"
    }
}
