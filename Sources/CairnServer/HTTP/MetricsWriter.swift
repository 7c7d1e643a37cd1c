/// Writes Prometheus' text format 0.0.4. Names are given as OpenTelemetry writes them and derived by its rule: dots
/// become underscores, then the unit, then `_total` for counters.
struct MetricsWriter {
    private(set) var text = ""

    /// A label, its value and the figure; no label when it is empty.
    typealias Row = (label: String, value: String, figure: Double)

    /// Bounds for the times of requests, in seconds.
    static let secondBounds = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// One histogram of a family.
    struct Histogram {
        var label: (String, String)?
        /// Ascending, in seconds.
        let bounds: [Double]
        /// How many were at most as long as each bound.
        let counts: [UInt64]
        let count: UInt64
        let sumSeconds: Double
    }

    mutating func gauge(_ name: String, unit: String = "", _ help: String, _ figure: Int) {
        family(Self.derive(name, unit), "gauge", help, [("", "", Double(figure))])
    }

    mutating func gauge(_ name: String, unit: String = "", _ help: String, _ figure: Double) {
        family(Self.derive(name, unit), "gauge", help, [("", "", figure)])
    }

    mutating func gauge(_ name: String, unit: String = "", _ help: String, _ rows: [Row]) {
        family(Self.derive(name, unit), "gauge", help, rows)
    }

    mutating func counter(_ name: String, unit: String = "", _ help: String, _ figure: UInt64) {
        family(Self.derive(name, unit) + "_total", "counter", help, [("", "", Double(figure))])
    }

    mutating func counter(_ name: String, unit: String = "", _ help: String, _ rows: [Row]) {
        family(Self.derive(name, unit) + "_total", "counter", help, rows)
    }

    mutating func histogram(_ name: String, _ help: String, _ histograms: [Histogram]) {
        let name = Self.derive(name, "s")
        head(name, "histogram", help)
        for histogram in histograms {
            let own = histogram.label.map { "\($0.0)=\"\(Self.escaped($0.1))\"" } ?? ""
            for (bound, count) in zip(histogram.bounds, histogram.counts) {
                text += "\(name)_bucket{\(own)\(own.isEmpty ? "" : ",")le=\"\(Self.shown(bound))\"} \(count)\n"
            }
            text += "\(name)_bucket{\(own)\(own.isEmpty ? "" : ",")le=\"+Inf\"} \(histogram.count)\n"
            let braces = own.isEmpty ? "" : "{\(own)}"
            text += "\(name)_sum\(braces) \(Self.shown(histogram.sumSeconds))\n"
            text += "\(name)_count\(braces) \(histogram.count)\n"
        }
    }

    private mutating func family(_ name: String, _ type: String, _ help: String, _ rows: [Row]) {
        head(name, type, help)
        for (label, value, figure) in rows {
            let braces = label.isEmpty ? "" : "{\(label)=\"\(Self.escaped(value))\"}"
            text += "\(name)\(braces) \(Self.shown(figure))\n"
        }
    }

    private mutating func head(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n"))\n"
        text += "# TYPE \(name) \(type)\n"
    }

    private static func derive(_ name: String, _ unit: String) -> String {
        let units = ["": "", "By": "_bytes", "s": "_seconds"]
        guard let suffix = units[unit] else { preconditionFailure("no rule for the unit \(unit)") }
        return name.replacing(".", with: "_") + suffix
    }

    /// Whole numbers without a point.
    private static func shown(_ figure: Double) -> String {
        figure == figure.rounded() && abs(figure) < 1e15 ? "\(Int(figure))" : "\(figure)"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
