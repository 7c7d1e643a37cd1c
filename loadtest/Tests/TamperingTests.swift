import CairnConfiguration
import CairnTesting
import Testing

@testable import CairnCrowd

/// The oracle against a run on a real server, a few of whose messages are falsified. The broken rule has to detect even
/// a fault as rare as a race: one event or reply in 10,000. A run is recorded once; each fault gets a replay of it.
///
/// One replay at a time, because each keeps a core busy.
@Suite(.serialized, .tags(.alone)) struct TamperingTests {
    @Test func realServer_breaksNoRule() async throws {
        let live = try await Recording.busy.value
        #expect(live.report.failure == nil)
        #expect(live.report.broken.isEmpty, "\(live.report.brokenExamples)")
        #expect(Tampering.events(in: live.log) >= 10_000)
        #expect(live.report.posesDelivered > 0 && live.report.done["placed"] ?? 0 > 100)
    }

    /// Otherwise a replay with a fault would prove nothing about a live run with it.
    @Test func replay_isTheLiveRun() async throws {
        let live = try await Recording.busy.value
        let replay = await live.replay(Tampering(.none, in: live.log))
        #expect(live.differences(from: replay) == [])
        #expect(replay.fault.done == 0 && replay.fault.events == Tampering.events(in: live.log))
    }

    @Test(arguments: [
        (Tampering.Kind.dropEvent, "gap"), (.doubleEvent, "repeated"), (.reorderEvents, "reordered"),
        (.alterEvent, "told_otherwise"), (.alterChange, "told_otherwise"),
        (.leakEvent, "unknown_topic"),
    ])
    func oneEventInTenThousand_tamperedWith_isCaught(kind: Tampering.Kind, rule: String) async throws {
        let (report, tampering) = try await replay(kind, of: Recording.busy)
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
        let (report, tampering) = try await replay(kind, of: Recording.calm)
        #expect(tampering.done >= 1)
        #expect(report.broken[rule] ?? 0 > 0, "\(report.broken)")
        #expect(!report.isGood)
    }

    @Test func receiverWithoutPresence_isDetected() async throws {
        let (report, tampering) = try await replay(.withholdPresence, of: Recording.calm)
        #expect(tampering.done >= 1)
        #expect(report.broken["person_not_seen"] ?? 0 >= 19, "\(report.broken)")
        #expect(!report.isGood)
    }

    @Test(arguments: [(Tampering.Kind.dropReply, "unanswered"), (.doubleReply, "unknown_request")])
    func oneReply_tamperedWith_isCaught(kind: Tampering.Kind, rule: String) async throws {
        let (report, tampering) = try await replay(kind, of: Recording.calm)
        #expect(tampering.done >= 1)
        #expect(report.broken[rule] ?? 0 > 0, "\(report.broken)")
    }

    /// A recorded run with a fault.
    func replay(
        _ kind: Tampering.Kind, of recording: Task<Recording, any Error>
    ) async throws -> (CrowdReport, Tampering) {
        let live = try await recording.value
        let replay = await live.replay(Tampering(kind, in: live.log))
        return (replay.report, replay.fault)
    }
}

extension Recording {
    /// A short, lively crowd on a real server, whose changes are 11,000 events at their receivers. Recorded once in a
    /// process.
    static let busy = Task { try await made(.lively) }

    /// A crowd with fewer changes, whose replays are shorter, for faults in what has nothing to do with events. Its
    /// people move more often, so that batches have poses of several of them. Recorded once in a process.
    static let calm = Task {
        var plan = CrowdPlan.lively
        (plan.placeEvery, plan.rate) = (3, 5)
        return try await made(plan)
    }

    static func made(_ plan: CrowdPlan) async throws -> Recording {
        try await made { slowness in
            // Batches with several people's poses can be falsified: an idle server would send each pose at once.
            try await ServerBench.serving({ $0.presence.quietIntervalMilliseconds = 50 }) { bench in
                try await live(plan.slowed(by: slowness), on: bench)
            }
        }
    }
}

extension CrowdPlan {
    /// Forty people in two cells. What one of them changes is an event at twenty.
    static var lively: CrowdPlan {
        var plan = CrowdPlan()
        (plan.people, plan.cells, plan.ground, plan.rate) = (40, 2, .apart, 2.5)
        (plan.placeEvery, plan.placesAtOnce, plan.reactEvery) = (0.8, 3, 0)
        (plan.warmUpSeconds, plan.seconds) = (0.2, 3.5)
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
