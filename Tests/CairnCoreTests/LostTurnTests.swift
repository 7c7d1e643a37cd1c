import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// A home with a change that the store has refused for good: no change that depends on it is acknowledged.
@Suite("Lost turns")
struct LostTurnTests {
    private static func make() -> HomeBench { .make(disk: .later, register: .things) }

    @Test func refusedTurn_isAnsweredInternal_andThoseBehindItAreToTryAgain() {
        var home = Self.make()
        for id in 1...3 { home.push(.thing(.setKind, UInt8(id), id: UInt32(id))) }
        let left = home.refuse() + home.void()
        #expect(left.answers.map(\.request.id) == [1, 2, 3])
        #expect(left.answers.map(\.answer.refusal?.code) == [.internal, .tryAgain, .tryAgain])
    }

    @Test func turnsBehindARefusedOne_haveNoOutputs() {
        var home = Self.make()
        for id in 1...3 { home.push(.thing(.setKind, UInt8(id), id: UInt32(id))) }
        home.refuse()
        home.void()
        #expect(home.events.isEmpty && home.instances.isEmpty)
    }

    @Test func turnsBehindARefusedOne_waitForTheStoreToDecide() {
        var home = Self.make()
        for id in 1...2 { home.push(.thing(.setKind, UInt8(id), id: UInt32(id))) }
        #expect(home.refuse().answers.map(\.request.id) == [1])
        #expect(!home.core.isQuiet)
    }

    @Test func turnsBeforeARefusedOne_haveTheirOutputs() {
        var home = Self.make()
        for id in 1...2 { home.push(.thing(.setKind, UInt8(id), id: UInt32(id))) }
        home.commit(turns: 1)
        home.refuse()
        #expect(home.actions.answers.map(\.answer.refusal?.code) == [nil, .internal])
        #expect(home.events.count == 1)
    }

    @Test func refusalDecidedBehindARefusedTurn_isToTryAgain() {
        var home = Self.make()
        home.push(.thing(.setKind, 1, id: 1))
        home.push(.thing(.setKind, 0, id: 2))
        #expect(home.refuse().answers.map(\.answer.refusal?.code) == [.internal, .tryAgain])
    }

    @Test func lostHome_runsNothing() {
        var home = Self.make()
        home.push(.thing(.setKind, id: 1))
        home.refuse()
        let left = home.push(.thing(.setKind, id: 2)) + home.push(.thing(.lookKind, id: 3))
        #expect(left.answers.map(\.answer.refusal?.code) == [.tryAgain, .tryAgain])
        #expect(home.pending.isEmpty)
    }

    @Test func factFromAnotherHome_isHeardAllTheSame() {
        var home = Self.make()
        home.push(.thing(.setKind, 1, id: 1))
        home.commit()
        home.push(.thing(.setKind, 2, id: 2))
        home.hear(ThingPulled(id: .make(1)))
        home.refuse()
        #expect(home.instances.isEmpty, "the first has gone to the other home, the second never was")
        #expect(home.core.instanceCount == 0)
    }

    @Test func factFromAnotherHome_isHeardByALostOne() {
        var home = Self.make()
        home.push(.thing(.setKind, 1, id: 1))
        home.commit()
        home.push(.thing(.setKind, 2, id: 2))
        home.refuse()
        #expect(home.hear(ThingPulled(id: .make(1))).events.count == 1)
    }

    @Test(arguments: [false, true])
    func whatAnotherHomeAsksFor_isDeclined(isAskedFirst: Bool) {
        var home = Self.make()
        home.push(.thing(.setKind, 1, id: 1))
        if isAskedFirst { home.hear(ThingPushed(id: .make(2))) }
        home.refuse()
        if !isAskedFirst { home.hear(ThingPushed(id: .make(2))) }
        home.void()
        #expect(home.actions.counts == ["pushes declined"])
        #expect(home.instances.isEmpty && home.core.isQuiet)
    }

    /// Turns, commits and refusals in any order, with the home loaded again after each refusal: the acknowledged
    /// results equal those of a model that runs only the acknowledged requests, one after another.
    @Test(arguments: 0..<200)
    func randomRefusals_acknowledgeNothingThatStoodOnThem(seed: UInt64) {
        var random = SeededRandom(seed)
        var world = ThingWorld()
        for id in 1...300 as ClosedRange<UInt32> {
            let thing = UInt8.random(in: 1...4, using: &random)
            switch Int.random(in: 0..<16, using: &random) {
            case 0: world.home.refuse()
            case 1...4: world.commit(turns: .random(in: 1...6, using: &random))
            case 5, 6: world.push(.thing(.dropKind, thing, id: id))
            case 7: world.push(.thing(.setKind, 0, id: id))
            default: world.push(.thing(.setKind, thing, id: id))
            }
            world.check()
        }
        world.commit(turns: .max)
        world.check()
        #expect(world.answered == world.asked)
        #expect(world.kept == world.model)
        #expect(world.losses > 0)
    }
}

/// A home, its disk, and the model with which both are compared.
private struct ThingWorld {
    var home = HomeBench.make(disk: .later, register: .things)
    private(set) var asked: [UInt32] = []
    private(set) var losses = 0
    /// The acknowledged requests, in order.
    private(set) var model: [Int64: Int64] = [:]
    private var answers: [UInt32] = []
    private var keptBefore: [Int64: Int64] = [:]
    private var seen = 0

    var answered: [UInt32] { answers.sorted() }

    /// The state on disk.
    var kept: [Int64: Int64] {
        home.kept.flatMap(\.statements).reduce(into: keptBefore) { kept, statement in
            guard case .integer(let thing) = statement.arguments.first else { return }
            switch (statement.sql.text, statement.arguments.last) {
            case ("SET", .integer(let version)): kept[thing] = version
            case ("DROP", _): kept[thing] = nil
            default: break
            }
        }
    }

    mutating func push(_ request: Request) {
        asked.append(request.id)
        home.push(request)
    }

    /// The store decides the waiting units and voids those behind a refused one.
    mutating func commit(turns: Int) {
        if home.core.isLost { home.void() } else { home.commit(turns: turns) }
    }

    mutating func check() {
        for (request, answer) in Array(home.actions[seen...]).answers {
            answers.append(request.id)
            let thing = Int64(request.thing)
            switch answer {
            case .success(.edited(let edited)):
                #expect(Int64(edited.instance.version) == (model[thing] ?? 0) + 1)
                model[thing] = Int64(edited.instance.version)
            case .success, .unchanged: model[thing] = nil
            case .refusal: break
            }
        }
        seen = home.actions.count
        for instance in home.instances {
            #expect(InstanceID(instance.id).flatMap { model[Int64($0.rawValue)] } == Int64(instance.version))
        }
        if home.core.isLost, home.core.isQuiet { readAnew() }
    }

    private mutating func readAnew() {
        losses += 1
        keptBefore = kept
        #expect(keptBefore == model)
        home = .make(disk: .later, register: .things)
        home.restore([[keptBefore.map { Row([.integer($0), .integer($1)]) }]])
        seen = 0
    }
}
