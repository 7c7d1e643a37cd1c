internal import CairnCore

/// A figure that should be zero, false, none or small and is not. `cairn top` and the console show it as it is here.
struct RaisedAlarm: Sendable {
    let figure: StaticString
    /// The section of the stats socket that it belongs to.
    let section: MetricSection
    let alarm: MetricAlarm
    /// nil = the figure is true or false.
    let amount: Int?

    /// Text and amount.
    var sentence: String { amount.map { "\(alarm.text) (\($0))" } ?? alarm.text }

    /// Whether this figure has raised it, or the rule of this name.
    func isOf(_ figure: StaticString) -> Bool { "\(self.figure)" == "\(figure)" }

    fileprivate typealias Row = Metric<RaisedAlarm>

    static let metrics: [Metric<RaisedAlarm>] = [
        Row("figure", in: .alarms, "name of the figure, or of the rule") { .text("\($0.figure)") },
        Row("section", in: .alarms, "what it concerns: store, queues, process or refusals") { .text($0.section.name) },
        Row("severity", in: .alarms, "bad = something is lost or will be; warn = nothing is lost yet") {
            .text($0.alarm.severity.rawValue)
        },
        Row("amount", in: .alarms, "how many, or which level; null = there is none to tell") {
            $0.amount.map { .level($0) } ?? .nothing
        },
        Row("text", in: .alarms, "its meaning, for people") { .text($0.alarm.text) },
        Row("remedy", in: .alarms, "what to do, for people; docs/operations.md says more") {
            .text($0.alarm.remedy)
        },
    ]
}

extension MetricSection {
    static let alarms = MetricSection(
        "alarms", heading: "Alarms (`alarms`, and in `totals`)",
        preface: "A list of what should not be and is, the worst first; mostly empty.")
}

extension ServerFigures {
    /// The raised alarms, the worst first.
    func alarms(_ health: HealthFigures) -> [RaisedAlarm] {
        let byFigures = MetricsRegistry.alarmed.compactMap { name, metric, alarm -> RaisedAlarm? in
            let value = metric.value(self)
            guard value.amount > 0, let member = metric.description.members.first else { return nil }
            if case .flag = value {
                return RaisedAlarm(figure: name, section: member.section, alarm: alarm, amount: nil)
            }
            return RaisedAlarm(figure: name, section: member.section, alarm: alarm, amount: Int(value.amount))
        }
        return RaisedAlarm.byGravity(byFigures + RaisedAlarm.byRules(health))
    }
}

extension RaisedAlarm {
    /// Those that depend on more than one figure, or on how large it is.
    static func byRules(_ figures: HealthFigures) -> [RaisedAlarm] {
        HealthRule.all.compactMap { rule in
            rule.judge(figures).map {
                RaisedAlarm(figure: rule.figure, section: rule.section, alarm: $0.alarm, amount: $0.amount)
            }
        }
    }

    /// The worst first; of equals in the order of the registry.
    static func byGravity(_ alarms: [RaisedAlarm]) -> [RaisedAlarm] {
        MetricAlarm.Severity.allCases.flatMap { severity in alarms.filter { $0.alarm.severity == severity } }
    }
}
