import Testing

@testable import CairnCore

/// The followed time with a wall clock that is wrong and is corrected (pitfalls B22).
@Suite("FollowedTime")
struct FollowedTimeTests {
    private static let hour: Int64 = 3_600_000
    private static let day: Int64 = 24 * hour
    private static let newYear: Int64 = 1_767_225_600_000

    /// A server that reads its clocks every second.
    private struct Run {
        var time: FollowedTime
        var wall: Int64
        var monotonic: Int64 = 5_000
        var events: [FollowedTime.Event] = []

        init(wall: Int64 = newYear, mark: FollowedTime.Mark? = nil) {
            self.wall = wall
            time = FollowedTime(FollowedTime.Reading(wall: wall, monotonic: 5_000), mark: mark)
        }

        var told: Int64 { monotonic + time.toldOffset }
        var lasting: Int64 { monotonic + time.lastingOffset }

        mutating func pass(_ milliseconds: Int64, every step: Int64 = 1_000) {
            for _ in 0..<(milliseconds / step) {
                wall += step
                monotonic += step
                events += time.look(FollowedTime.Reading(wall: wall, monotonic: monotonic))
            }
        }
    }

    // MARK: While it runs

    @Test func clockThatIsRight_isFollowedExactly() {
        var run = Run()
        run.pass(Self.hour)
        #expect(run.told == run.wall && run.lasting == run.wall && run.events.isEmpty)
    }

    @Test func smallDifference_isMadeUpForLittleByLittle() {
        var run = Run()
        run.wall += 500
        run.pass(10_000)
        #expect(run.told == run.wall - 400)
        run.pass(60_000)
        #expect(run.told == run.wall && run.lasting == run.wall && run.events.isEmpty)
    }

    @Test func smallStepBack_turnsNoTimeBack() {
        var run = Run()
        run.wall -= 900
        for _ in 0..<100 {
            let (told, lasting) = (run.told, run.lasting)
            run.pass(1_000)
            #expect(run.told > told && run.lasting > lasting)
        }
        #expect(run.told == run.wall)
    }

    @Test(arguments: [-2 * day, -3_600_000, 5_000, 3_600_000, 2 * day])
    func step_isFollowedOnceTheClockHasKeptIt(step: Int64) {
        var run = Run()
        run.wall += step
        run.pass(9_000)
        #expect(run.told == run.wall - step)
        run.pass(3_000)
        #expect(run.told == run.wall && run.events == [.stepped(by: step)])
    }

    @Test func clockThatJumpsToAndFro_isNotFollowed() {
        var run = Run()
        let right = run.wall
        for _ in 0..<20 {
            run.wall += Self.day
            run.pass(5_000)
            run.wall -= Self.day
            run.pass(1_000)
        }
        #expect(run.events.isEmpty && run.told == run.wall && run.wall > right)
    }

    @Test func stepForwards_agesNothingForADay() {
        var run = Run()
        run.wall += 2 * Self.day
        run.pass(23 * Self.hour, every: 10_000)
        #expect(run.lasting == run.wall - 2 * Self.day)
        run.pass(2 * Self.hour, every: 10_000)
        #expect(run.lasting == run.wall && run.events.last == .caughtUp(by: 2 * Self.day))
    }

    @Test func stepBack_neverTurnsLastingTimeBack() {
        var run = Run()
        run.wall -= 2 * Self.day
        run.pass(3 * Self.day, every: 60_000)
        #expect(run.lasting == run.wall + 2 * Self.day)
    }

    // MARK: From start to start

    @Test func shortAbsence_isTakenAsItIs() {
        let run = Run(mark: .init(lasting: Self.newYear - Self.hour))
        #expect(run.lasting == Self.newYear && run.time.doubt == 0)
    }

    /// Silence of people counts from there: the server did not listen before.
    @Test(arguments: [0, hour, 2 * day, 9 * day, -2 * day])
    func steadyTime_beginsAtAStart_howeverLongTheAbsence(absence: Int64) {
        var run = Run(mark: .init(lasting: Self.newYear - absence))
        let start = run.lasting
        run.pass(Self.hour, every: 60_000)
        #expect(run.time.steadySince == start && run.lasting == start + Self.hour)
    }

    @Test func steadyTime_beginsAnew_whenTheLastingTimeJumps() {
        var run = Run()
        run.wall += 2 * Self.day
        run.pass(25 * Self.hour, every: 10_000)
        #expect(run.events.last == .caughtUp(by: 2 * Self.day))
        #expect(run.lasting - run.time.steadySince < 2 * Self.hour)
    }

    @Test func longAbsence_leavesADoubt_forADay() {
        var run = Run(mark: .init(lasting: Self.newYear - 2 * Self.day))
        #expect(run.lasting == Self.newYear && run.time.doubt == 2 * Self.day)
        run.pass(Self.hour, every: 60_000)
        #expect(run.time.doubtLasts(monotonic: run.monotonic) == 23 * Self.hour)
        run.pass(24 * Self.hour, every: 60_000)
        #expect(run.time.doubt == 0 && run.time.doubtLasts(monotonic: run.monotonic) == 0)
    }

    /// The case in which one key placed twice: a start with a clock two days ahead, then one with the right clock.
    @Test func doubtOfAWrongStart_isCarriedToTheNext() {
        let wrong = Run(wall: Self.newYear + 2 * Self.day, mark: .init(lasting: Self.newYear))
        let right = Run(wall: Self.newYear + 60_000, mark: wrong.time.mark(monotonic: wrong.monotonic))
        let aMinuteOld = right.lasting - right.time.doubt
        #expect(aMinuteOld <= Self.newYear)
        #expect(right.told == Self.newYear + 60_000)
    }

    /// The opposite case: two days behind, then corrected. Rows that were stored meanwhile must not appear two days
    /// old.
    @Test func startBehindWhatIsStored_countsAgesOnFromThere() {
        let wrong = Run(wall: Self.newYear - 2 * Self.day, mark: .init(lasting: Self.newYear))
        #expect(wrong.lasting == Self.newYear && wrong.told == Self.newYear - 2 * Self.day)
    }

    @Test func startFarAhead_isNotBelieved() {
        var run = Run(wall: Self.newYear + 365 * Self.day, mark: .init(lasting: Self.newYear))
        #expect(run.lasting == Self.newYear && run.told == run.wall)
        run.pass(12 * Self.hour, every: 60_000)
        #expect(run.lasting == Self.newYear + 12 * Self.hour)
    }

    @Test func doubt_doesNotGrowWithoutEnd_whenAServerRestartsEveryDay() {
        var mark = FollowedTime.Mark(lasting: Self.newYear)
        for day in 1...100 {
            let run = Run(wall: Self.newYear + Int64(day) * Self.day, mark: mark)
            mark = run.time.mark(monotonic: run.monotonic)
        }
        #expect(mark.doubt <= FollowedTime.doubtCarriedMax + Self.day)
    }
}
