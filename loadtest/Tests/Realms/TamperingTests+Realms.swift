import Testing

@testable import cairn_crowd

extension TamperingTests {
    /// People who share everything in two sub-realms, which all of them come to and leave.
    private func gather(_ kind: Tampering.Kind) async throws -> (CrowdReport, Tampering) {
        try await run(kind) { plan in
            plan.cells = 1
            plan.realms = 2
            plan.realmEvery = 0.3
            plan.openShare = 1
            plan.selectEvery = 0.7
            plan.scopedShare = 1
            plan.seconds = 4
        }
    }

    @Test func realServer_breaksNoRuleOnScopes() async throws {
        let (report, tampering) = try await gather(.none)
        #expect(report.failure == nil)
        #expect(report.broken.isEmpty, "\(report.brokenExamples)")
        #expect(tampering.done == 0 && report.scopedItems > 1_000)
        #expect(report.done["selected"] ?? 0 > 20 && report.done["joined"] ?? 0 > 20, "\(report.doneText)")
    }

    @Test func oneEventOfASubRealmInFiveHundred_leaked_isCaught() async throws {
        let (report, tampering) = try await gather(.leakScoped)
        #expect(tampering.done >= 1)
        #expect(report.broken["scope_leaked"] ?? 0 > 0, "\(report.broken)")
        #expect(!report.isGood)
    }

    @Test func oneInstanceOfASubRealmInFiveHundred_swallowed_isCaught() async throws {
        let (report, tampering) = try await gather(.swallowScoped)
        #expect(tampering.done >= 1)
        #expect(report.broken["scope_missing"] ?? 0 > 0, "\(report.broken)")
        #expect(!report.isGood)
    }
}
