import CairnTesting
import CairnTime
import Testing

@testable import CairnServer

/// QOS-5: a shard sheds in order and refuses last, and only when it is late with everything.
@Suite("Overload gauge") struct OverloadGaugeTests {
    private var gauge = OverloadGauge()

    /// Ten timers over one interval, the punctual ones first.
    private mutating func interval(_ number: Int, late: Duration, punctual: Int = 0) -> OverloadGauge.Level {
        for step in 1...10 {
            _ = gauge.fired(
                lateness: step <= punctual ? .zero : late, now: .epoch + .milliseconds(1_000 * number + 100 * step),
                shedAt: .milliseconds(50), refuseAt: .milliseconds(500))
        }
        return gauge.level
    }

    @Test mutating func punctualLoop_shedsNothing() {
        let levels = (1...5).map { number in interval(number, late: .milliseconds(2)) }
        #expect(levels.allSatisfy { $0 == .none })
    }

    @Test mutating func burst_amongPunctualTimers_shedsNothing() {
        let levels = (1...5).map { number in interval(number, late: .seconds(3), punctual: 6) }
        #expect(levels.allSatisfy { $0 == .none })
    }

    /// The levels that a loop goes through whose timers are late by these, each for two and a half seconds.
    private mutating func levels(_ delays: Duration...) -> [OverloadGauge.Level] {
        var levels: [OverloadGauge.Level] = []
        var now: MonotonicTime = 1_000_000
        for late in delays.flatMap({ [Duration](repeating: $0, count: 25) }) {
            now += .milliseconds(100)
            if gauge.fired(lateness: late, now: now, shedAt: .milliseconds(50), refuseAt: .milliseconds(500)) {
                levels.append(gauge.level)
            }
        }
        return levels
    }

    @Test mutating func lateLoop_shedsPresence_thenCounts_thenMovement_andRefusesNothing() {
        #expect(
            levels(.milliseconds(200), .milliseconds(200)) == [
                .sheddingPresence, .sheddingCounts, .sheddingMovement,
            ])
    }

    @Test mutating func loopThatIsLaterStill_refuses_andComesBackStepByStep() {
        #expect(
            levels(.milliseconds(200), .milliseconds(900), .milliseconds(1)) == [
                .sheddingPresence, .sheddingCounts, .sheddingMovement, .refusing, .sheddingMovement, .sheddingCounts,
                .sheddingPresence, .none,
            ])
    }

    @Test mutating func loopThatIsLateAllAtOnce_shedsEverythingBeforeItRefuses() {
        #expect(levels(.milliseconds(900)) == [.sheddingMovement, .refusing])
    }

    @Test mutating func level_staysUntilTheDelayHasHalved() {
        let atHalf = [
            interval(1, late: .milliseconds(60)), interval(2, late: .milliseconds(30)),
            interval(3, late: .milliseconds(20)),
        ]
        #expect(atHalf == [.sheddingCounts, .sheddingCounts, .none])
    }

    @Test mutating func withoutALimitForShedding_allOfItIsShedBeforeRefusing() {
        var levels: [OverloadGauge.Level] = []
        for step in 1...15 {
            let isAnother = gauge.fired(
                lateness: .milliseconds(900), now: .epoch + .milliseconds(200 * step), shedAt: .zero,
                refuseAt: .milliseconds(500))
            if isAnother {
                levels.append(gauge.level)
            }
        }
        #expect(levels == [.sheddingMovement, .refusing])
    }

    @Test mutating func limitsOfZero_neverShed() {
        for step in 1...50 {
            _ = gauge.fired(
                lateness: .seconds(9), now: .epoch + .milliseconds(100 * step), shedAt: .zero, refuseAt: .zero)
        }
        #expect(gauge.level == .none)
    }
}
