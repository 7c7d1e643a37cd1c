import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// Working state and kept state (invariant 4): rules check the former, readers get the latter.
@Suite("ObjectTable")
struct ObjectTableTests {
    private var table = ObjectTable()
    private let id = InstanceID.make()

    private mutating func set(_ version: UInt32?, in turn: UInt64) {
        table.turn = turn
        table[id] = version.map { .make(id, version: $0) }
    }

    @Test mutating func change_isWorkingStateAtOnceAndKeptStateOnlyWhenSettled() {
        set(1, in: 1)
        #expect(table[id]?.wire.version == 1)
        #expect(table.kept(id) == nil)
        table.settle(through: 1)
        #expect(table.kept(id)?.wire.version == 1)
    }

    @Test mutating func changesOfWakingUp_areKeptAtOnce() {
        set(4, in: 0)
        #expect(table.kept(id)?.wire.version == 4)
    }

    @Test mutating func severalTurnsOnOneObject_settleOneAfterTheOther() {
        for turn in 1...3 { set(UInt32(turn), in: UInt64(turn)) }
        #expect(table.kept(id) == nil)
        for turn in 1...3 {
            table.settle(through: UInt64(turn))
            #expect(table.kept(id)?.wire.version == UInt32(turn))
            #expect(table[id]?.wire.version == 3)
        }
    }

    @Test mutating func settlingALaterTurn_settlesTheEarlierOnes() {
        for turn in 1...5 { set(UInt32(turn), in: UInt64(turn)) }
        table.settle(through: 4)
        #expect(table.kept(id)?.wire.version == 4)
    }

    @Test mutating func settlingAnEarlierTurnAgain_takesNothingBack() {
        set(1, in: 1)
        set(2, in: 2)
        table.settle(through: 2)
        table.settle(through: 1)
        #expect(table.kept(id)?.wire.version == 2)
    }

    @Test mutating func settlingATurnThatDidNotTouchTheObject_settlesTheOnesBeforeIt() {
        set(1, in: 1)
        set(2, in: 5)
        table.settle(through: 3)
        #expect(table.kept(id)?.wire.version == 1)
    }

    @Test mutating func twoChangesInOneTurn_areOne() {
        set(1, in: 1)
        set(2, in: 1)
        table.settle(through: 1)
        #expect(table.kept(id)?.wire.version == 2)
    }

    @Test mutating func removal_isKeptOnlyWhenSettled() {
        set(1, in: 0)
        set(nil, in: 1)
        #expect(table[id] == nil)
        #expect(table.kept(id)?.wire.version == 1)
        table.settle(through: 1)
        #expect(table.kept(id) == nil)
    }

    @Test mutating func removedAndPutBackBeforeTheDiskKnows_endsAsPutBack() {
        set(1, in: 0)
        set(nil, in: 1)
        set(2, in: 2)
        table.settle(through: 1)
        #expect(table.kept(id) == nil)
        table.settle(through: 2)
        #expect(table.kept(id)?.wire.version == 2)
    }

    @Test mutating func liveCount_followsTheWorkingState() {
        set(1, in: 1)
        #expect(table.liveCount(of: .make()) == 1)
        set(nil, in: 2)
        #expect(table.liveCount(of: .make()) == 0)
        #expect(table.count == 0)
    }

    @Test mutating func liveCount_doesNotCountAChangeAsAnotherObject() {
        set(1, in: 1)
        set(2, in: 2)
        #expect(table.liveCount(of: .make()) == 1)
    }

    // MARK: Kinds

    private static let leaf = ObjectKind("leaf")

    @Test mutating func kinds_areCountedAndFoundApart() {
        table[.make(1)] = .make(.make(1))
        table[.make(2)] = .make(.make(2), kind: Self.leaf)
        #expect(table.count(of: .object) == 1 && table.count(of: Self.leaf) == 1 && table.count == 2)
        #expect(table.liveCount(of: .make()) == 1 && table.liveCount(of: .make(), Self.leaf) == 1)
        #expect(table.record(.make(2), .object) == nil && table.record(.make(2), Self.leaf) != nil)
        #expect(table.kept(.make(1), Self.leaf) == nil && table.kept(.make(1), .object) != nil)
        #expect(table.kept(of: .make()).count == 2)
        table[.make(2)] = nil
        #expect(table.count(of: Self.leaf) == 0 && table.liveCount(of: .make(), Self.leaf) == 0)
    }

    @Test mutating func expiredInstance_isRememberedForItsViewers() {
        table[.make(1)] = .make(.make(1), ends: 5)
        table[.make(2)] = .make(.make(2), audience: .owner(.make()), ends: 5)
        #expect(table.takeEnded(.object, by: 5, max: 2).count == 2 && table.count == 0)
        #expect(table.hasEnded(.make(1), for: .make(9)) && table.hasEnded(.make(1), for: .make(1)))
        #expect(!table.hasEnded(.make(2), for: .make(9)) && table.hasEnded(.make(2), for: .make(1)))
        #expect(!table.hasEnded(.make(3), for: .make(1)) && !table.hasEnded(nil, for: .make(1)))
    }

    @Test mutating func endsBeyondTheBound_areForgottenOldestFirst() {
        for id in 1...1_025 { table.remember(endOf: .make(.make(UInt64(id)))) }
        #expect(!table.hasEnded(.make(1), for: .make()) && table.hasEnded(.make(2), for: .make()))
    }

    /// The cost of a thousand ends of turns must not grow with the number of turns under way: a hundred times the cost
    /// would be minutes.
    @Test(.timeLimit(.minutes(10))) mutating func settlingOneByOne_costsWhatIsSettled_notWhatIsUnderWay() {
        let count: UInt64 = 40_000
        for turn in 1...count {
            table.turn = turn
            table[.make(turn % 20_000)] = .make(.make(turn % 20_000), version: UInt32(turn))
        }
        for turn in 1...count { table.settle(through: turn) }
        #expect(table.kept(.make(7))?.wire.version == 20_007)
    }

    @Test mutating func manyTurnsOnOneObject_settleInTime() {
        for turn in 1...20_000 { set(UInt32(turn), in: UInt64(turn)) }
        for turn in 1...20_000 { table.settle(through: UInt64(turn)) }
        #expect(table.kept(id)?.wire.version == 20_000)
    }

    @Test func randomTurnsAndCommits_agreeWithAHistory() {
        var random = SeededRandom(7)
        var table = ObjectTable()
        // The whole state after each turn, which is the disk's state when that turn has committed.
        var history: [[InstanceID: UInt32]] = [[:]]
        var settled = 0
        for turn in 1...400 {
            table.turn = UInt64(turn)
            var state = history[turn - 1]
            let id = InstanceID.make(.random(in: 1...6, using: &random))
            state[id] = Bool.random(using: &random) ? UInt32(turn) : nil
            table[id] = state[id].map { .make(id, version: $0) }
            history.append(state)
            if Int.random(in: 0..<4, using: &random) == 0 {
                settled = Int.random(in: settled...turn, using: &random)
                table.settle(through: UInt64(settled))
            }
            for id in (1...6).map({ InstanceID.make($0) }) {
                #expect(table[id]?.wire.version == history[turn][id])
                #expect(table.kept(id)?.wire.version == history[settled][id])
            }
            #expect(table.liveCount(of: .make()) == history[turn].count)
        }
    }
}
