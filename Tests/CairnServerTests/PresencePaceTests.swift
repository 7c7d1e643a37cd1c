import CairnCore
import CairnTesting
import CairnTime
import Testing
@testable import CairnServer

@Suite struct PresencePaceTests {
    private static let interval: Duration = .milliseconds(50)
    private static let quietInterval: Duration = .milliseconds(25)
    private static let now: MonotonicTime = 10_000_000

    /// How long a pose waits that comes right after a batch, where nothing else is expected.
    private func wait(
        receivers: Int, _ prepare: (inout PresencePace) -> Void = { _ in }
    ) -> Duration {
        var pace = PresencePace(interval: Self.interval, quietInterval: Self.quietInterval)
        prepare(&pace)
        pace.offer(receivers: receivers, now: Self.now)
        var forecast = PoseForecast()
        return pace.departure(of: 1, since: Self.now, after: Self.now, forecast: &forecast, now: Self.now) - Self.now
    }

    @Test func whatIsLittle_leavesAtOnce() {
        #expect(wait(receivers: 5) < .milliseconds(1))
    }

    @Test func whatIsMuch_waitsForNothingThatIsNotExpected() {
        #expect(wait(receivers: 100_000) == .zero)
    }

    @Test func onALoopWithNothingElseToDo_theLongestWaitIsTheQuietInterval() {
        #expect(PresencePace(interval: Self.interval, quietInterval: Self.quietInterval).longest == Self.quietInterval)
    }

    /// A second of ticks of a loop whose thread has a processor for a share of the time.
    private func busy(_ share: Double, _ pace: inout PresencePace) {
        for number in 0...100 {
            let elapsed = Duration.milliseconds(20 * number)
            pace.measure(
                busyMicroseconds: UInt64(Double(elapsed.microseconds) * share),
                now: Self.now - .seconds(2) + elapsed)
        }
    }

    @Test(arguments: [(0.2, 32...35), (0.4, 40...43), (0.59, 48...50), (1.0, 65...67)])
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
            pace.measure(busyMicroseconds: UInt64(busy), now: time)
            waits.append(max(work, Double(pace.longest.microseconds) / 1_000))
            time += .microseconds(Int64(waits.last! * 1_000))
        }
        let last = waits.suffix(100)
        #expect(last.max()! - last.min()! < 0.5, "\(last.min()!) to \(last.max()!) ms")
        #expect(last.allSatisfy { $0 >= 25 && $0 <= 50 })
    }

    @Test func afterALoad_theWaitIsShortAgainWithinTwoSeconds() {
        var pace = PresencePace(interval: Self.interval, quietInterval: Self.quietInterval)
        busy(1, &pace)
        for number in 1...100 {
            pace.measure(busyMicroseconds: 2_000_000, now: Self.now + .milliseconds(20 * number))
        }
        #expect(pace.longest < .milliseconds(27))
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
