import Testing

@testable import CairnServer

@Suite("Stats: what a cell counts")
struct CellFiguresTests {
    /// Whether the touch was the first since the last look.
    private func touch(_ figures: inout CellFigures) -> Bool { figures.touch() }

    @Test func touch_tellsTheShardOnceUntilItHasLooked() {
        var figures = CellFigures()
        _ = figures.look(seconds: 1)
        #expect(touch(&figures))
        #expect(touch(&figures) == false)
        _ = figures.look(seconds: 1)
        #expect(touch(&figures))
    }

    @Test func look_givesEachCountOnce() {
        var figures = CellFigures()
        figures.events += 3
        figures.turnTook(microseconds: 10)
        #expect(figures.look(seconds: nil).events == 3)
        #expect(figures.look(seconds: nil).events == 0)
    }

    @Test func rates_countWhatLooksInBetweenHaveTaken() {
        var figures = CellFigures()
        _ = figures.look(seconds: 1)
        figures.events += 3
        _ = figures.look(seconds: nil)
        figures.events += 1
        _ = figures.look(seconds: 2)
        #expect(figures.eventsPerSecond == 2)
    }

    @Test func rates_fallToNothingAtTheNextMeasurement() {
        var figures = CellFigures()
        figures.events += 3
        _ = figures.look(seconds: 1)
        #expect(figures.isMoving)
        _ = figures.look(seconds: 1)
        #expect(figures.eventsPerSecond == 0)
        #expect(!figures.isMoving)
    }

    @Test func p99_isTheUpperEndOfTheSlowestTurnsBucket() {
        var times = TurnTimes()
        #expect(times.p99Microseconds == 0)
        for _ in 0..<200 { times.record(100) }
        #expect(times.p99Microseconds == 128)
        for _ in 0..<3 { times.record(5_000) }
        #expect(times.p99Microseconds == 8_192)
    }

    @Test func p99_leavesOneInAHundredOut() {
        var times = TurnTimes()
        for _ in 0..<199 { times.record(100) }
        times.record(1_000_000)
        #expect(times.p99Microseconds == 128)
    }

    @Test func oldTurns_fade() {
        var times = TurnTimes()
        for _ in 0..<1_000 { times.record(1_000_000) }
        for _ in 0..<30 {
            times.fade()
            for _ in 0..<2_000 { times.record(10) }
        }
        #expect(times.p99Microseconds == 16)
    }

    @Test func requestTimes_addUpOverShardsAndKeepTheirQuantiles() {
        var one = RequestFigures()
        var other = RequestFigures()
        for _ in 0..<99 { one.record(microseconds: 1_000, isRefused: false) }
        other.record(microseconds: 90_000_000, isRefused: true)
        one.add(other)
        #expect(one.count == 100)
        #expect(one.refused == 1)
        #expect(abs(Int(one.microseconds(percentile: 50)) - 1_000) <= 10)
        #expect(one.counts(upTo: [500, 2_000, 10_000]) == [0, 99, 99])
    }
}
