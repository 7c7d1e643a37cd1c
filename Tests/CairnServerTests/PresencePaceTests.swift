import Testing

@testable import CairnServer

@Suite struct PresencePaceTests {
    private static let interval: UInt64 = 50_000

    /// How long after a beat the next one is, in microseconds, with so much offered and batches that take so long.
    private func wait(receivers: Int, cost: UInt64) -> UInt64 {
        var pace = PresencePace(interval: Self.interval)
        let now: UInt64 = 10_000_000
        for _ in 0..<50 { pace.took(cost) }
        pace.ticked(now: now)
        pace.offer(receivers: receivers, now: now)
        return pace.nextTick(now: now) - now
    }

    @Test func whatIsLittleLeavesAtOnce() {
        #expect(wait(receivers: 5, cost: 50) < 1_000)
    }

    @Test func whatIsMuchWaitsForTheInterval() {
        #expect(wait(receivers: 100_000, cost: 5_000) == Self.interval)
    }

    @Test func batchesTakeNoMoreThanTwoFifthsOfTheTime() {
        #expect((74_000...75_000).contains(wait(receivers: 100_000, cost: 30_000)))
    }

    @Test func theWaitIsBounded() {
        #expect(wait(receivers: 100_000, cost: 10_000_000) == 4 * Self.interval)
    }

    @Test func whoeverSheds_waitsAsLongAsIsAllowed() {
        var pace = PresencePace(interval: Self.interval)
        pace.isShedding = true
        pace.ticked(now: 0)
        #expect(pace.nextTick(now: 0) == 4 * Self.interval)
    }

    @Test func oneSlowBatchChangesLittle() {
        var pace = PresencePace(interval: Self.interval)
        for _ in 0..<50 { pace.took(1_000) }
        pace.took(40_000)
        pace.ticked(now: 0)
        #expect(pace.nextTick(now: 0) < Self.interval)
    }
}
