import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// Timers of a home: set and cancelled by effects, done once.
@Suite("Home timers")
struct HomeTimerTests {
    private static func make(_ disk: HomeBench.Disk = .now) -> HomeBench {
        .make(disk: disk, register: FeatureRegister([Bells.self]))
    }

    private static func statements(_ home: HomeBench) -> [String] {
        (home.kept + home.pending).flatMap(\.statements).map { String($0.sql.text.prefix(6)) }
    }

    @Test func timer_firesAtItsTime_andNotBefore() {
        var home = Self.make()
        let due = home.time.lasting + .seconds(1)
        home.hear(SetBell(at: due, .told))
        home.time.advance(.milliseconds(999))
        #expect(home.fireTimers().events.isEmpty)
        home.time.advance(.milliseconds(1))
        #expect(home.fireTimers().events.count == 1)
    }

    @Test func timer_firesOnce() {
        var home = Self.make()
        home.hear(SetBell(at: 0, .told))
        #expect(home.fireTimers().events.count == 1)
        #expect(home.fireTimers().isEmpty)
        #expect(Self.statements(home) == ["INSERT", "DELETE"])
    }

    @Test func timers_fireInTheOrderOfTheirTimes() {
        var home = Self.make()
        let bells: [(UInt64, LastingTime)] = [(1, 30), (2, 10), (3, 20)]
        for (subject, due) in bells { home.hear(SetBell(subject, at: due, .told)) }
        #expect(home.fireTimers().events.map(\.left.instance) == [2, 3, 1].map { InstanceID.make($0).description })
    }

    @Test func timerIsScheduled_onlyWhenItIsOnDisk() {
        var home = Self.make(.later)
        #expect(home.hear(SetBell(at: 5, .told)).schedules.isEmpty)
        #expect(home.commit().schedules == [5])
    }

    @Test func settingAgain_replacesTheTime() {
        var home = Self.make()
        home.hear(SetBell(at: 0, .told))
        home.hear(SetBell(at: .distantFuture, .told))
        #expect(home.fireTimers().isEmpty)
        home.hear(SetBell(at: 0, .told))
        #expect(home.fireTimers().events.count == 1)
    }

    @Test func cancelledTimer_doesNotFire_andItsRowGoes() {
        var home = Self.make()
        home.hear(SetBell(at: 0, .told))
        home.hear(CancelBell())
        #expect(home.fireTimers().isEmpty)
        #expect(Self.statements(home) == ["INSERT", "DELETE"])
    }

    @Test func cancellingWhatIsNotSet_writesNothing() {
        var home = Self.make()
        home.hear(CancelBell())
        #expect(home.kept.isEmpty)
    }

    @Test func firingThatWritesNothing_isPublished_whateverTheDiskDoes() {
        var home = Self.make()
        home.hear(SetBell(at: 0, .told))
        home.disk = .never
        #expect(home.fireTimers().events.count == 1)
        #expect(home.pending.flatMap(\.statements).count == 1, "its row goes later")
    }

    @Test func firingThatWrites_isPublishedWithItsRowDeleted_inOneCommit() {
        var home = Self.make()
        home.hear(SetBell(at: 0, .written))
        home.disk = .later
        #expect(home.fireTimers().events.isEmpty)
        #expect(home.pending.map { $0.statements.map { String($0.sql.text.prefix(6)) } } == [["DELETE", "RING  "]])
        #expect(home.commit().events.count == 1)
    }

    @Test func firingThatSetsItselfAgain_keepsItsRow() {
        var home = Self.make()
        home.hear(SetBell(at: home.time.lasting, .repeated))
        #expect(home.fireTimers().events.count == 1)
        home.time.advance(.milliseconds(1_000))
        #expect(home.fireTimers().events.count == 1)
        #expect(Self.statements(home) == ["INSERT", "INSERT", "INSERT"])
    }

    @Test func lostHome_firesNothing() {
        var home = Self.make(.later)
        home.hear(SetBell(at: 0, .written))
        home.commit()
        home.fireTimers()
        home.refuse()
        #expect(home.events.isEmpty, "what was never on disk is told to nobody")
        home.hear(SetBell(at: 0, .told))
        #expect(home.fireTimers().isEmpty)
    }

    // MARK: Storage

    private static func row(
        kind: String = Bell.kind.text, due: Int64 = 7, payload: [UInt8] = [Bell.Deed.told.rawValue]
    ) -> Row {
        let home = HomeAddress.cell(Ground.here.cell).name
        return Row([
            .blob([1]), .text(kind), .integer(3), .integer(due),
            .sealed([.text(home), .blob(payload)], Seal("timers"), row: 3),
        ])
    }

    private static func restored(_ row: Row) -> (HomeBench, [DamagedRow]) {
        var home = make()
        let damage = home.restore([[], [[row]]])
        return (home, damage)
    }

    @Test func storedTimer_firesAfterARestart() {
        var (home, damage) = Self.restored(Self.row())
        #expect(damage.isEmpty)
        #expect(home.fireTimers().events.map(\.left.instance) == [InstanceID.make(3).description])
    }

    @Test func timerOfAFeatureThatIsNoMore_goesWithoutAWord() {
        var (home, _) = Self.restored(Self.row(kind: "gone.away"))
        #expect(home.fireTimers().isEmpty)
        #expect(Self.statements(home) == ["DELETE"])
    }

    @Test func payloadThatCannotBeRead_isReported_andItsRowStays() {
        var (home, _) = Self.restored(Self.row(payload: []))
        let left = home.fireTimers()
        guard case .report(let rows)? = left.first else {
            Issue.record("nothing was reported")
            return
        }
        #expect(rows.map(\.table) == ["timers"] && rows.map(\.cause) == [.unreadable])
        #expect(home.kept.isEmpty)
    }

    @Test func damagedRow_isReported_andTheHomeLives() {
        let (_, damage) = Self.restored(Self.row(due: -1))
        #expect(damage.map(\.column) == ["due"])
    }

    @Test func kindThatTwoFeaturesDeclare_trapsAtStart() async {
        await #expect(processExitsWith: .failure) { _ = FeatureRegister([Bells.self, Bells.self]) }
    }

    @Test func questionThatAsksForAChange_trapsInTests() async {
        await #expect(processExitsWith: .failure) {
            var home = HomeTimerTests.make()
            let body = WireCursor()
            home.push(
                Request(
                    id: 1, key: "", command: AskForBell(body), payload: [], sender: .make()))
        }
    }
}

/// A feature with timers only.
enum Bells: Feature {
    static let name = "bells"
    static let commands: [any Command.Type] = []
    static let migrations: [Migration] = []
    static let timers: [any HomeTimer.Type] = [Bell.self]
}

/// Publishes that the thing of its number has left.
struct Bell: HomeTimer {
    enum Deed: UInt8 {
        /// Publishes and writes nothing.
        case told
        case written
        /// Publishes and sets itself again, a second later.
        case repeated
    }

    static let kind: StaticText = "bells.ring"
    let subject: UInt64
    let deed: Deed

    init(_ subject: UInt64, _ deed: Deed) {
        self.subject = subject
        self.deed = deed
    }

    init(subject: UInt64, payload: [UInt8]) throws(ColumnFault) {
        guard let deed = payload.first.flatMap(Deed.init) else { throw ColumnFault(1, .unreadable) }
        self.init(subject, deed)
    }

    var payload: [UInt8] { [deed.rawValue] }

    func fire(due: LastingTime, in turn: inout Turn) -> [Effect] {
        var event = WireEvent()
        event.left.instance = InstanceID.make(subject).description
        guard let change = event.change else { return [] }
        let told = Effect.publish(
            Publication(audience: .everyone, change: change, object: .make(subject), owner: nil, state: nil))
        switch deed {
        case .told: return [told]
        case .written: return [told, .write(Statement("RING  "))]
        case .repeated: return [told, .wake(at: due + .seconds(1), self)]
        }
    }
}

private struct SetBell: HomeMessage {
    static let kind: StaticText = "bells.set"
    let bell: Bell
    let due: LastingTime

    init(_ subject: UInt64 = 1, at due: LastingTime, _ deed: Bell.Deed) {
        bell = Bell(subject, deed)
        self.due = due
    }

    init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        let numbers = payload.numbers
        let due = LastingTime(milliseconds: Int64(bitPattern: numbers[1]))
        self.init(numbers[0], at: due, Bell.Deed(rawValue: UInt8(numbers[2])) ?? .told)
    }

    var payload: [UInt8] {
        [UInt8](numbers: [bell.subject, UInt64(bitPattern: due.milliseconds), UInt64(bell.deed.rawValue)])
    }

    func heard(in turn: inout Turn) -> [Effect] { [.wake(at: due, bell)] }
}

private struct CancelBell: HomeMessage {
    static let kind: StaticText = "bells.cancel"

    init() {}

    init(payload: [UInt8], register: FeatureRegister) {}

    var payload: [UInt8] { [] }

    func heard(in turn: inout Turn) -> [Effect] { [.cancel(Bell.self, subject: 1)] }
}

private struct AskForBell: Question {
    static let kind = MessageKind(field: 910, name: "askForBell")

    init(_ body: WireCursor) {}

    func home(for sender: Sender, settings: Settings) -> HomeAddress { .cell(Ground.here.cell) }

    func decide(_ request: Request, in turn: inout Turn) -> [Effect] { [.wake(at: 0, Bell(1, .told))] }
}

extension [HomeCore.Action] {
    /// The times at which the home has to be woken.
    fileprivate var schedules: [LastingTime] {
        compactMap { if case .schedule(let due) = $0 { due } else { nil } }
    }
}
