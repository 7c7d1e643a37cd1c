import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// Expired instances leave the table in the order of their ends.
@Suite("ObjectTable: ends")
struct EndingTests {
    private var table = ObjectTable()

    /// Instances with these ends, in this order: the first has id 1.
    private static func table(_ ends: LastingTime?...) -> ObjectTable {
        var table = ObjectTable()
        table.turn = 1
        for (index, ends) in ends.enumerated() {
            let id = InstanceID.make(UInt64(index) + 1)
            table[id] = .make(id, ends: ends)
        }
        return table
    }

    private mutating func taken(by time: LastingTime, max: Int = .max) -> [LastingTime?] {
        table.takeEnded(.object, by: time, max: max).map(\.ends)
    }

    @Test mutating func whatHasEnded_leavesInTheOrderOfItsEnd_andTheRestStays() {
        table = Self.table(30, 10, nil, 40, 20)
        #expect(taken(by: 30) == [10, 20, 30])
        #expect(table.count == 2 && table.nextEnd(of: .object) == 40)
        #expect(taken(by: 39).isEmpty)
    }

    @Test mutating func noMoreAreTakenAtOnceThanWanted() {
        table = Self.table(10, 10, 10)
        #expect(taken(by: 10, max: 2).count == 2)
        #expect(taken(by: 10, max: 2).count == 1)
    }

    @Test mutating func instanceThatIsGone_endsNoMore() {
        table = Self.table(10, 20)
        table[.make(1)] = nil
        #expect(table.nextEnd(of: .object) == 20)
        #expect(taken(by: 20) == [20])
        #expect(table.nextEnd(of: .object) == nil)
    }

    @Test mutating func instanceThatIsChanged_endsOnce() {
        table = Self.table(10)
        for version in 2...5 { table[.make(1)] = .make(.make(1), version: UInt32(version), ends: 10) }
        #expect(taken(by: 10) == [10])
        #expect(taken(by: 10).isEmpty)
    }

    @Test mutating func endWhoseTurnIsLost_comesAgain() {
        table = Self.table(10)
        table.settle(through: 1)
        table.turn = 2
        #expect(taken(by: 10) == [10])
        table.revert(from: 2)
        #expect(table.count == 1 && table.nextEnd(of: .object) == 10)
        #expect(taken(by: 10) == [10])
    }

    @Test mutating func endsOfOtherKinds_areTheirOwn() {
        table = Self.table(10)
        table[.make(2)] = .make(.make(2), kind: ObjectKind("other"), ends: 5)
        #expect(taken(by: 10) == [10])
        #expect(table.nextEnd(of: ObjectKind("other")) == 5)
    }
}
