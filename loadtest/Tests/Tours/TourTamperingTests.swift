import CairnConfiguration
import CairnFeatures
import CairnOperators
import CairnRoot
import CairnTesting
import Foundation
import Testing

@testable import CairnCrowd

/// ENG-3: walkers on a real server. The run is recorded once; each fault gets a replay of it, in which the oracle must
/// find the fault. A larger run by hand is `CAIRN_TOUR_PEOPLE=400 CAIRN_TOUR_FAULT=5000 CAIRN_TOUR_SECONDS=65`. It
/// distorts one stop in 10,000, because half of the stops have fewer than two behind them and are no occasions.
@Suite("Crowd: tours on a server", .serialized, .tags(.alone), .timeLimit(.minutes(10)))
struct TourTamperingTests {
    private static let environment = ProcessInfo.processInfo.environment
    fileprivate static let people = environment["CAIRN_TOUR_PEOPLE"].flatMap(Int.init) ?? 12
    private static let period = environment["CAIRN_TOUR_FAULT"].flatMap(Int.init) ?? 20
    fileprivate static let seconds = environment["CAIRN_TOUR_SECONDS"].flatMap(Double.init) ?? 12

    @Test func realServer_breaksNoRule() async throws {
        let report = try await Recording.touring.value.report
        #expect(report.failure == nil)
        #expect(report.broken.isEmpty, "\(report.brokenExamples)")
        #expect(report.done["stops_reached"] ?? 0 > 2 * Self.people && report.done["runs_completed"] ?? 0 > 0)
        for deed in ["pauses", "groups_opened", "groups_followed", "group_targets"] {
            #expect(report.done[deed] ?? 0 > 0, "\(deed): \(report.done)")
        }
    }

    /// Otherwise a replay with a fault would prove nothing about a live run with it.
    @Test func replay_isTheLiveRun() async throws {
        let live = try await Recording.touring.value
        let replay = await live.replay(TourTampering(.none, in: live.log))
        #expect(live.differences(from: replay) == [])
        #expect(replay.fault.count == 0)
    }

    @Test(arguments: [
        (TourTampering.Fault.skip, "stop_skipped"), (.repeated, "stop_repeated"), (.swap, "stop_swapped"),
    ])
    func oneStopInSoMany_toldWrongly_isCaught(fault: TourTampering.Fault, rule: String) async throws {
        let (report, count) = try await replay(fault)
        #expect(count >= 1)
        #expect(report.broken[rule] ?? 0 >= count, "\(count): \(report.broken)")
        #expect(!report.isGood)
    }

    /// TRT-5: pauses are rare, so one in four has the fault.
    @Test func clockThatRunsInOnePauseInSoMany_isCaught() async throws {
        let (report, count) = try await replay(.clock, oneIn: min(Self.period, 4))
        #expect(count >= 1)
        #expect(report.broken["clock_ran_in_pause"] ?? 0 >= count, "\(count): \(report.broken)")
        #expect(!report.isGood)
    }

    /// TRM-11: the item `group` has no number and may arrive while a change of the group is under way. The oracle then
    /// cannot judge it, so at least half of the faults must be found.
    @Test(arguments: [
        (TourTampering.Fault.target, "group_target_wrong"), (.code, "group_code_told"),
        (.outside, "group_told_outside"),
    ])
    func oneStepInSoMany_withAGroupShownWrongly_isCaught(fault: TourTampering.Fault, rule: String) async throws {
        let (report, count) = try await replay(fault)
        #expect(count >= 1)
        #expect(report.broken[rule] ?? 0 >= max(1, count / 2), "\(count): \(report.broken)")
        #expect(!report.isGood)
    }

    /// The recorded walks with a fault.
    /// - Returns: the oracle's report, and how often the fault happened.
    private func replay(_ fault: TourTampering.Fault, oneIn period: Int = period) async throws -> (CrowdReport, Int) {
        let live = try await Recording.touring.value
        let replay = await live.replay(TourTampering(fault, oneIn: period, in: live.log))
        return (replay.report, replay.fault.count)
    }
}

extension Recording {
    /// Walkers on three tours, and two bystanders. Recorded once in a process.
    fileprivate static let touring = Task {
        var plan = CrowdPlan()
        (plan.people, plan.tours, plan.pace, plan.rate) = (TourTamperingTests.people, 3, 50, 12.5)
        (plan.stops, plan.legMetres, plan.bystanders, plan.seconds) = (4, 100, 2, TourTamperingTests.seconds)
        (plan.jumpShare, plan.publishEvery, plan.pauseEvery, plan.groupEvery) = (0.2, 0, 5, 0.5)
        return try await made { [plan] slowness in
            var plan = plan
            plan.seconds *= slowness
            return try await toured(plan)
        }
    }

    private static func toured(_ plan: CrowdPlan) async throws -> Recording {
        try await ServerBench.serving({
            $0.features.runs.jumpMetresPerSecond = 750
            $0.features.runs.settleSeconds = 0.2
            $0.features.groups.codesPerHour = 1_000_000
            $0.features.runs.runChangesPerMinute = 1_000_000
        }) { bench in
            let makers = try await TourMakers(plan, url: "ws://127.0.0.1:\(bench.port)/v1") { try promote($0, bench) }
            let recording = try await live(plan, on: bench, makers: makers)
            await makers.end()
            return recording
        }
    }

    /// Makes an account a user of an organisation, by the server's stats socket.
    private static func promote(_ name: String, _ bench: ServerBench) throws {
        let desk = try OperatorSocket.connect(to: bench.server.entrance.socketPath, seconds: 10)
        defer { close(desk) }
        let line = Array("organisation-add \(name) Walks\n".utf8)
        _ = send(desk, line, line.count, Int32(MSG_NOSIGNAL))
        var answer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(desk, &answer, answer.count, 0)
        let text = String(decoding: answer.prefix(max(0, count)), as: UTF8.self)
        guard count > 0, !text.contains("\"error\"") else { throw BenchError("not promoted: \(text)") }
    }
}
