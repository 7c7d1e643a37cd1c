import CairnTesting

@testable import CairnCrowd

/// A live run of a crowd on a real server, with all that is needed to repeat it without the server.
struct Recording: Sendable {
    let plan: CrowdPlan
    let destination: Destination
    let salt: UInt64
    /// Of a crowd that walks tours.
    var makers: TourMakers?
    let report: CrowdReport
    let log: CrowdLog

    /// A run of the same crowd with a falsified log.
    struct Replay<Fault: Falsifier>: Sendable {
        let report: CrowdReport
        /// The fault, with its counts.
        let fault: Fault
        let sent: [CrowdLog.Message]
    }

    /// Records a run. If the machine was too busy for the crowd to be in time, which says nothing about the server, the
    /// run is recorded again at half the speed, twice at most.
    static func made(_ record: (_ slowness: Double) async throws -> Recording) async throws -> Recording {
        var slowness = 1.0
        while true {
            let recording = try await record(slowness)
            guard recording.isLate, slowness < 4 else { return recording }
            slowness *= 2
        }
    }

    private var isLate: Bool { report.isStarved || log.lateness > .seconds(1) }

    /// Runs a crowd on a server.
    static func live(
        _ plan: CrowdPlan, on bench: ServerBench, makers: TourMakers? = nil
    ) async throws -> Recording {
        let destination = try Destination(endpoint: Endpoint(url: "ws://127.0.0.1:\(bench.port)/v1"))
        let salt = UInt64.random(in: .min ... .max)
        let (report, log) = await CrowdRunner.onThread {
            let people = makers == nil ? plan.people : plan.peopleOnTours
            let base = SocketLoop(endpoint: destination.endpoint, format: plan.format, capacity: people)
            let loop = RecordingLoop(base)
            return (run(plan, destination, salt, makers, loop), loop.log)
        }
        return Recording(
            plan: plan, destination: destination, salt: salt, makers: makers, report: report, log: log)
    }

    /// Runs the crowd again, with a fault in what the server said.
    func replay<Fault: Falsifier>(_ fault: Fault) async -> Replay<Fault> {
        await CrowdRunner.onThread { [self] in
            let loop = ReplayLoop(log, fault)
            let report = Self.run(plan, destination, salt, makers, loop)
            return Replay(report: report, fault: loop.fault, sent: loop.sent)
        }
    }

    private static func run(
        _ plan: CrowdPlan, _ destination: Destination, _ salt: UInt64, _ makers: TourMakers?, _ loop: any ConnectionLoop
    ) -> CrowdReport {
        guard let makers else {
            return Crowd(
                plan: plan, destination: destination, loop: loop, salt: salt, serverPID: nil, progress: { _ in }
            ).run()
        }
        return TourCrowd(
            plan: plan, destination: destination, makers: makers, loop: loop, salt: salt, serverPID: nil,
            progress: { _ in }
        ).run()
    }

    /// What a replay has other than the live run: requests, and lines of the report. None without a fault.
    func differences(from replay: Replay<some Falsifier>) -> [String] {
        var differences: [String] = []
        let number = zip(log.sent, replay.sent).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        if log.sent.count != replay.sent.count || number != nil {
            let bot = number.map { " from the \($0)th on, of bot \(log.sent[$0].bot)" } ?? ""
            differences.append("\(replay.sent.count) messages for \(log.sent.count) are sent\(bot)")
        }
        var other = replay.report
        // These are not the run's: when it was made, and with how much processor time.
        (other.made, other.generatorCores) = (report.made, report.generatorCores)
        let (lines, others) = (Self.lines(of: report), Self.lines(of: other))
        guard lines != others else { return differences }
        return differences + ["the report: \(others.filter { !lines.contains($0) })"]
    }

    private static func lines(of report: CrowdReport) -> [Substring] {
        Printing.json(report, pretty: true).split(separator: "\n")
    }
}
