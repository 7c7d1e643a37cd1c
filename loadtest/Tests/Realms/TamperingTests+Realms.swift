import Testing

@testable import CairnCrowd

extension Recording {
    /// Twenty people who share everything in two sub-realms, which all of them come to and leave. Recorded once in a
    /// process.
    fileprivate static let gathering = Task {
        var plan = CrowdPlan.lively
        plan.people = 20
        plan.cells = 1
        plan.realms = 2
        plan.realmEvery = 0.3
        plan.openShare = 1
        plan.selectEvery = 0.7
        plan.scopedShare = 1
        return try await made(plan)
    }
}

extension TamperingTests {
    @Test func realServer_breaksNoRuleOnScopes() async throws {
        let report = try await Recording.gathering.value.report
        #expect(report.failure == nil)
        #expect(report.broken.isEmpty, "\(report.brokenExamples)")
        #expect(report.scopedItems > 1_000)
        #expect(report.done["selected"] ?? 0 > 20 && report.done["joined"] ?? 0 > 20, "\(report.doneText)")
    }

    @Test func replayOfGathering_isTheLiveRun() async throws {
        let live = try await Recording.gathering.value
        let replay = await live.replay(Tampering(.none, in: live.log))
        #expect(live.differences(from: replay) == [])
        #expect(replay.fault.done == 0)
    }

    @Test func oneEventOfASubRealmInFiveHundred_leaked_isCaught() async throws {
        let (report, tampering) = try await replay(.leakScoped, of: Recording.gathering)
        #expect(tampering.done >= 1)
        #expect(report.broken["scope_leaked"] ?? 0 > 0, "\(report.broken)")
        #expect(!report.isGood)
    }

    @Test func oneInstanceOfASubRealmInFiveHundred_swallowed_isCaught() async throws {
        let (report, tampering) = try await replay(.swallowScoped, of: Recording.gathering)
        #expect(tampering.done >= 1)
        #expect(report.broken["scope_missing"] ?? 0 > 0, "\(report.broken)")
        #expect(!report.isGood)
    }
}
