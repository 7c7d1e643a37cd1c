import Testing

@testable import CairnServer

/// QOS-5: a shard sheds in order and refuses last, and only when it is late with everything.
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

    /// The levels that a loop goes through whose timers are late by these, each for two and a half seconds.
    private mutating func levels(_ delays: UInt64...) -> [OverloadGauge.Level] {
        var levels: [OverloadGauge.Level] = []
        var now: UInt64 = 1_000_000
        for late in delays.flatMap({ [UInt64](repeating: $0, count: 25) }) {
            now += 100_000
            if gauge.fired(lateness: late, now: now, shedAt: 50_000, refuseAt: 500_000) { levels.append(gauge.level) }
        }
        return levels
    }

    @Test mutating func lateLoop_shedsPresence_thenCounts_thenMovement_andRefusesNothing() {
        #expect(levels(200_000, 200_000) == [.sheddingPresence, .sheddingCounts, .sheddingMovement])
    }

    @Test mutating func loopThatIsLaterStill_refuses_andComesBackStepByStep() {
        #expect(
            levels(200_000, 900_000, 1_000) == [
                .sheddingPresence, .sheddingCounts, .sheddingMovement, .refusing, .sheddingMovement, .sheddingCounts,
                .sheddingPresence, .none,
            ])
    }

    @Test mutating func loopThatIsLateAllAtOnce_shedsEverythingBeforeItRefuses() {
        #expect(levels(900_000) == [.sheddingMovement, .refusing])
    }

    @Test mutating func level_staysUntilTheDelayHasHalved() {
        let atHalf = [interval(1, late: 60_000), interval(2, late: 30_000), interval(3, late: 20_000)]
        #expect(atHalf == [.sheddingCounts, .sheddingCounts, .none])
    }

    @Test mutating func withoutALimitForShedding_allOfItIsShedBeforeRefusing() {
        var levels: [OverloadGauge.Level] = []
        for step in 1...15 {
            if gauge.fired(lateness: 900_000, now: UInt64(step) * 200_000, shedAt: 0, refuseAt: 500_000) {
                levels.append(gauge.level)
            }
        }
        #expect(levels == [.sheddingMovement, .refusing])
    }

    @Test mutating func limitsOfZero_neverShed() {
        for step in 1...50 { _ = gauge.fired(lateness: 9_000_000, now: UInt64(step) * 100_000, shedAt: 0, refuseAt: 0) }
        #expect(gauge.level == .none)
    }
}
