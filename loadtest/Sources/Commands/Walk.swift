import ArgumentParser
import CairnWire
import Foundation

/// `cairn-crowd walk`: people walk, see one another, place, edit, remove and react.
struct Walk: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "People walk over cell borders, see one another, place things and react to them.")

    @Option(help: "How many people.")
    var people = 200

    @Option(name: .customLong("for"), help: "How long to measure: 30s, 2m.")
    var duration = Span(seconds: 30)

    @Option(help: "Server to send them to: ws://ADDRESS:PORT/v1. Without it a throw-away one is started.")
    var url: String?

    @Option(help: "Process of that server, to measure its CPU time.")
    var serverPid: Int32?

    @Option(help: "How many cells they are spread over (default: one for each 50 people, at least 3).")
    var cells: Int?

    @Flag(inversion: .prefixedNo, help: "Walk over the borders of a strip of cells, or keep to cells far apart.")
    var crossing = true

    @Option(help: "Poses a second and person.")
    var rate = 2.0

    @Option(help: "Walking speed in metres a second.")
    var speed = 1.4

    @Option(help: "Seconds between two placements of a person; 0 = none.")
    var placeEvery = 15.0

    @Option(help: "Seconds between two reactions of a person; 0 = none.")
    var reactEvery = 10.0

    @Option(help: "Seconds between two cuts of a person's connection, on average; 0 = none.")
    var cutEvery = 0.0

    @Option(help: "Share of people who stop reading for seconds at a time, 0 to 1.")
    var slowReaders = 0.0

    @Option(help: "Seed of everything that is left to chance.")
    var seed: UInt64?

    @Option(help: "File for the report, as JSON.")
    var json: String?

    @Option(help: "Protocol: proto or json.")
    var format = "proto"

    @Flag(inversion: .prefixedNo, help: "Share one's position with the others.")
    var share = true

    @Option(help: "Loops of the throw-away server.")
    var loops: Int?

    @Option(name: .customLong("set"), help: "A setting of the throw-away server: key=value.")
    var settings: [String] = []

    func validate() throws {
        guard (1...20_000).contains(people) else { throw ValidationError("--people: 1 to 20000") }
        guard (0.01...100).contains(rate) else { throw ValidationError("--rate: 0.01 to 100 a second") }
        guard duration.seconds >= 1, duration.seconds <= 86_400 else { throw ValidationError("--for: 1s to 24h") }
        guard (1...1_000).contains(cells ?? 1) else { throw ValidationError("--cells: 1 to 1000") }
        guard (0...1).contains(slowReaders), cutEvery >= 0 else {
            throw ValidationError("--slow-readers: 0 to 1; --cut-every: 0 or more seconds")
        }
        guard placeEvery >= 0, reactEvery >= 0, speed >= 0 else { throw ValidationError("times and speed: 0 or more") }
        guard ["proto", "json"].contains(format) else { throw ValidationError("--format: proto or json") }
    }

    func run() async throws {
        var plan = CrowdPlan()
        plan.people = people
        plan.cells = cells ?? max(3, people / 50)
        plan.crosses = crossing
        plan.rate = rate
        plan.seconds = duration.seconds
        plan.placeEvery = placeEvery
        plan.reactEvery = reactEvery
        plan.shares = share
        plan.speed = speed
        plan.cutEvery = cutEvery
        plan.slowShare = slowReaders
        plan.seed = seed ?? .random(in: 1...UInt64(UInt32.max))
        plan.format = format == "json" ? .json : .proto
        Printing.plan(plan, url: url)
        let runner = CrowdRunner(
            plan: plan, url: url, serverPID: serverPid, loops: loops, serverSettings: settings)
        let report: CrowdReport
        do {
            report = try await runner.run()
        } catch {
            Printing.error("cairn-crowd: \(error)")
            throw ExitCode.failure
        }
        Printing.report(report)
        if let json { try write(report, to: json) }
        if !report.isGood { throw ExitCode.failure }
    }
}

func write(_ report: CrowdReport, to path: String) throws {
    try Data((Printing.json(report, pretty: true) + "\n").utf8).write(to: URL(fileURLWithPath: path))
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
