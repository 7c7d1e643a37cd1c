import Testing

@testable import CairnServer

/// QOS-5: a shard sheds presence first and refuses last, and only when it is late with everything.
@Suite("Overload gauge") struct OverloadGaugeTests {
    private var gauge = OverloadGauge()

    /// Ten timers over one interval, the punctual ones first.
    private mutating func interval(_ number: Int, late: UInt64, punctual: Int = 0) -> OverloadGauge.Level {
        for step in 1...10 {
            _ = gauge.fired(
                lateness: step <= punctual ? 0 : late, now: UInt64(number) * 1_000_000 + UInt64(step) * 100_000,
                shedAt: 50_000,
                refuseAt: 500_000)
        }
        return gauge.level
    }

    @Test mutating func punctualLoop_shedsNothing() {
        let levels = (1...5).map { number in interval(number, late: 2_000) }
        #expect(levels.allSatisfy { $0 == .none })
    }

    @Test mutating func burst_amongPunctualTimers_shedsNothing() {
        let levels = (1...5).map { number in interval(number, late: 3_000_000, punctual: 6) }
        #expect(levels.allSatisfy { $0 == .none })
    }

    @Test mutating func lateLoop_shedsFirst_refusesNext_andComesBackStepByStep() {
        var levels: [OverloadGauge.Level] = []
        var now: UInt64 = 1_000_000
        for late in [UInt64](repeating: 900_000, count: 12) + [UInt64](repeating: 1_000, count: 12) {
            now += 200_000
            if gauge.fired(lateness: late, now: now, shedAt: 50_000, refuseAt: 500_000) { levels.append(gauge.level) }
        }
        #expect(levels == [.shedding, .refusing, .shedding, .none])
    }

    @Test mutating func delayBetweenTheLimits_shedsAndDoesNotRefuse() {
        for number in 1...5 { _ = interval(number, late: 200_000) }
        #expect(gauge.level == .shedding)
        // Not until it has halved.
        let halved = [interval(6, late: 30_000), interval(7, late: 20_000)]
        #expect(halved == [.shedding, .none])
    }

    @Test mutating func limitsOfZero_neverShed() {
        for step in 1...50 { _ = gauge.fired(lateness: 9_000_000, now: UInt64(step) * 100_000, shedAt: 0, refuseAt: 0) }
        #expect(gauge.level == .none)
    }
}
