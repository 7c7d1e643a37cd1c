import CairnGeo
import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// The schedule holds the earliest of any number of timers, and returns every home in time.
@Suite("Timer schedule")
struct TimerScheduleTests {
    /// The table `timers`, with the queries of the schedule.
    private struct Table {
        /// Home and time of each timer, one for each home.
        var due: [UInt64: Int64] = [:]

        func answer(_ query: Query) -> [Row] {
            let numbers = query.arguments.compactMap { if case .integer(let number) = $0 { number } else { nil } }
            let limit = Int(numbers.last ?? 0)
            let after = query.arguments.count > 2 ? (numbers[1], Self.number(query.arguments[2])) : (Int64.min, 0)
            let rows = due.filter { $0.value <= numbers[0] && ($0.value, $0.key) > after }
            return rows.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(limit).map { home, due in
                Self.row(home, due: due)
            }
        }

        static func row(_ home: UInt64, due: Int64) -> Row {
            let name = HomeAddress.account(AccountID(rawValue: home)).name
            return Row([
                .blob(withUnsafeBytes(of: home.bigEndian) { Array($0) }), .text("bells.ring"), .integer(0),
                .integer(due), .sealed([.text(name), .blob([])], Seal("timers"), row: 0),
            ])
        }

        private static func number(_ value: SQLValue) -> UInt64 {
            guard case .blob(let bytes) = value else { return 0 }
            return bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private static func home(_ number: UInt64) -> HomeAddress { .account(AccountID(rawValue: number)) }

    /// Reads until no further query is due now.
    private static func read(_ schedule: inout TimerSchedule, _ table: Table, now: LastingTime) {
        while let query = schedule.takeQuery(now: now) { _ = schedule.loaded(table.answer(query)) }
    }

    @Test func storedTimer_isNamedAtItsTime() {
        var schedule = TimerSchedule()
        Self.read(&schedule, Table(due: [1: 500]), now: 0)
        #expect(schedule.takeDue(now: 499).isEmpty)
        #expect(schedule.next == 500)
        #expect(schedule.takeDue(now: 500) == [Self.home(1)])
    }

    @Test func overdueTimer_isNamedAtOnceAfterARestart() {
        var schedule = TimerSchedule()
        Self.read(&schedule, Table(due: [1: 1]), now: 1_000_000)
        #expect(schedule.takeDue(now: 1_000_000) == [Self.home(1)])
    }

    @Test func timerThatIsSetWhileItsTimeIsBeingRead_isNotMissed() {
        var schedule = TimerSchedule()
        let query = schedule.takeQuery(now: 0)
        #expect(query != nil)
        schedule.note(Self.home(1), due: 500)
        _ = schedule.loaded([])
        #expect(schedule.takeDue(now: 500) == [Self.home(1)])
    }

    @Test func timerBeyondTheHorizon_isReadWhenItsTimeComes() {
        var schedule = TimerSchedule()
        let far = LastingTime.epoch + TimerSchedule.horizon * 10
        Self.read(&schedule, Table(), now: 0)
        schedule.note(Self.home(1), due: far)
        #expect(schedule.count == 0)
        Self.read(&schedule, Table(due: [1: far.milliseconds]), now: far - TimerSchedule.lead)
        #expect(schedule.takeDue(now: far) == [Self.home(1)])
    }

    @Test func homeThatDidNotDoItsWork_isNamedAgainByTheNextPass() {
        var schedule = TimerSchedule()
        let table = Table(due: [1: 0])
        Self.read(&schedule, table, now: 0)
        #expect(schedule.takeDue(now: 0).count == 1)
        let next = LastingTime.epoch + TimerSchedule.horizon
        Self.read(&schedule, table, now: next)
        #expect(schedule.takeDue(now: next) == [Self.home(1)])
    }

    @Test func storeThatCannotBeAsked_isAskedAgain() {
        var schedule = TimerSchedule()
        #expect(schedule.takeQuery(now: 0) != nil)
        #expect(schedule.takeQuery(now: 0) == nil, "one question at a time")
        _ = schedule.loaded(nil)
        #expect(schedule.takeQuery(now: 0) != nil)
    }

    @Test func damagedRow_isReported_andThoseBehindItAreRead() {
        var schedule = TimerSchedule(heldMax: 100, pageMax: 2)
        let bad = Row([.blob([0]), .text("bells.ring"), .integer(0), .integer(1), .blob([9])])
        _ = schedule.takeQuery(now: 0)
        #expect(schedule.loaded([bad, bad]).count == 2)
        let next = schedule.takeQuery(now: 0)
        #expect(next?.arguments.count == 6, "the next page begins behind the damaged rows")
        _ = schedule.loaded([Table.row(7, due: 2)])
        #expect(schedule.takeDue(now: 2) == [Self.home(7)])
    }

    @Test func aMillionTimers_takeNoMoreMemoryThanAFewThousand() {
        var schedule = TimerSchedule()
        Self.read(&schedule, Table(), now: 0)
        // All timers are within the horizon: while they are set, the latest are dropped and read again later.
        for number in 0..<1_000_000 as Range<UInt64> {
            schedule.note(Self.home(number), due: LastingTime(milliseconds: Int64(number * 7_919 % 59_999)))
        }
        #expect(schedule.count <= 4_096 + 1_024)
    }

    /// Timers are set, moved and done at random, homes sometimes do not do their work, and the server restarts: no home
    /// is returned more than a second late or early, and the schedule never holds more timers than its bound.
    @Test(arguments: [1, 2, 3, 4, 5])
    func randomTimers_areNamedInTime(seed: UInt64) {
        var random = SeededRandom(seed)
        var table = Table()
        var schedule = TimerSchedule(heldMax: 16, pageMax: 8)
        var late: [UInt64] = []
        // Since when each home has been due: a timer may be set with a time that has already passed.
        var since: [UInt64: LastingTime] = [:]
        for step in 0..<3_000 {
            let now = LastingTime(milliseconds: 1_000_000 + Int64(step) * 100)
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                let home = UInt64.random(in: 1...200, using: &random)
                let due = now + .milliseconds(Int.random(in: -500...90_000, using: &random))
                table.due[home] = due.milliseconds
                since[home] = max(now, due)
                schedule.note(Self.home(home), due: due)
            }
            if step % 700 == 699 { schedule = TimerSchedule(heldMax: 16, pageMax: 8) }
            var named: [HomeAddress] = []
            repeat {
                Self.read(&schedule, table, now: now)
                named = schedule.takeDue(now: now)
                for case .account(let id) in named {
                    guard let due = table.due[id.rawValue], due <= now.milliseconds else { continue }
                    table.due[id.rawValue] = nil
                }
            } while !named.isEmpty
            late += table.due.keys.filter { now - (since[$0] ?? now) >= .seconds(1) }
            #expect(schedule.count <= 16 + 2 * 8)
        }
        #expect(late.isEmpty, "\(late.count) times a home waited for longer than a second")
        #expect(table.due.count < 200)
    }
}
