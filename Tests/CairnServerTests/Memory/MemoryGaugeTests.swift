import CairnTesting
import CairnTime
import Testing

@testable import CairnServer

/// Pitfalls B30: caches first, then what is new, then those for whom most waits; and back.
@Suite("Memory gauge") struct MemoryGaugeTests {
    private var gauge = MemoryGauge()
    private static let second: Duration = .seconds(1)

    private static func use(_ percent: Int, of limit: MemoryUse.Limit = .cgroup) -> [MemoryUse] {
        [MemoryUse(limit: limit, usedBytes: percent * 1_000, limitBytes: 100_000)]
    }

    @Test(arguments: [
        (0, MemoryGauge.Level.enough), (79, .enough), (80, .releasing), (84, .releasing), (85, .refusing),
        (89, .refusing), (90, .closing), (120, .closing),
    ])
    mutating func level_followsTheShare(percent: Int, level: MemoryGauge.Level) {
        _ = gauge.look(Self.use(percent), now: 0)
        #expect(gauge.level == level)
    }

    @Test mutating func levels_areGoneThroughInOrder_andBack() {
        var levels: [MemoryGauge.Level] = []
        for percent in Array(70...95) + (60...95).reversed() {
            _ = gauge.look(Self.use(percent), now: 0)
            if levels.last != gauge.level { levels.append(gauge.level) }
        }
        #expect(levels == [.enough, .releasing, .refusing, .closing, .refusing, .releasing, .enough])
    }

    @Test mutating func level_endsFivePercentBelowWhereItBegan() {
        let levels = [90, 86, 84, 81, 79, 76, 74].map { percent in
            _ = gauge.look(Self.use(percent), now: 0)
            return gauge.level
        }
        #expect(levels == [.closing, .closing, .refusing, .refusing, .releasing, .releasing, .enough])
    }

    @Test mutating func withoutALimit_nothingIsDone() {
        #expect(gauge.look([], now: 0) == MemoryGauge.Relief())
        #expect(gauge.level == .enough)
        #expect(gauge.nearest == nil)
    }

    @Test mutating func ofSeveralLimits_theNearestCounts() {
        _ = gauge.look(Self.use(20, of: .setting) + Self.use(86, of: .addressSpace) + Self.use(50), now: 0)
        #expect(gauge.nearest?.limit == .addressSpace)
        #expect(gauge.level == .refusing)
    }

    // MARK: Room

    @Test(arguments: [(20, 70_000), (89, 2_000), (88, 2_000), (87, 3_000), (120, 2_000)])
    mutating func room_reachesUntilConnectionsAreClosed_andIsNeverNothing(percent: Int, bytes: Int) {
        _ = gauge.look(Self.use(percent), now: 0)
        #expect(gauge.roomBytes == bytes)
    }

    @Test mutating func withoutALimit_roomIsUnbounded() {
        _ = gauge.look([], now: 0)
        #expect(gauge.roomBytes == .max)
    }

    // MARK: Relief

    @Test mutating func whileThereIsEnough_nothingIsGivenUp() {
        #expect(gauge.look(Self.use(79), now: 0) == MemoryGauge.Relief())
    }

    @Test mutating func caches_areGivenUpAtOnce_andThenEveryFiveSeconds() {
        let releases = (0...10).filter { gauge.look(Self.use(82), now: .epoch + Self.second * $0).releases }
        #expect(releases == [0, 5, 10])
    }

    @Test mutating func untilTheLastLevel_nobodyIsClosed() {
        let closes = (0...10).filter { gauge.look(Self.use(89), now: .epoch + Self.second * $0).closes }
        #expect(closes.isEmpty)
    }

    @Test mutating func connections_areClosedAgainOnlyOnceTheLastClosureShows() {
        let closes = (0...10).filter { gauge.look(Self.use(95), now: .epoch + Self.second * $0 / 50).closes }
        #expect(closes == [0, 5, 10])
    }

    @Test mutating func whatWasFreedByAClosure_goesBackAtOnce() {
        _ = gauge.look(Self.use(82), now: 0)
        #expect(gauge.look(Self.use(95), now: .epoch + Self.second) == MemoryGauge.Relief(releases: true, closes: true))
    }

    @Test mutating func nearTheLimit_itIsLookedAtTenTimesAsOften() {
        _ = gauge.look(Self.use(39), now: 0)
        let calm = gauge.pause
        _ = gauge.look(Self.use(40), now: 0)
        #expect(calm == Self.second / 5)
        #expect(gauge.pause == Self.second / 50)
    }
}
