internal import CairnCore

/// A figure that should be zero, false or none and is not. `cairn top` and the console show it as it stands here.
struct RaisedAlarm: Sendable {
    let figure: StaticString
    let alarm: MetricAlarm
    /// nil = the figure is true or false.
    let amount: Int?

    fileprivate typealias Row = Metric<RaisedAlarm>

    static let metrics: [Metric<RaisedAlarm>] = [
        Row("figure", in: .alarms, "name of the figure") { .text("\($0.figure)") },
        Row("severity", in: .alarms, "bad = something is lost or will be; warn = nothing is lost yet") {
            .text($0.alarm.severity.rawValue)
        },
        Row("amount", in: .alarms, "how many; null = the figure is true or false") {
            $0.amount.map { .level($0) } ?? .nothing
        },
        Row("text", in: .alarms, "its meaning, for people") { .text($0.alarm.text) },
        Row("remedy", in: .alarms, "a command for details; empty = see docs/operations.md") {
            .text($0.alarm.remedy)
        },
    ]
}

extension MetricSection {
    static let alarms = MetricSection(
        "alarms", heading: "Alarms (`totals.alarms`)",
        preface: "A list of figures that should be zero, false or none and are not, the worst first; mostly empty.")
}

extension ServerFigures {
    /// The raised alarms, the worst first.
    var alarms: [RaisedAlarm] {
        MetricAlarm.Severity.allCases.flatMap { severity in
            MetricsRegistry.alarmed.compactMap { name, metric, alarm -> RaisedAlarm? in
                let value = metric.value(self)
                guard alarm.severity == severity, value.amount > 0 else { return nil }
                if case .flag = value { return RaisedAlarm(figure: name, alarm: alarm, amount: nil) }
                return RaisedAlarm(figure: name, alarm: alarm, amount: Int(value.amount))
            }
        }
    }
}
