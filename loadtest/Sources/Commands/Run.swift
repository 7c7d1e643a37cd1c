import ArgumentParser
import Foundation

/// `cairn-crowd run stadium`, or for short `cairn-crowd stadium`.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Carry out a scenario and judge what the server did.",
        discussion: """
            SCENARIO is a name (\(Scenario.names.joined(separator: ", "))) or the path of a YAML file of the same keys;
            `cairn-crowd scenarios` explains them. The word `run` may be left out.
            """)

    @Argument(help: "Name of a scenario, or path of its file.")
    var scenario = "walk"

    @Option(help: "How many people.")
    var people: Int?

    @Option(name: .customLong("for"), help: "How long to measure: 30s, 2m.")
    var duration: Span?

    @Option(help: "How many cells they are spread over.")
    var cells: Int?

    @Option(help: "Poses a second and person.")
    var rate: Double?

    @Option(help: "Seed of everything that is left to chance.")
    var seed: UInt64?

    @Option(name: .customLong("with"), help: "Any key of the scenario: key=value.")
    var keys: [String] = []

    @Option(help: "Latitude and longitude of where they are, such as 45.5,-73.57.")
    var at: String?

    @Option(help: "Server to send them to: ws:// or wss://HOST:PORT/v1. Without it a throw-away one is started.")
    var url: String?

    @Option(help: "Certificates to trust over wss, as PEM, instead of the system's.")
    var ca: String?

    @Option(help: "File of sign-in tokens for that server, a line for each of the people.")
    var tokenFile: String?

    @Flag(help: "Leave in that server's world what was placed.")
    var keep = false

    @Option(help: "Process of that server, to measure its CPU time.")
    var serverPid: Int32?

    @Option(help: "Loops of the throw-away server.")
    var loops: Int?

    @Option(name: .customLong("set"), help: "A setting of the throw-away server: key=value.")
    var settings: [String] = []

    @Flag(help: "Throw-away server on processor 0, crowd on processor 1.")
    var pin = false

    @Option(help: "File for the report, as JSON.")
    var json: String?

    @Option(help: "File for the report, as a page with plots; .html is added to a name that ends otherwise.")
    var html: String?

    @Flag(help: "Text for people also where the output is no terminal, instead of lines of JSON.")
    var text = false

    func validate() throws {
        guard url != nil || (ca == nil && tokenFile == nil && !keep) else {
            throw ValidationError("--ca, --token-file and --keep are for a server that --url names")
        }
    }

    func run() async throws {
        let plan = try plan()
        if text { Printing.choose(text: true) }
        // The file is opened before the run, so that an unwritable one ends the command at once.
        let jsonFile = try json.map { try OutputFile(path: $0) }
        let page = try html.map { try OutputFile(path: OutputFile.named($0, ending: ".html")) }
        let runner = CrowdRunner(
            plan: plan, url: url, authorities: ca, tokenFile: tokenFile, keepsThings: keep, serverPID: serverPid,
            loops: loops,
            serverSettings: settings,
            pins: pin ? CrowdRunner.usualPins : nil)
        Printing.plan(of: runner)
        let report = try await runner.report()
        Printing.report(report)
        try jsonFile?.write(Printing.json(report, pretty: true) + "\n")
        try page?.write(ReportPage.html(report))
        if !report.isGood { throw ExitCode.failure }
    }

    /// The scenario's plan with everything that the command line changes.
    func plan() throws -> CrowdPlan {
        let found: Scenario
        do {
            found = try Scenario.find(scenario)
        } catch {
            throw ValidationError(error.description)
        }
        var plan = found.plan
        var changes: [(key: String, value: String)] = []
        if let people { changes.append(("people", "\(people)")) }
        if let duration { changes.append(("seconds", duration.seconds.plain)) }
        if let cells { changes.append(("cells", "\(cells)")) }
        if let rate { changes.append(("rate", rate.plain)) }
        if let at { changes.append(("at", at)) }
        if let seed { changes.append(("seed", "\(seed)")) }
        for pair in keys {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { throw ValidationError("--with \(pair): wants key=value") }
            changes.append((String(parts[0]), String(parts[1])))
        }
        for (name, value) in changes {
            guard let key = ScenarioKey.named(name) else { throw ValidationError(ScenarioKey.unknown(name)) }
            guard key.write(&plan, value) else {
                throw ValidationError("\(name): got \(value), wants \(key.wants)")
            }
        }
        guard plan.speedLeast <= plan.speedMost else { throw ValidationError("speedLeast: more than speedMost") }
        return plan
    }
}

/// `cairn-crowd scenarios`: lists the scenarios and every key.
struct Scenarios: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the scenarios and explain every key that one may have.")

    func run() throws {
        for name in Scenario.names {
            let scenario = try Scenario.find(name)
            Printing.line("\(name.padding(toLength: 10, withPad: " ", startingAt: 0))\(scenario.about)")
        }
        Printing.line("")
        for key in ScenarioKey.all {
            let unit = key.unit.map { " (\($0))" } ?? ""
            Printing.line("\(key.name)\(unit), default \(key.read(CrowdPlan()).text), wants \(key.wants)")
            Printing.line("    \(key.meaning)")
        }
    }
}

/// A length of time on the command line: `30s`, `2m`, `1h`, or seconds.
struct Span: ExpressibleByArgument {
    let seconds: Double

    init(seconds: Double) { self.seconds = seconds }

    init?(argument: String) {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]
        let unit = argument.last.flatMap { units[$0] }
        guard let number = Double(unit == nil ? Substring(argument) : argument.dropLast()), number.isFinite else {
            return nil
        }
        seconds = number * (unit ?? 1)
    }

    var defaultValueDescription: String { "\(seconds.plain)s" }
}
