import CairnCore
import CairnGeo
@testable import CairnServer
import CairnTesting
import CairnTime
import Testing
@testable import CairnServer

@Suite struct PresencePaceTests {
    private static let interval: Duration = .milliseconds(50)
    private static let quietInterval: Duration = .milliseconds(15)
    private static let usual = PresencePace.Tick.all[0]
    private static let now: MonotonicTime = 10_000_000

    /// How long after a tick the next one is.
    private func wait(
        receivers: Int, _ prepare: (inout PresencePace) -> Void = { _ in }
    ) -> Duration {
        var pace = PresencePace(interval: Self.interval, quietInterval: Self.quietInterval)
        prepare(&pace)
        pace.ticked(Self.usual, now: Self.now, busyMicroseconds: 0)
        pace.offer(receivers: receivers, now: Self.now)
        return pace.nextTick(Self.usual, now: Self.now) - Self.now
    }

    @Test func whatIsLittle_leavesAtOnce() {
        #expect(wait(receivers: 5) < .milliseconds(1))
    }

    @Test func whatIsMuch_waitsForTheQuietInterval_onALoopWithNothingElseToDo() {
        #expect(wait(receivers: 100_000) == Self.quietInterval)
    }

    /// A second of ticks of a loop whose thread has a processor for a share of the time.
    private func busy(_ share: Double, _ pace: inout PresencePace) {
        for number in 0...100 {
            let elapsed = Duration.milliseconds(20 * number)
            pace.ticked(
                Self.usual, now: Self.now - .seconds(2) + elapsed,
                busyMicroseconds: UInt64(Double(elapsed.microseconds) * share))
        }
    }

    @Test(arguments: [(0.2, 24...28), (0.4, 36...40), (0.59, 48...50), (1.0, 71...74)])
    func theBusierTheLoop_theLongerTheWait(share: Double, milliseconds: ClosedRange<Int>) {
        var pace = PresencePace(interval: Self.interval, quietInterval: Self.quietInterval)
        busy(share, &pace)
        #expect(milliseconds.contains(Int(pace.longest.milliseconds)), "\(pace.longest)")
    }

    /// Work that comes with each tick makes a loop less busy the longer it waits: the wait settles, and does not swing.
    @Test(arguments: [1.0, 4, 12, 30])
    func waitAndLoad_settle(milliseconds work: Double) {
        var pace = PresencePace(interval: Self.interval, quietInterval: Self.quietInterval)
        var (time, busy) = (Self.now, 0.0)
        var waits: [Double] = []
        for _ in 0..<400 {
            busy += work * 1_000
            pace.ticked(Self.usual, now: time, busyMicroseconds: UInt64(busy))
            waits.append(max(work, Double(pace.longest.microseconds) / 1_000))
            time += .microseconds(Int64(waits.last! * 1_000))
        }
        let last = waits.suffix(100)
        #expect(last.max()! - last.min()! < 0.5, "\(last.min()!) to \(last.max()!) ms")
        #expect(last.allSatisfy { $0 >= 15 && $0 <= 50 })
    }

    @Test func afterALoad_theWaitIsShortAgainWithinTwoSeconds() {
        var pace = PresencePace(interval: Self.interval, quietInterval: Self.quietInterval)
        busy(1, &pace)
        for number in 1...100 {
            pace.ticked(Self.usual, now: Self.now + .milliseconds(20 * number), busyMicroseconds: 2_000_000)
        }
        #expect(pace.longest < .milliseconds(17))
    }

    /// A cell among others: new poses that fit for each of its receivers.
    private func room(
        for poses: Int, receivers: Int, loops: Int = 1, every period: Duration = .milliseconds(50),
        busy share: Double = 0
    ) -> Int {
        var pace = PresencePace(posesPerSecond: 1_000_000)
        busy(share, &pace)
        var room = 0
        for number in 0...20 {
            let time = Self.now + period * number
            room = pace.room(for: poses, receivers: receivers, loops: loops, elapsed: period, now: time)
        }
        return room
    }

    @Test func whatTheLoopHasTimeFor_isToldInFull() {
        #expect(room(for: 45, receivers: 1_000) >= 45)
        #expect(room(for: 0, receivers: 1_000) == 50, "what was left out is told when nothing is new")
        #expect(room(for: 10, receivers: 0) == 10)
    }

    /// The poses that are sent in all stay the same, however many there would be: quality falls smoothly.
    @Test(arguments: [1_100, 1_500, 2_000, 5_000])
    func beyondThat_eachIsToldOfAShare(people: Int) {
        let poses = people / 20
        let room = room(for: poses, receivers: people)
        let sent = Double(min(room, poses) * people) * 20
        #expect(sent > 850_000 && sent < 1_100_000, "\(sent)")
    }

    @Test func twoLoops_sendTwiceAsMuch() {
        #expect(room(for: 90, receivers: 1_000, loops: 2) >= 90)
        #expect(room(for: 90, receivers: 1_000, loops: 1) < 60)
    }

    @Test func loopWithoutTime_sendsATenth() {
        let (all, tenth) = (room(for: 1_000, receivers: 1_000), room(for: 1_000, receivers: 1_000, busy: 1))
        #expect(abs(tenth * 10 - all) <= 10)
    }

    /// Cells leave in turns, so that none waits for the sends of all others.
    @Test func ticksThatCameTogether_partAgain() {
        var pace = PresencePace(interval: Self.interval, quietInterval: Self.quietInterval)
        pace.offer(receivers: 1_000_000, now: Self.now)
        let ticks = PresencePace.Tick.all
        var told = ticks.map { _ in [MonotonicTime]() }
        for microsecond in stride(from: 0, to: 200_000, by: 250) {
            let time = Self.now + .microseconds(microsecond)
            for (index, tick) in ticks.enumerated() where pace.nextTick(tick, now: time) <= time {
                pace.ticked(tick, now: time, busyMicroseconds: 0)
                told[index].append(time)
            }
        }
        for times in told {
            for (one, next) in zip(times, times.dropFirst()) {
                #expect(abs((next - one - Self.quietInterval).microseconds) < 1_000)
            }
        }
        let all = told.joined().sorted()
        #expect(zip(all, all.dropFirst()).allSatisfy { $1 - $0 >= Self.quietInterval / 4 })
    }

    private func tick(latitude: Double, longitude: Double) throws -> Int {
        let there = try #require(Coordinate(latitude: latitude, longitude: longitude))
        return PresencePace.Tick.of(CellID(there, level: 16)).index
    }

    @Test func neighbourhoods_areSpreadOverTheTicks() throws {
        var counts: [Int: Int] = [:]
        for north in 0..<20 {
            for east in 0..<20 {
                let tick = try tick(latitude: 45.5 + Double(north) * 0.02, longitude: -73.57 + Double(east) * 0.03)
                counts[tick, default: 0] += 1
            }
        }
        #expect(counts.count == 4 && counts.values.allSatisfy { (70...130).contains($0) }, "\(counts)")
    }

    /// Whoever sees several cells is sent their batches together.
    @Test func mostNeighbours_leaveTogether() throws {
        var together = 0
        for number in 0..<400 {
            let (latitude, longitude) = (45.5 + Double(number) * 0.0137, -73.57 + Double(number % 20) * 0.031)
            let (one, other) = try (
                tick(latitude: latitude, longitude: longitude),
                tick(latitude: latitude + 0.0013, longitude: longitude)
            )
            together += one == other ? 1 : 0
        }
        #expect(together >= 320, "\(together) of 400")
    }

    @Test func whileManyArrive_everybodyWaitsAsLongAsIsAllowed() {
        let wait = wait(receivers: 5) { pace in
            for number in 0..<200 { pace.arrived(now: Self.now - .milliseconds(200 - number)) }
        }
        #expect(wait == Self.interval * 4)
    }

    /// Arrivals in one half second, and how long newcomers wait for others.
    @Test(arguments: [(50, 0...0), (150, 0...0), (400, 450...550), (5_000, 1_000...1_000)])
    func theMoreArrive_theLongerNewcomersWaitForMore(people: Int, milliseconds: ClosedRange<Int>) {
        var pace = PresencePace(interval: Self.interval, quietInterval: Self.quietInterval)
        for number in (0..<people).reversed() {
            pace.arrived(now: Self.now - .microseconds(500_000 / people * number))
        }
        let wait = pace.newcomersWait(now: Self.now)
        #expect(milliseconds.contains(Int(wait.milliseconds)), "\(wait)")
        #expect(pace.newcomersWait(now: Self.now + .seconds(4)) == .zero)
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
