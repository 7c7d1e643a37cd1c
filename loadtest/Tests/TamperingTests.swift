import CairnConfiguration
import CairnTesting
import Foundation
import Synchronization
import Testing

@testable import cairn_crowd

/// The oracle against a real server, a few of whose messages are falsified on their way. The broken rule has to detect
/// even a fault as rare as a race: one event or reply in 10,000.
@Suite struct TamperingTests {
    @Test func realServer_breaksNoRule() async throws {
        let (report, tampering) = try await run(.none)
        #expect(report.failure == nil)
        #expect(report.broken.isEmpty, "\(report.brokenExamples)")
        #expect(tampering.events >= 10_000 && tampering.done == 0)
        #expect(report.posesDelivered > 0 && report.done["placed"] ?? 0 > 100)
    }

    @Test(arguments: [
        (Tampering.Kind.dropEvent, "gap"), (.doubleEvent, "repeated"), (.reorderEvents, "reordered"),
        (.alterEvent, "told_otherwise"), (.alterChange, "told_otherwise"),
        (.leakEvent, "unknown_topic"),
    ])
    func oneEventInTenThousand_tamperedWith_isCaught(kind: Tampering.Kind, rule: String) async throws {
        let (report, tampering) = try await run(kind)
        #expect(report.failure == nil)
        #expect(tampering.events >= 10_000 && tampering.done >= 1 && tampering.done <= tampering.events / 10_000 + 1)
        #expect(report.broken[rule] ?? 0 > 0, "\(report.broken)")
        #expect(!report.isGood)
    }

    @Test(arguments: [
        (Tampering.Kind.dropPresence, "pose_lost"), (.doublePresence, "pose_repeated"),
        (.reorderPresence, "pose_reordered"), (.leakPresence, "presence_out_of_view"),
    ])
    func onePresenceBatchInThreeHundred_tamperedWith_isCaught(kind: Tampering.Kind, rule: String) async throws {
        let (report, tampering) = try await run(kind)
        #expect(tampering.done >= 1)
        #expect(report.broken[rule] ?? 0 > 0, "\(report.broken)")
        #expect(!report.isGood)
    }

    @Test func receiverWithoutPresence_isDetected() async throws {
        let (report, tampering) = try await run(.withholdPresence)
        #expect(tampering.done >= 1)
        #expect(report.broken["person_not_seen"] ?? 0 >= 19, "\(report.broken)")
        #expect(!report.isGood)
    }

    @Test(arguments: [(Tampering.Kind.dropReply, "unanswered"), (.doubleReply, "unknown_request")])
    func oneReply_tamperedWith_isCaught(kind: Tampering.Kind, rule: String) async throws {
        let (report, tampering) = try await run(kind)
        #expect(tampering.done >= 1)
        #expect(report.broken[rule] ?? 0 > 0, "\(report.broken)")
    }

    /// A short, lively crowd on a real server, through a proxy.
    func run(
        _ kind: Tampering.Kind, _ change: @Sendable (inout CrowdPlan) -> Void = { _ in }
    ) async throws -> (CrowdReport, Tampering) {
        await Turnstile.shared.enter()
        defer { Turnstile.shared.leave() }
        // The proxy falsifies batches with several people's poses: an idle server would send each pose at once.
        return try await ServerBench.serving({ $0.presence.quietIntervalMilliseconds = 50 }) { bench in
            let proxy = try TamperingProxy(serverPort: bench.port, kind)
            var plan = CrowdPlan()
            plan.people = 40
            plan.cells = 2
            plan.ground = .apart
            plan.rate = 5
            plan.placeEvery = 0.5
            plan.placesAtOnce = 3
            plan.reactEvery = 0
            plan.warmUpSeconds = 0.2
            plan.seconds = 2.5
            plan.drainSeconds = 0.5
            plan.quietSeconds = 1
            // A dropped reply never arrives, so the run does not wait long for it.
            plan.restSecondsMax = kind == .dropReply ? 6 : 30
            plan.tidySecondsMax = kind == .dropReply ? 2 : 60
            change(&plan)
            let runner = CrowdRunner(plan: plan, url: "ws://127.0.0.1:\(proxy.port)/v1", isQuiet: true)
            let report: CrowdReport
            do {
                report = try await runner.run()
            } catch {
                _ = proxy.stop()
                throw error
            }
            return (report, proxy.stop())
        }
    }
}

/// Limits the number of concurrent runs: each keeps a core busy, and too many would starve each other.
final class Turnstile: Sendable {
    static let shared = Turnstile()
    private let state = Mutex(State())

    private struct State {
        var free = 2
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    func enter() async {
        await withCheckedContinuation { entered in
            let mayEnter = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(entered)
                    return false
                }
                state.free -= 1
                return true
            }
            if mayEnter { entered.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
