import ArgumentParser
import CairnText
import Foundation

/// The result of `cairn check`, printable in several formats.
struct CheckReport {
    var state = State.noAnswer
    /// Path of the socket that was asked.
    let socket: String
    /// The server's URL for clients, as it reports it; empty when it reports none.
    var url = ""
    /// Seconds until the answer.
    var seconds = 0.0
    /// Why the server is not ready.
    var reason = ""
    /// The state of each part of the server; empty when the server does not report it.
    var checks: [Readiness.Check] = []
    /// Damaged rows by table; nil when the server does not report them.
    var damagedTables: [String: UInt64]?
    /// Damaged indexes; nil when the server does not report them.
    var damagedIndexes: [String]?
    /// Indexes that were damaged and have been rebuilt; nil when the server does not report them.
    var rebuiltIndexes: [String]?
    /// The state of health: healthy, watch or trouble; nil when the server does not report it.
    var health: String?
    /// What is wrong beyond `checks`, with what to do.
    var alarms: [StatsTotals.Alarm] = []

    /// The exit code is the raw value.
    enum State: Int32 {
        case ready = 0
        case notReady = 1
        case noAnswer = 2
    }

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, nagios, prometheus
    }

    /// The answer to the stats socket's command `check`.
    struct Readiness: Decodable {
        let ready: Bool
        let checks: [Check]
        let url: String
        let port: Int
        /// By table; nil = an older server, which reports them in words only.
        let damagedTables: [String: UInt64]?
        let damagedIndexes: [String]?
        let rebuiltIndexes: [String]?
        /// nil = an older server.
        let health: StatsTotals.Health?
        let alarms: [StatsTotals.Alarm]?

        struct Check: Codable {
            let name: String
            let ok: Bool
            let detail: String
        }
    }

    init(socket: String) {
        self.socket = socket
    }

    /// Adds the socket's answer.
    /// - Parameter expectedPort: port of the expected server; nil = any.
    mutating func add(_ answer: Data, expectedPort: Int?) {
        state = .notReady
        guard let said = try? JSONDecoder().decode(Readiness.self, from: answer) else {
            let refusal = try? JSONDecoder().decode(StatsErrorAnswer.self, from: answer)
            // An older server refuses the unknown command; anything else is no Cairn server.
            reason = refusal.map { "it refused: \($0.error.message)" } ?? "answered, and not as Cairn does"
            return
        }
        checks = said.checks
        damagedTables = said.damagedTables
        damagedIndexes = said.damagedIndexes
        rebuiltIndexes = said.rebuiltIndexes
        health = said.health?.state
        alarms = (said.alarms ?? []).filter { !Self.checked.contains($0.figure) }
        url = said.url
        if let expectedPort, expectedPort != said.port {
            reason =
                "it listens on port \(said.port), and listen.port is \(expectedPort): another server, or one that "
                + "waits for a restart"
        } else if said.ready {
            state = .ready
        }
    }

    /// Adds that no answer came while a process has the world open.
    /// - Parameter isListening: whether its stats socket exists, so that it is silent rather than starting or stopping.
    mutating func addHolder(_ process: Int32, isListening: Bool) {
        if isListening {
            reason += ": process \(process) has the world open, and is halted or has no processor"
        } else {
            state = .notReady
            reason = "process \(process) has the world open and takes no questions: it is starting or stopping"
        }
    }

    func text(_ format: Format) -> String {
        switch format {
        case .text: Self.printable(words)
        case .json: json
        case .nagios: Self.printable(nagios)
        case .prometheus: prometheus
        }
    }

    private var words: String {
        let head =
            switch state {
            case .ready: "ready: \(url)"
            case .notReady: "not ready: \(url.isEmpty ? socket : url)\(reason.isEmpty ? "" : ": \(reason)")"
            case .noAnswer: "no answer: \(reason)"
            }
        // A ready server may have damage, too: it serves the rest of the world.
        let told = checks.filter { state != .ready || (Self.damage.contains($0.name) && !$0.detail.isEmpty) }
        let lines =
            told.map { check in
                "  \(check.ok ? "ok " : "not") \(check.name)\(check.detail.isEmpty ? "" : ": \(check.detail)")"
            }
        let wrong = alarms.map { "  \($0.severity == "bad" ? "bad " : "warn") \($0.words)" }
        return ([head] + lines + wrong).joined(separator: "\n") + "\n"
    }

    /// Alarms that a part of `checks` says more exactly.
    private static let checked: Set = [
        "serving", "fileMoved", "failing", "acceptsChanges", "damagedRows", "damagedIndexes", "rebuiltIndexes",
    ]

    /// The parts that report damage.
    private static let damage: Set = ["rows", "indexes"]

    /// The reported damage; empty = none.
    private var damage: String {
        checks.filter { Self.damage.contains($0.name) && !$0.detail.isEmpty }
            .map { "\($0.name) \($0.detail)" }.joined(separator: ", ")
    }

    private var json: String {
        struct Shown: Encodable {
            let state, url, socket, reason: String
            let health: String?
            let alarms: [String]
            let seconds: Double
            let checks: [Readiness.Check]
            let damagedTables: [String: UInt64]?
            let damagedIndexes, rebuiltIndexes: [String]?
        }
        let names: [State: String] = [.ready: "ready", .notReady: "not_ready", .noAnswer: "no_answer"]
        let shown = Shown(
            state: names[state] ?? "", url: url, socket: socket, reason: reason, health: health,
            alarms: alarms.map(\.words), seconds: seconds, checks: checks, damagedTables: damagedTables,
            damagedIndexes: damagedIndexes, rebuiltIndexes: rebuiltIndexes)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: (try? encoder.encode(shown)) ?? Data(), as: UTF8.self) + "\n"
    }

    /// The one line of a Nagios plug-in, with the time of the answer.
    private var nagios: String {
        let failed = checks.filter { !$0.ok }.map { $0.detail.isEmpty ? $0.name : "\($0.name): \($0.detail)" }
        let why = ([reason] + failed).filter { !$0.isEmpty }.joined(separator: ", ")
        let head =
            switch state {
            case .ready:
                (["CAIRN OK - ready", damage] + alarms.map(\.words)).filter { !$0.isEmpty }.joined(separator: ", ")
            case .notReady: "CAIRN WARNING - not ready\(why.isEmpty ? "" : ": \(why)")"
            case .noAnswer: "CAIRN CRITICAL - no answer: \(reason)"
            }
        // By convention, performance data follow the bar.
        return "\(head.replacing("|", with: "/").replacing("\n", with: " ")) | time=\(shownSeconds)s\n"
    }

    /// For node_exporter's textfile collector.
    private var prometheus: String {
        var lines: [String] = []
        func family(_ name: String, _ help: String, _ label: String, _ rows: [(String, String)]) {
            lines += ["# HELP \(name) \(help)", "# TYPE \(name) gauge"]
            lines += rows.map { "\(name){\(label)=\"\(Self.labelled($0.0))\"} \($0.1)" }
        }
        func gauge(_ name: String, _ help: String, _ value: String) {
            lines += ["# HELP \(name) \(help)", "# TYPE \(name) gauge", "\(name) \(value)"]
        }
        gauge("cairn_check_up", "1 when the server answered.", state == .noAnswer ? "0" : "1")
        gauge("cairn_check_ready", "1 when the server was ready.", state == .ready ? "1" : "0")
        gauge("cairn_check_duration_seconds", "How long the answer took.", shownSeconds)
        if !checks.isEmpty {
            family(
                "cairn_check_part_ok", "1 when that part of the server does its work.", "part",
                checks.map { ($0.name, $0.ok ? "1" : "0") })
        }
        if let damagedTables {
            gauge(
                "cairn_check_damaged_rows", "Damaged rows that the server has met since its start and set aside.",
                "\(damagedTables.values.reduce(0, &+))")
            if !damagedTables.isEmpty {
                family(
                    "cairn_check_damaged_table_rows", "The same by table.", "table",
                    damagedTables.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") })
            }
        }
        if let damagedIndexes, let rebuiltIndexes {
            gauge(
                "cairn_check_damaged_indexes", "Indexes found damaged and not built anew yet.",
                "\(damagedIndexes.count)")
            gauge(
                "cairn_check_rebuilt_indexes", "Indexes found damaged since the server's start and built anew.",
                "\(rebuiltIndexes.count)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Escapes a text for a label: it may come from any program that answers at that address.
    private static func labelled(_ text: String) -> String {
        Escaping.quotation(printable(text))
    }

    private var shownSeconds: String { String(format: "%.3f", seconds) }

    /// Removes control characters, which could steer a terminal: the text may come from any program that answers at
    /// that address.
    private static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0 == "\n" || ($0.value >= 0x20 && !(0x7f...0x9f).contains($0.value)) }))
    }
}
