import CairnGeo
import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

@Suite("HomeCore")
struct HomeCoreTests {
    private static func make(_ disk: HomeBench.Disk = .later) -> HomeBench {
        .make(disk: disk, register: .things)
    }

    // MARK: No output leaves before its writes are on disk (invariant 4)

    @Test func change_goesToTheDiskAndHasNoOutputYet() {
        var home = Self.make()
        let left = home.push(.thing(.setKind))
        #expect(left.isEmpty)
        #expect(home.pending.map(\.turn) == [1])
    }

    @Test func commit_givesTheAnswerThenTheEvent() {
        var home = Self.make()
        home.push(.thing(.setKind))
        let left = home.commit()
        #expect(left.count == 2)
        #expect(left.first?.isAnswer == true && left.last?.isEvent == true)
    }

    @Test func diskThatNeverCommits_tellsNobodyAnything() {
        var home = Self.make(.never)
        for id in 1...20 { home.push(.thing(.setKind, UInt8(id), id: UInt32(id))) }
        home.commit()
        #expect(home.actions.isEmpty)
        #expect(home.instances.isEmpty)
        #expect(home.core.heldTurns == 20)
    }

    @Test func refusal_waitsForTheTurnsThatItMayHaveSeen() {
        var home = Self.make()
        home.push(.thing(.setKind, id: 1))
        #expect(home.push(.thing(.setKind, 0, id: 2)).isEmpty)
        #expect(home.commit().answers.map(\.request.id) == [1, 2])
    }

    @Test func refusal_leavesAtOnce_whenNothingIsHeld() {
        var home = Self.make()
        let left = home.push(.thing(.setKind, 0))
        #expect(left.answers.first?.answer.refusal?.code == .forbidden)
        #expect(home.pending.isEmpty)
    }

    @Test func snapshot_showsOnlyWhatIsKept() {
        var home = Self.make()
        home.push(.thing(.setKind, 1, id: 1))
        home.push(.thing(.setKind, 2, id: 2))
        #expect(home.instances.isEmpty)
        home.commit(turns: 1)
        #expect(home.instances.map(\.id) == [InstanceID.make(1).description])
    }

    @Test func answerOfAChange_isKeptWithTheChange() {
        var home = Self.make(.now)
        home.push(.thing(.setKind, key: "once"))
        let statements = home.kept.flatMap(\.statements)
        #expect(statements.count == 2)
        let sealed = statements.last?.arguments.compactMap { argument in
            if case .sealed(let values, _, _, _) = argument { values } else { nil }
        }
        #expect(sealed?.first?.contains(.text("once")) == true)
    }

    @Test func refusal_isNotKept() {
        var home = Self.make(.now)
        home.push(.thing(.setKind, 0))
        #expect(home.kept.isEmpty)
    }

    /// For any interleaving of turns and commits, each output leaves once, after its writes are on disk, in the order
    /// of the turns.
    @Test(arguments: 0..<40)
    func randomInterleavings_tellNothingEarlyNothingTwiceAndAllInOrder(seed: UInt64) {
        var random = SeededRandom(seed)
        var run = Interleaving(Self.make())
        for id in 1...150 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: run.home.push(.thing(.setKind, 0, id: UInt32(id)))
            case 1: run.home.push(.thing(.dropKind, .random(in: 1...5, using: &random), id: UInt32(id)))
            case 2: run.home.hear(ThingPushed(id: .make(.random(in: 1...5, using: &random))))
            case 3, 4: run.home.commit(turns: .random(in: 1...4, using: &random))
            default: run.home.push(.thing(.setKind, .random(in: 1...5, using: &random), id: UInt32(id)))
            }
            run.check()
        }
        run.home.commit()
        run.check()
        #expect(run.home.core.heldTurns == 0)
        let ids = run.home.actions.answers.map(\.request.id)
        #expect(ids == ids.sorted() && Set(ids).count == ids.count)
        let numbers = run.home.events.map(\.sequence)
        #expect(numbers == Array(1..<UInt64(numbers.count + 1)))
    }

    // MARK: Questions

    @Test func question_isAnsweredAtOnceWithKeptStateOnly() throws {
        var home = Self.make()
        home.push(.thing(.setKind, id: 1))
        home.commit()
        home.push(.thing(.setKind, id: 2))
        let left = home.push(.thing(.lookKind, id: 3))
        #expect(try left.answers.first?.answer.result.version == 1)
    }

    @Test func questionAboutWhatIsNotKept_isRefusedAtOnce() {
        var home = Self.make()
        home.push(.thing(.setKind, id: 1))
        let left = home.push(.thing(.lookKind, id: 2))
        #expect(left.answers.first?.answer.refusal?.code == .notFound)
    }

    @Test func question_writesNothing() {
        var home = Self.make(.now)
        home.push(.thing(.setKind, id: 1))
        let before = home.kept.count
        home.push(.thing(.lookKind, id: 2))
        #expect(home.kept.count == before)
    }

    /// It would be held as well as what was there before, for each question, until the next change.
    @Test(arguments: [true, false])
    func whatAQuestionNotesInMemory_standsAtOnce(isAnswered: Bool) {
        var home = Self.make()
        if isAnswered { home.push(.thing(.setKind, id: 1)) }
        home.commit()
        let left = home.push(.thing(.lookKind, id: 2))
        #expect((left.answers.first?.answer.refusal == nil) == isAnswered)
        #expect(home.core.turn.objects.kept(LookThing.noted) != nil)
    }

    @Test func thingThatAnotherHomeTookOver_isNoLongerKept_thoughNothingWasWrittenHere() {
        var home = Self.make(.now)
        home.push(.thing(.setKind, id: 1))
        home.hear(ThingPulled(id: .make()))
        let left = home.push(.thing(.lookKind, id: 2))
        #expect(left.answers.first?.answer.refusal?.code == .notFound)
    }

    @Test func thingThatAnotherHomeTookOver_isKeptUntilTheTurnsBeforeAre() {
        var home = Self.make()
        home.push(.thing(.setKind, 1, id: 1))
        home.commit()
        home.push(.thing(.setKind, 2, id: 2))
        home.hear(ThingPulled(id: .make(1)))
        #expect(home.push(.thing(.lookKind, 1, id: 3)).answers.first?.answer.refusal == nil)
        home.commit()
        #expect(home.push(.thing(.lookKind, 1, id: 4)).answers.first?.answer.refusal?.code == .notFound)
    }

    // MARK: Queries of the store

    @Test func asking_leavesWhenTheTurnsBeforeAreOnDisk_soThatTheStoreKnowsThem() {
        var home = Self.make()
        home.push(.thing(.setKind, id: 1))
        #expect(home.push(.thing(.askKind, id: 2)).asks.isEmpty)
        #expect(home.commit().asks == [2])
    }

    @Test func askedTurn_isAnsweredWhenItWasResumed_andItsAnswerIsKept() {
        var home = Self.make()
        let request = Request.thing(.askKind, id: 1, key: "once")
        #expect(home.push(request).asks == [1])
        #expect(home.resume(request, rows: [[Row([])]]).isEmpty, "the change is not on disk")
        #expect(home.pending.last?.statements.map(\.sql.text.first) == ["D", "I"])
        let left = home.commit()
        #expect(left.answers.map(\.request.id) == [1] && left.events.count == 1)
    }

    @Test func askedTurn_canBeRefused_andIsToTryAgainWhenTheStoreCannotBeRead() {
        var home = Self.make()
        let request = Request.thing(.askKind, id: 1)
        let refusals: [Refusal?] = [[[]], nil].map { home.resume(request, rows: $0).answers.first?.answer.refusal }
        #expect(refusals.map { $0?.code } == [.notFound, .tryAgain])
        #expect(refusals.last??.retryAfter != nil && home.pending.isEmpty)
    }

    // MARK: The rest

    @Test func clockSetBack_doesNotTurnTimeBackForRules() {
        var home = Self.make(.now)
        home.push(.thing(.setKind, id: 1))
        let first = home.time.wall
        home.time.set(first - .seconds(3_600))
        home.push(.thing(.setKind, id: 2))
        let times = home.kept.compactMap { $0.statements.last?.arguments[3] }
        #expect(times == [.time(first), .time(first)])
    }
}

/// Compares the outputs of a home with the state on its disk.
private struct Interleaving {
    var home: HomeBench
    private var seen = 0

    init(_ home: HomeBench) {
        self.home = home
    }

    mutating func check() {
        let disk = Set(home.kept.flatMap(\.statements).filter { ["SET", "DROP"].contains($0.sql.text) })
        let drops = Set(disk.filter { $0.sql.text == "DROP" }.map { $0.arguments[0] })
        for action in home.actions[seen...] {
            switch action {
            case .answer(_, .success(.edited(let edited))):
                #expect(disk.contains(.set(edited.instance.id, edited.instance.version)))
            case .answer(_, .success(.removed(let removed))):
                #expect(drops.contains(.thing(removed.instance)))
            case .broadcast(_, let item):
                switch item.event.change {
                case .changed(let changed): #expect(disk.contains(.set(changed.instance, changed.version)))
                case .left(let left): #expect(drops.contains(.thing(left.instance)))
                default: Issue.record("an event that was not published")
                }
            default: break
            }
        }
        seen = home.actions.count
        for instance in home.instances { #expect(disk.contains(.set(instance.id, instance.version))) }
    }
}

extension Statement {
    fileprivate static func set(_ id: String, _ version: UInt32) -> Statement {
        Statement("SET", .thing(id), .integer(Int64(version)))
    }
}

extension SQLValue {
    fileprivate static func thing(_ id: String) -> SQLValue {
        .integer(InstanceID(id).map { Int64($0.rawValue) } ?? -1)
    }
}

extension HomeCore.Action {
    fileprivate var isAnswer: Bool { if case .answer = self { true } else { false } }
    fileprivate var asked: UInt32? { if case .ask(_, let request) = self { request.id } else { nil } }
    fileprivate var isEvent: Bool { if case .broadcast = self { true } else { false } }
}

extension [HomeCore.Action] {
    /// Ids of the requests that wait for the store.
    fileprivate var asks: [UInt32] { compactMap(\.asked) }
}
