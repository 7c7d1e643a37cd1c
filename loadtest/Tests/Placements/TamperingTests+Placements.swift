import Testing

@testable import CairnCrowd

extension TamperingTests {
    @Test func placementThatOneReceiverDoesNotGet_isDetected() async throws {
        let (report, tampering) = try await replay(.swallowEvent, of: Recording.busy)
        #expect(report.failure == nil)
        #expect(tampering.events >= 10_000 && tampering.done >= 1 && tampering.done <= tampering.events / 10_000 + 1)
        #expect(report.broken["placement_not_seen"] ?? 0 > 0, "\(report.broken)")
        #expect(!report.isGood)
    }

    @Test func morePlacementsThanTheServerSaysItAllows_areCaught() async throws {
        let (report, tampering) = try await replay(.understateQuota, of: Recording.calm)
        #expect(tampering.done == 1)
        #expect(report.broken["quota_period"] ?? 0 > 0, "\(report.broken)")
    }
}
