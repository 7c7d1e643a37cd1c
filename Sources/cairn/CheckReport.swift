import ArgumentParser
import Foundation

/// What `cairn check` found, in the words of whoever asks.
struct CheckReport {
    var state = State.noAnswer
    /// Whom it asked.
    let socket: String
    /// Where the server says that its clients reach it; empty when it does not say.
    var url = ""
    /// How long the answer took.
    var seconds = 0.0
    /// Why not, when it is not ready.
    var reason = ""
    /// What the server says about its parts; empty when it says nothing.
    var checks: [Readiness.Check] = []
    /// Damaged rows by table; nil when the server does not say.
    var damagedTables: [String: UInt64]?
    /// Damaged indexes; nil when the server does not say.
    var damagedIndexes: [String]?
    /// Indexes that were damaged and have been built anew; nil when the server does not say.
    var rebuiltIndexes: [String]?

    /// The exit code is the raw value.
    enum State: Int32 {
        case ready = 0
        case notReady = 1
        case noAnswer = 2
    }

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, nagios, prometheus
    }

    /// An answer to `check` of the stats socket.
    struct Readiness: Decodable {
        let ready: Bool
        let checks: [Check]
        let url: String
        let port: Int
        /// By table; nil = an older server, which has them in words only.
        let damagedTables: [String: UInt64]?
        let damagedIndexes: [String]?
        let rebuiltIndexes: [String]?

        struct Check: Codable {
            let name: String
            let ok: Bool
            let detail: String
        }
    }

    init(socket: String) {
        self.socket = socket
    }

    /// Takes what the socket answered.
    /// - Parameter expectedPort: of the server that is meant; nil = any.
    mutating func add(_ answer: Data, expectedPort: Int?) {
        state = .notReady
        guard let said = try? JSONDecoder().decode(Readiness.self, from: answer) else {
            let refusal = try? JSONDecoder().decode(StatsErrorAnswer.self, from: answer)
            // An older server does not know the command; anything else is not a server of ours.
            reason = refusal.map { "it refused: \($0.error.message)" } ?? "answered, and not as Cairn does"
            return
        }
        checks = said.checks
        damagedTables = said.damagedTables
        damagedIndexes = said.damagedIndexes
        rebuiltIndexes = said.rebuiltIndexes
        url = said.url
        if let expectedPort, expectedPort != said.port {
            reason =
                "it listens on port \(said.port), and listen.port is \(expectedPort): another server, or one that "
                + "waits for a restart"
        } else if said.ready {
            state = .ready
        }
    }

    /// No answer came, and a process has the world open.
    /// - Parameter isListening: whether it has its stats socket, and is silent.
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
        // What a server that is ready has to say all the same: damage, beside which it serves the rest.
        let told = checks.filter { state != .ready || (Self.damage.contains($0.name) && !$0.detail.isEmpty) }
        let lines =
            told.map { check in
                "  \(check.ok ? "ok " : "not") \(check.name)\(check.detail.isEmpty ? "" : ": \(check.detail)")"
            }
        return ([head] + lines).joined(separator: "\n") + "\n"
    }

    /// The parts that tell of damage.
    private static let damage: Set = ["rows", "indexes"]

    /// What it says of damage; empty = there is none.
    private var damage: String {
        checks.filter { Self.damage.contains($0.name) && !$0.detail.isEmpty }
            .map { "\($0.name) \($0.detail)" }.joined(separator: ", ")
    }

    private var json: String {
        struct Shown: Encodable {
            let state, url, socket, reason: String
            let seconds: Double
            let checks: [Readiness.Check]
            let damagedTables: [String: UInt64]?
            let damagedIndexes, rebuiltIndexes: [String]?
        }
        let names: [State: String] = [.ready: "ready", .notReady: "not_ready", .noAnswer: "no_answer"]
        let shown = Shown(
            state: names[state] ?? "", url: url, socket: socket, reason: reason, seconds: seconds, checks: checks,
            damagedTables: damagedTables, damagedIndexes: damagedIndexes, rebuiltIndexes: rebuiltIndexes)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: (try? encoder.encode(shown)) ?? Data(), as: UTF8.self) + "\n"
    }

    /// A plug-in's one line, with how long the answer took.
    private var nagios: String {
        let failed = checks.filter { !$0.ok }.map { $0.detail.isEmpty ? $0.name : "\($0.name): \($0.detail)" }
        let why = ([reason] + failed).filter { !$0.isEmpty }.joined(separator: ", ")
        let head =
            switch state {
            case .ready: "CAIRN OK - ready\(damage.isEmpty ? "" : ", \(damage)")"
            case .notReady: "CAIRN WARNING - not ready\(why.isEmpty ? "" : ": \(why)")"
            case .noAnswer: "CAIRN CRITICAL - no answer: \(reason)"
            }
        // What stands behind the bar is for machines.
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

    /// As in a label: whatever answers at that address may have said it.
    private static func labelled(_ text: String) -> String {
        printable(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: " ")
    }

    private var shownSeconds: String { String(format: "%.3f", seconds) }

    /// Without what could steer a terminal: whatever answers at that address may have said it.
    private static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0 == "\n" || ($0.value >= 0x20 && !(0x7f...0x9f).contains($0.value)) }))
    }
}
