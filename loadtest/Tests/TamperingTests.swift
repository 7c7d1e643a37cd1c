import CairnConfiguration
import CairnTesting
import Testing

@testable import cairn_crowd

/// The oracle against a run on a real server, a few of whose messages are falsified. The broken rule has to detect even
/// a fault as rare as a race: one event or reply in 10,000. The run is recorded once; each fault gets a replay of it.
///
/// One replay at a time, because each keeps a core busy.
@Suite(.serialized) struct TamperingTests {
    @Test func realServer_breaksNoRule() async throws {
        let live = try await Recording.walking.value
        #expect(live.report.failure == nil)
        #expect(live.report.broken.isEmpty, "\(live.report.brokenExamples)")
        #expect(Tampering.events(in: live.log) >= 10_000)
        #expect(live.report.posesDelivered > 0 && live.report.done["placed"] ?? 0 > 100)
    }

    /// Otherwise a replay with a fault would prove nothing about a live run with it.
    @Test func replay_isTheLiveRun() async throws {
        let live = try await Recording.walking.value
        let replay = await live.replay(Tampering(.none))
        #expect(live.differences(from: replay) == [])
        #expect(replay.fault.done == 0 && replay.fault.events == Tampering.events(in: live.log))
    }

    @Test(arguments: [
        (Tampering.Kind.dropEvent, "gap"), (.doubleEvent, "repeated"), (.reorderEvents, "reordered"),
        (.alterEvent, "told_otherwise"), (.alterChange, "told_otherwise"),
        (.leakEvent, "unknown_topic"),
    ])
    func oneEventInTenThousand_tamperedWith_isCaught(kind: Tampering.Kind, rule: String) async throws {
        let (report, tampering) = try await replay(kind)
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
        let (report, tampering) = try await replay(kind)
        #expect(tampering.done >= 1)
        #expect(report.broken[rule] ?? 0 > 0, "\(report.broken)")
        #expect(!report.isGood)
    }

    @Test func receiverWithoutPresence_isDetected() async throws {
        let (report, tampering) = try await replay(.withholdPresence)
        #expect(tampering.done >= 1)
        #expect(report.broken["person_not_seen"] ?? 0 >= 19, "\(report.broken)")
        #expect(!report.isGood)
    }

    @Test(arguments: [(Tampering.Kind.dropReply, "unanswered"), (.doubleReply, "unknown_request")])
    func oneReply_tamperedWith_isCaught(kind: Tampering.Kind, rule: String) async throws {
        let (report, tampering) = try await replay(kind)
        #expect(tampering.done >= 1)
        #expect(report.broken[rule] ?? 0 > 0, "\(report.broken)")
    }

    /// A run of the recorded crowd with a fault.
    func replay(_ kind: Tampering.Kind) async throws -> (CrowdReport, Tampering) {
        let live = try await Recording.walking.value
        let replay = await live.replay(Tampering(kind))
        return (replay.report, replay.fault)
    }
}

extension Recording {
    /// A short, lively crowd on a real server. Recorded once in a process.
    static let walking = Task { try await made(.lively) }

    /// Records the crowd of a plan, more slowly if the machine is too busy for the crowd to send in time.
    static func made(_ plan: CrowdPlan) async throws -> Recording {
        var slowness = 1.0
        while true {
            let slowed = plan.slowed(by: slowness)
            // Batches with several people's poses can be falsified: an idle server would send each pose at once.
            let recording = try await ServerBench.serving({ $0.presence.quietIntervalMilliseconds = 50 }) { bench in
                try await live(slowed, on: bench)
            }
            guard recording.report.isStarved, slowness < 4 else { return recording }
            slowness *= 2
        }
    }
}

extension CrowdPlan {
    /// Forty people in two cells, whose changes are 13,000 events at their receivers.
    static var lively: CrowdPlan {
        var plan = CrowdPlan()
        (plan.people, plan.cells, plan.ground, plan.rate) = (40, 2, .apart, 2.5)
        (plan.placeEvery, plan.placesAtOnce, plan.reactEvery) = (0.8, 3, 0)
        (plan.warmUpSeconds, plan.seconds) = (0.2, 4.2)
        (plan.drainSeconds, plan.quietSeconds) = (0.5, 1)
        return plan
    }

    /// The same actions over a longer time.
    fileprivate func slowed(by slowness: Double) -> CrowdPlan {
        var plan = self
        plan.rate /= slowness
        plan.seconds *= slowness
        plan.placeEvery *= slowness
        plan.realmEvery *= slowness
        plan.selectEvery *= slowness
        return plan
    }
}
