import CairnStore
import CairnTesting
import CairnTime
import Testing

@testable import CairnOperators
@testable import CairnServer

@Suite("Stats: rates")
struct RateMeterTests {
    private func report(positions: UInt64, at: MonotonicTime) -> ShardReport {
        var report = ShardReport()
        report.at = at
        report.shard.positions = positions
        return report
    }

    @Test func rates_areMeasuredByEachShardsOwnClock() {
        var meter = RateMeter()
        _ = meter.measure([report(positions: 0, at: 1_000_000)], store: StoreFigures(), now: 1)
        let rates = meter.measure([report(positions: 50, at: 1_500_000)], store: StoreFigures(), now: 2)
        #expect(rates["positions"] == 100)
    }

    @Test func lookingTwiceAtTheSameReport_changesNothing() {
        var meter = RateMeter()
        _ = meter.measure([report(positions: 0, at: 1_000_000)], store: StoreFigures(), now: 1)
        let later = report(positions: 50, at: 2_000_000)
        _ = meter.measure([later], store: StoreFigures(), now: 2)
        let again = meter.measure([later], store: StoreFigures(), now: 3)
        #expect(again["positions"] == 50)
    }

    @Test func rates_areZeroBeforeTheSecondReport() {
        var meter = RateMeter()
        let rates = meter.measure([report(positions: 9, at: 1)], store: StoreFigures(), now: 1)
        #expect(rates["positions"] == 0)
    }
}
