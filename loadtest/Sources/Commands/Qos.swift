import ArgumentParser
import Foundation

/// `cairn-crowd qos`: whether QOS-3 is kept at a size such as QOS-1 names.
struct Qos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "qos",
        abstract: "Judge the times of each kind of request and broadcast (QOS-1, QOS-3).",
        discussion: """
            People of the scenario everyday are spread over cells a kilometre apart. Those who move send two positions
            a second and make every kind of request now and then; the others are connected, follow their view and are
            quiet. Server and crowd share the machine's processors.

            Kept is a kind of request of which 95 % are answered within 200 ms, and a kind of broadcast of which 95 %
            have reached their last receiver within 250 ms, both counted from when the request was due. Fewer than 20
            of a kind are not judged. The exit code is 1 when a kind is broken, when events were dropped for a receiver,
            or when the oracle found a broken rule.

            The two rows of QOS-1: --people 10000 --moving 2000 --cells 100, and --people 1000 --cells 1.
            """)

    @Option(help: "How many connect.")
    var people = 10_000

    @Option(help: "How many of them move and act (default: all).")
    var moving: Int?

    @Option(help: "How many cells they are spread over.")
    var cells = 100

    @Option(name: .customLong("for"), help: "How long to measure, at most 10m.")
    var duration = Span(seconds: 60)

    @Option(help: "How long to run before that.")
    var warmUp = Span(seconds: 10)

    @Option(name: .customLong("with"), help: "Any key of the scenario: key=value.")
    var keys: [String] = []

    @Option(help: "Program of the server to measure (default: cairn, beside this program).")
    var server: String?

    @Option(help: "Loops of the server (default: its own number).")
    var loops: Int?

    @Option(name: .customLong("set"), help: "A setting of the server: key=value.")
    var settings: [String] = []

    @Option(help: "Seed of everything that is left to chance.")
    var seed: UInt64 = 1

    @Option(help: "File for the report, as JSON.")
    var json: String?

    @Flag(help: "Text for people also where the output is no terminal, instead of lines of JSON.")
    var text = false

    /// Poses a second that the crowd judges beside a server on the same processors. Of more, some people judge a part.
    private static let judgedPerSecond = 400_000.0

    /// How many of those who act place into sub-realms, as in the scenario.
    private static let scopedShare = 0.3

    func validate() throws {
        guard (1...20_000).contains(people), (1...1_000).contains(cells) else {
            throw ValidationError("--people: 1 to 20000, --cells: 1 to 1000")
        }
        guard (0...people).contains(moving ?? people) else { throw ValidationError("--moving: 0 to \(people)") }
        // Broadcasts are kept until the end of the run.
        guard (1...600).contains(duration.seconds) else { throw ValidationError("--for: 1 s to 10 min") }
        guard (0...600).contains(warmUp.seconds) else { throw ValidationError("--warm-up: 0 s to 10 min") }
    }

    func run() async throws {
        let plan = try plan()
        if text { Printing.choose(text: true) }
        // The file is opened before the run, so that an unwritable one ends the command at once.
        let file = try json.map { try OutputFile(path: $0) }
        let runner = CrowdRunner(plan: plan, server: server, loops: loops, serverSettings: settings)
        Printing.plan(of: runner)
        let report = try await runner.report()
        Printing.report(report)
        if Printing.isText { Printing.line((["", ""] + (report.quality?.lines ?? [])).joined(separator: "\n")) }
        try file?.write(Printing.json(report, pretty: true) + "\n")
        guard report.isGood, report.quality?.isKept == true else { throw ExitCode.failure }
    }

    /// The scenario's plan at this size.
    func plan() throws -> CrowdPlan {
        let moving = Double(moving ?? people)
        let offered = moving * Double(people) / Double(cells) * 2
        let share = (moving / Double(people)).plain
        let ours = [
            "movingShare=\(share)", "actingShare=\(share)", "warmUpSeconds=\(warmUp.seconds.plain)",
            // Of those who act; the others share nothing.
            "scopedShare=\((Self.scopedShare * moving / Double(people)).plain)",
            "judgedShare=\(min(1, Self.judgedPerSecond / max(offered, 1)).plain)",
        ]
        let words = ["everyday", "--people", "\(people)", "--cells", "\(cells)", "--for", duration.seconds.plain]
        let more = ["--seed", "\(seed)"] + (ours + keys).flatMap { ["--with", $0] }
        var plan = try Run.parse(words + more).plan()
        plan.measuresQuality = true
        return plan
    }
}
