import CairnGeo
import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

@Suite("Excerpts of presence batches (FRD-7)") struct PresenceExcerptTests {
    private var board = PresenceBoard(cell: Ground.here.cell, countHiddenBelow: 3)

    /// People numbered from 1 on, each in the slot before their number.
    private mutating func enter(_ count: UInt64) {
        for number in 1...count {
            let person = PresenceBoard.Person(id: "session-\(number)", name: "person-\(number)", gridMetres: 0)
            board.enter(.make(number), as: person, at: .make(at: Ground.here.centre))
        }
    }

    private func slots(of numbers: UInt64...) -> Set<UInt16> {
        board.slots(of: Set(numbers.map { AccountID.make($0) }))
    }

    @Test mutating func whoIsAbsent_isInNoPartOfTheBatch() throws {
        enter(5)
        let batch = board.takeBatch(now: 0)
        guard case .part(let part) = PresenceBoard.excerpt(of: batch, without: slots(of: 2, 5)) else {
            Issue.record("nothing was taken out")
            return
        }
        #expect(part.joined.map(\.name) == ["person-1", "person-3", "person-4"])
        #expect(part.poseRecords == batch.poseRecords.filter { [0, 2, 3].contains($0.slot) })
    }

    @Test mutating func batchWithoutThem_goesOutAsItIs() {
        enter(5)
        _ = board.takeBatch(now: 0)
        board.move(.make(3), to: .make(at: Ground.here.centre))
        let batch = board.takeBatch(now: 0)
        guard case .whole = PresenceBoard.excerpt(of: batch, without: slots(of: 2, 5)) else {
            Issue.record("something was taken out")
            return
        }
    }

    @Test mutating func batchOfThemAlone_isNothing() {
        enter(5)
        _ = board.takeBatch(now: 0)
        board.move(.make(2), to: .make(at: Ground.here.centre))
        let absent = slots(of: 2, 5)
        board.leave(.make(5))
        #expect(slots(of: 2, 5) == absent)
        guard case .nothing = PresenceBoard.excerpt(of: board.takeBatch(now: 0), without: absent) else {
            Issue.record("something was left")
            return
        }
        #expect(slots(of: 2, 5).count == 1)
    }

    /// Somebody with more blocks than are compared one by one.
    @Test mutating func manyAbsentPeople_areFound() {
        enter(60)
        let accounts = Set((21...1_020).map { AccountID.make($0) })
        #expect(board.slots(of: accounts) == Set(20..<60))
        guard case .part(let part) = PresenceBoard.excerpt(of: board.takeBatch(now: 0), without: Set(20..<60)) else {
            Issue.record("nothing was taken out")
            return
        }
        #expect(part.poseRecords.map(\.slot) == Array(0..<20))
    }
}
