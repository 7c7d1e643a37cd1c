import ArgumentParser
import CairnWire
import Foundation

/// `cairn-crowd bench`: the rows of the figures in docs/decisions.
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure what delivering poses costs the server.",
        discussion: """
            PEOPLExCELLSxHZ: everybody walks inside a cell of their own group, cells more than a kilometre apart,
            sharing the exact position; nobody places. Rows of the figures: 50x1x10 200x1x5 1000x20x5 2000x100x2.
            """)

    @Option(help: "People x cells x poses a second.")
    var row: Row

    @Option(name: .customLong("for"), help: "How long to measure.")
    var duration = Span(seconds: 15)

    @Option(help: "How long to run before that.")
    var warmUp = Span(seconds: 3)

    @Option(help: "Loops of the server.")
    var loops = 1

    @Option(name: .customLong("set"), help: "A setting of the server: key=value.")
    var settings: [String] = []

    @Option(help: "Protocol: proto or json.")
    var format = "proto"

    @Option(help: "Seed of everything that is left to chance.")
    var seed: UInt64 = 1

    @Flag(inversion: .prefixedNo, help: "Server on processor 0, crowd on processor 1.")
    var pin = true

    @Flag(help: "Lines of progress.")
    var verbose = false

    func run() async throws {
        var plan = CrowdPlan()
        plan.scenario = "bench"
        plan.people = row.people
        plan.cells = row.cells
        plan.crosses = false
        plan.rate = row.rate
        plan.seconds = duration.seconds
        plan.warmUpSeconds = warmUp.seconds
        plan.placeEvery = 0
        plan.reactEvery = 0
        plan.seed = seed
        plan.format = format == "json" ? .json : .proto
        let canPin = pin && ProcessInfo.processInfo.activeProcessorCount > 1
        let runner = CrowdRunner(
            plan: plan, loops: loops, serverSettings: settings, pins: canPin ? (server: 0, crowd: 1) : nil,
            isQuiet: !verbose)
        if verbose { Printing.plan(plan, url: nil) }
        let report: CrowdReport
        do {
            report = try await runner.run()
        } catch {
            Printing.error("cairn-crowd: \(error)")
            throw ExitCode.failure
        }
        Printing.line(Printing.json(report))
        if !report.isGood { throw ExitCode.failure }
    }
}

/// `200x1x5`.
struct Row: ExpressibleByArgument {
    let people: Int
    let cells: Int
    let rate: Double

    init?(argument: String) {
        let parts = argument.split(separator: "x")
        guard parts.count == 3, let people = Int(parts[0]), let cells = Int(parts[1]), let rate = Double(parts[2]),
            (1...20_000).contains(people), (1...1_000).contains(cells), (0.01...100).contains(rate)
        else { return nil }
        self.people = people
        self.cells = cells
        self.rate = rate
    }
}
