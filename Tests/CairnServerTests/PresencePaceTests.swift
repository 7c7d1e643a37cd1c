import CairnTesting
import CairnTime
import Testing

@testable import CairnServer

@Suite struct PresencePaceTests {
    private static let interval: Duration = .milliseconds(50)
    private static let now: MonotonicTime = 10_000_000

    /// How long after a tick the next one is.
    private func wait(
        receivers: Int, on tick: PresencePace.Tick = .usual, _ prepare: (inout PresencePace) -> Void = { _ in }
    ) -> Duration {
        var pace = PresencePace(interval: Self.interval)
        prepare(&pace)
        pace.ticked(tick, now: Self.now)
        pace.offer(receivers: receivers, now: Self.now)
        return pace.nextTick(tick, now: Self.now) - Self.now
    }

    @Test func whatIsLittle_leavesAtOnce() {
        #expect(wait(receivers: 5) < .milliseconds(1))
    }

    @Test func whatIsMuch_waitsForTheInterval() {
        #expect(wait(receivers: 100_000) == Self.interval)
    }

    @Test func crowd_waitsHalfAsLongAgain_onABeatOfItsOwn() {
        #expect(wait(receivers: 100_000, on: .crowded) == Self.interval * 3 / 2)
        let waitOfOthers = wait(receivers: 100_000) { $0.ticked(.crowded, now: Self.now + .milliseconds(40)) }
        #expect(waitOfOthers == Self.interval)
    }

    @Test func whileManyArrive_everybodyWaitsAsLongAsIsAllowed() {
        let wait = wait(receivers: 5) { pace in
            for number in 0..<200 { pace.arrived(now: Self.now - .milliseconds(200 - number)) }
        }
        #expect(wait == Self.interval * 4)
    }

    @Test func fewWhoArrive_delayNobody() {
        let wait = wait(receivers: 5) { pace in
            for number in 0..<20 { pace.arrived(now: Self.now - .milliseconds(200 - 10 * number)) }
        }
        #expect(wait < .milliseconds(1))
    }

    @Test func afterTheStorm_allIsAsBefore() {
        let wait = wait(receivers: 5) { pace in
            for number in 0..<1_000 { pace.arrived(now: Self.now - .milliseconds(5_000 - number)) }
        }
        #expect(wait < .milliseconds(1))
    }

    @Test(arguments: [OverloadGauge.Level.sheddingPresence, .sheddingCounts])
    func loopThatShedsPresence_tellsItAQuarterAsOften(level: OverloadGauge.Level) {
        #expect(wait(receivers: 5) { $0.shedding = level } == Self.interval * 4)
    }

    @Test(arguments: [OverloadGauge.Level.sheddingMovement, .refusing])
    func loopThatShedsMovement_tellsPositionsEveryTwoSeconds(level: OverloadGauge.Level) {
        #expect(wait(receivers: 5) { $0.shedding = level } == .seconds(2))
    }

    @Test func counts_areToldUntilTheSecondStep() {
        let told = OverloadGauge.Level.allCases.filter { level in
            var pace = PresencePace()
            pace.shedding = level
            return pace.tellsCounts
        }
        #expect(told == [.none, .sheddingPresence])
    }
}
