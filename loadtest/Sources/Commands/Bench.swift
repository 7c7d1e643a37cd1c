import ArgumentParser
import CairnWire
import Foundation

/// `cairn-crowd bench`: the rows of the figures in docs/decisions.
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure what the server costs and how fast it is.",
        discussion: """
            One of --row, --few, --durable, --joins, --idle and --growth says what. Each result is a line of JSON.

            With --against another build of the server runs alternately, driven by this crowd, and a last line has the
            medians of both and the ratio of each pair's figures with its interval (sign test, 95 % where there are
            pairs enough).

            PEOPLExCELLSxHZ: everybody walks inside a cell of their own group, cells more than a kilometre apart,
            sharing the exact position; nobody places. Rows of the figures: 50x1x10 200x1x5 1000x20x5 2000x100x2.
            """)

    @Option(help: "People x cells x poses a second: what delivering poses costs.")
    var row: Row?

    @Flag(help: "Five people in a cell, 10 poses a second; then the first pose after a quiet time.")
    var few = false

    @Flag(help: "People place as fast as they are acknowledged, in cells of their own (--people, --in-flight).")
    var durable = false

    @Option(help: "So many people say hello, take a position and get their complete view.")
    var joins: Int?

    @Option(help: "So many people are connected and silent.")
    var idle: Int?

    @Flag(help: "From 100 people to 10,000 and from one cell to 1,000.")
    var growth = false

    @Option(name: .customLong("for"), help: "How long to measure (default: 15s; 10s a row of --growth).")
    var duration: Span?

    @Option(help: "How long to run before that.")
    var warmUp = Span(seconds: 3)

    @Option(help: "Who places in --durable.")
    var people = 64

    @Option(help: "Joins under way at a time (default: 500), or requests of each person of --durable (16).")
    var inFlight: Int?

    @Option(help: "Poses a second of each person of --growth.")
    var rate = 2.0

    @Option(help: "Share of the people who send poses at other moments when the server asks for it.")
    var shifting = 1.0

    @Option(help: "PEOPLExCELLS or PEOPLExCELLSxHZ of --growth, several with commas (default: 100x1 to 5000x1x5).")
    var sizes: String?

    @Option(help: "Program of the server to measure (default: cairn, beside this program).")
    var server: String?

    @Option(help: "Program of another build of the server to compare with, in alternating runs.")
    var against: String?

    @Option(help: "Runs of each build with --against.")
    var pairs = 3

    @Option(help: "A running server to measure, which keeps the accounts; what it costs is unknown.")
    var url: String?

    @Option(help: "Certificate of the server, a PEM file; the crowd trusts it and comes over TLS.")
    var tlsCertificate: String?

    @Option(help: "Its key, a PEM file.")
    var tlsKey: String?

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

    @Option(help: "File for a page with tables and plots.")
    var html: String?

    func validate() throws {
        let asked = [row != nil, few, durable, joins != nil, idle != nil, growth].count { $0 }
        guard asked == 1 else {
            throw ValidationError("say one of --row, --few, --durable, --joins, --idle and --growth")
        }
        guard (1...20_000).contains(joins ?? 1), (1...20_000).contains(idle ?? 1) else {
            throw ValidationError("--joins, --idle: 1 to 20000 people")
        }
        guard (1...86_400).contains(duration?.seconds ?? 1) else { throw ValidationError("--for: 1 s to 24 h") }
        guard (0...600).contains(warmUp.seconds) else { throw ValidationError("--warm-up: 0 s to 10 min") }
        guard (1...1_000).contains(people) else { throw ValidationError("--people: 1 to 1000") }
        let inFlightMax = joins == nil ? 100 : 20_000
        guard (1...inFlightMax).contains(inFlight ?? 1), inFlight == nil || durable || joins != nil else {
            throw ValidationError("--in-flight: 1 to 100 requests of --durable, 1 to 20000 of --joins")
        }
        guard url == nil || (server == nil && against == nil) else {
            throw ValidationError("--url names a running server, --server and --against name programs")
        }
        guard (tlsCertificate == nil) == (tlsKey == nil), url == nil || tlsKey == nil else {
            throw ValidationError("--tls-certificate and --tls-key belong together, and not to --url")
        }
        guard (1...100).contains(pairs) else { throw ValidationError("--pairs: 1 to 100") }
        guard (0.01...100).contains(rate) else { throw ValidationError("--rate: 0.01 to 100 a second") }
        guard (0...1).contains(shifting) else { throw ValidationError("--shifting: 0 to 1") }
        guard growthRows?.isEmpty == false else {
            throw ValidationError(
                "--sizes: PEOPLExCELLS or PEOPLExCELLSxHZ such as 100x1,1000x10x5; 1 to 20000 people, 1 to 1000 cells")
        }
        guard ["proto", "json"].contains(format) else { throw ValidationError("--format: proto or json") }
    }

    func run() async throws {
        // The file is opened before the measurement, so that an unwritable one ends the command at once.
        let page = try html.map { try OutputFile(path: OutputFile.named($0, ending: ".html")) }
        if let row { return try await measureRow(row, page) }
        if few { return try await measureFew() }
        if durable { return try await measureDurable(page) }
        if let joins { return try await measureJoins(joins) }
        if let idle { return try await measureIdle(idle) }
        try await measureGrowth(page)
    }

    // MARK: Parts

    /// All people walk in their cell and share their position; there are no other actions.
    func plan(_ row: Row) -> CrowdPlan {
        var plan = CrowdPlan()
        plan.scenario = "bench"
        plan.people = row.people
        plan.cells = row.cells
        plan.ground = .apart
        plan.rate = row.rate
        plan.shiftingShare = shifting
        plan.seconds = duration?.seconds ?? 15
        plan.warmUpSeconds = warmUp.seconds
        plan.placeEvery = 0
        plan.reactEvery = 0
        plan.seed = seed
        plan.format = format == "json" ? .json : .proto
        return plan
    }

    private func measureRow(_ row: Row, _ page: OutputFile?) async throws {
        let report = try await measure(plan(row)) { $0.withoutTimeline }
        try page?.write(ReportPage.html(report))
    }
}

extension CrowdReport: BenchFigures {
    var compared: [String: Double?] {
        [
            "server_cpu_us_per_pose": self.serverCPUMicrosecondsPerPose, "p50_ms": self.latency?.p50,
            "p99_ms": self.latency?.p99, "bytes_per_pose": self.bytesPerPose,
            "poses_delivered_per_second": self.posesDeliveredPerSecond,
        ]
    }
}

/// `200x1x5`.
struct Row: ExpressibleByArgument, Sendable {
    let people: Int
    let cells: Int
    let rate: Double

    init(people: Int, cells: Int, rate: Double) {
        self.people = people
        self.cells = cells
        self.rate = rate
    }

    init?(argument: String) {
        let parts = argument.split(separator: "x")
        guard parts.count == 3, let people = Int(parts[0]), let cells = Int(parts[1]), let rate = Double(parts[2]),
            (1...20_000).contains(people), (1...1_000).contains(cells), (0.01...100).contains(rate)
        else { return nil }
        self.init(people: people, cells: cells, rate: rate)
    }
}
