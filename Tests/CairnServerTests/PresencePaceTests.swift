import Testing

@testable import CairnServer

@Suite struct PresencePaceTests {
    private static let interval: UInt64 = 50_000
    private static let now: UInt64 = 10_000_000

    /// How long after a tick the next one is, in microseconds.
    private func wait(
        receivers: Int, on tick: PresencePace.Tick = .usual, _ prepare: (inout PresencePace) -> Void = { _ in }
    ) -> UInt64 {
        var pace = PresencePace(interval: Self.interval)
        prepare(&pace)
        pace.ticked(tick, now: Self.now)
        pace.offer(receivers: receivers, now: Self.now)
        return pace.nextTick(tick, now: Self.now) - Self.now
    }

    @Test func whatIsLittle_leavesAtOnce() {
        #expect(wait(receivers: 5) < 1_000)
    }

    @Test func whatIsMuch_waitsForTheInterval() {
        #expect(wait(receivers: 100_000) == Self.interval)
    }

    @Test func crowd_waitsHalfAsLongAgain_onABeatOfItsOwn() {
        #expect(wait(receivers: 100_000, on: .crowded) == Self.interval * 3 / 2)
        let waitOfOthers = wait(receivers: 100_000) { $0.ticked(.crowded, now: Self.now + 40_000) }
        #expect(waitOfOthers == Self.interval)
    }

    @Test func whileManyArrive_everybodyWaitsAsLongAsIsAllowed() {
        let wait = wait(receivers: 5) { pace in
            for number in 0..<200 { pace.arrived(now: Self.now - 200_000 + UInt64(number) * 1_000) }
        }
        #expect(wait == 4 * Self.interval)
    }

    @Test func fewWhoArrive_delayNobody() {
        let wait = wait(receivers: 5) { pace in
            for number in 0..<20 { pace.arrived(now: Self.now - 200_000 + UInt64(number) * 10_000) }
        }
        #expect(wait < 1_000)
    }

    @Test func afterTheStorm_allIsAsBefore() {
        let wait = wait(receivers: 5) { pace in
            for number in 0..<1_000 { pace.arrived(now: Self.now - 5_000_000 + UInt64(number) * 1_000) }
        }
        #expect(wait < 1_000)
    }

    @Test(arguments: [OverloadGauge.Level.sheddingPresence, .sheddingCounts])
    func loopThatShedsPresence_tellsItAQuarterAsOften(level: OverloadGauge.Level) {
        #expect(wait(receivers: 5) { $0.shedding = level } == 4 * Self.interval)
    }

    @Test(arguments: [OverloadGauge.Level.sheddingMovement, .refusing])
    func loopThatShedsMovement_tellsPositionsEveryTwoSeconds(level: OverloadGauge.Level) {
        #expect(wait(receivers: 5) { $0.shedding = level } == 2_000_000)
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
