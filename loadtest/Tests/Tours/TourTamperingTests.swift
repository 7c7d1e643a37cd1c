import CairnConfiguration
import CairnFeatures
import CairnOperators
import CairnRoot
import CairnTesting
import Foundation
import Testing

@testable import cairn_crowd

/// ENG-3: walkers on a real server in this process. The first test has the correct server; each of the others has a
/// server with one fault, which the oracle must find. A larger run by hand is
/// `CAIRN_TOUR_PEOPLE=400 CAIRN_TOUR_FAULT=5000 CAIRN_TOUR_SECONDS=65`. It distorts one stop in 10,000, because half of
/// the stops have fewer than two behind them and are no occasions.
@Suite("Crowd: tours on a server", .serialized, .timeLimit(.minutes(10)))
struct TourTamperingTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let people = environment["CAIRN_TOUR_PEOPLE"].flatMap(Int.init) ?? 12
    private static let period = environment["CAIRN_TOUR_FAULT"].flatMap(Int.init) ?? 20
    private static let seconds = environment["CAIRN_TOUR_SECONDS"].flatMap(Double.init) ?? 12

    @Test func realServer_breaksNoRule() async throws {
        let report = try await walk()
        #expect(report.failure == nil)
        #expect(report.broken.isEmpty, "\(report.brokenExamples)")
        #expect(report.done["stops_reached"] ?? 0 > 2 * Self.people && report.done["runs_completed"] ?? 0 > 0)
        for deed in ["pauses", "groups_opened", "groups_followed", "group_targets"] {
            #expect(report.done[deed] ?? 0 > 0, "\(deed): \(report.done)")
        }
        #expect(FaultyRuns.faults.count == 0 && FaultyGroups.faults.count == 0)
    }

    @Test(arguments: [
        (FaultyRuns.Fault.skip, "stop_skipped"), (.repeated, "stop_repeated"), (.swap, "stop_swapped"),
    ])
    func oneStopInSoMany_toldWrongly_isCaught(fault: FaultyRuns.Fault, rule: String) async throws {
        let report = try await walk(fault)
        #expect(FaultyRuns.faults.count >= 1)
        #expect(report.broken[rule] ?? 0 >= FaultyRuns.faults.count, "\(report.broken)")
        #expect(!report.isGood)
    }

    /// TRT-5: pauses are rare, so one in four has the fault.
    @Test func clockThatRunsInOnePauseInSoMany_isCaught() async throws {
        let report = try await walk(.clock, oneIn: min(Self.period, 4))
        #expect(FaultyRuns.faults.count >= 1)
        #expect(report.broken["clock_ran_in_pause"] ?? 0 >= FaultyRuns.faults.count, "\(report.broken)")
        #expect(!report.isGood)
    }

    /// TRM-11: the item `group` has no number and may arrive while a change of the group is under way. The oracle then
    /// cannot judge it, so at least half of the faults must be found.
    @Test(arguments: [
        (FaultyGroups.Fault.target, "group_target_wrong"), (.code, "group_code_told"),
        (.outside, "group_told_outside"),
    ])
    func oneStepInSoMany_withAGroupShownWrongly_isCaught(fault: FaultyGroups.Fault, rule: String) async throws {
        let report = try await walk(groups: fault)
        let count = FaultyGroups.faults.count
        #expect(count >= 1)
        #expect(report.broken[rule] ?? 0 >= max(1, count / 2), "\(count): \(report.broken)")
        #expect(!report.isGood)
    }

    private func walk(
        _ fault: FaultyRuns.Fault? = nil, oneIn period: Int = period, groups: FaultyGroups.Fault? = nil
    ) async throws -> CrowdReport {
        await Turnstile.shared.enter()
        defer { Turnstile.shared.leave() }
        var plan = CrowdPlan()
        (plan.people, plan.tours, plan.pace, plan.rate) = (Self.people, 3, 50, 12.5)
        (plan.stops, plan.legMetres, plan.bystanders, plan.seconds) = (4, 100, 2, Self.seconds)
        (plan.jumpShare, plan.publishEvery, plan.pauseEvery, plan.groupEvery) = (0.2, 0, 5, 0.5)
        FaultyRuns.faults.begin(fault, oneIn: period)
        FaultyGroups.begin(groups, oneIn: Self.period)
        let bench = try await ServerBench.start(register: FaultyRuns.register) {
            $0.features.runs.jumpMetresPerSecond = 750
            $0.features.runs.settleSeconds = 0.2
            $0.features.groups.codesPerHour = 1_000_000
        }
        let report: Result<CrowdReport, any Error>
        do { report = .success(try await walk(plan, bench)) } catch { report = .failure(error) }
        await bench.stop()
        return try report.get()
    }

    private func walk(_ plan: CrowdPlan, _ bench: ServerBench) async throws -> CrowdReport {
        let url = "ws://127.0.0.1:\(bench.port)/v1"
        let makers = try await TourMakers(plan, url: url) { try promote($0, bench) }
        let destination = try Destination(endpoint: Endpoint(url: url))
        let report = await CrowdRunner.onThread {
            TourCrowd(
                plan: plan, destination: destination, secure: nil, makers: makers, serverPID: nil, progress: { _ in }
            ).run()
        }
        await makers.end()
        return report
    }

    /// Makes an account a user of an organisation, by the server's stats socket.
    private func promote(_ name: String, _ bench: ServerBench) throws {
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
