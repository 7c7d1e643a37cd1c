internal import CairnCore
internal import CairnLogging

/// The state of health in one line with its reasons: what `health`, the console, `cairn top` and `cairn check` say.
struct HealthVerdict: Sendable {
    /// The worst first.
    let alarms: [RaisedAlarm]

    enum State: String, Sendable {
        /// No alarm is raised.
        case healthy
        /// Nothing is lost yet.
        case watch
        /// Data or service is lost, or will be.
        case trouble
    }

    static let none = HealthVerdict(alarms: [])

    var state: State {
        if alarms.contains(where: { $0.alarm.severity == .bad }) { return .trouble }
        return alarms.isEmpty ? .healthy : .watch
    }

    /// For people.
    var line: String {
        let word = state.rawValue.prefix(1).uppercased() + state.rawValue.dropFirst()
        return alarms.isEmpty ? word : "\(word): " + alarms.map(\.sentence).joined(separator: "; ")
    }

    /// - Parameter unseen: alarms that no operator has marked as seen.
    func write(unseen: Int, in line: inout JSONLine) {
        line.members(Self.metrics, of: self)
        line.member("unseen", unseen)
    }

    func writeAlarms(in line: inout JSONLine) {
        line.array("alarms") { line in
            for alarm in alarms { line.element { $0.members(RaisedAlarm.metrics, of: alarm) } }
        }
    }

    private typealias Row = Metric<HealthVerdict>

    private static let metrics: [Metric<HealthVerdict>] = [
        Row("state", in: .health, "healthy, watch = nothing is lost yet, trouble = something is lost or will be") {
            .text($0.state.rawValue)
        },
        Row("line", in: .health, "the state with its reasons, for people") { .text($0.line) },
    ]

    /// What `schema` says of all members.
    static let explained: [MetricDescription] =
        metrics.map(\.description)
        + [
            Row("unseen", in: .health, unit: "alarms", "kept alarms that no operator has marked as seen") { _ in
                .nothing
            }.description
        ]
}

extension MetricSection {
    static let health = MetricSection(
        "health", heading: "Health (`health`, and in `totals` and `check`)",
        preface: """
            The state of the server, made of the alarms that are raised. `alarms` has the same alarms and those of \
            earlier, since the start of the server, until an operator marks them as seen.
            """)
}
