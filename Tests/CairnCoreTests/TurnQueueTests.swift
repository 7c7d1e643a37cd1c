import Testing

@testable import CairnCore

@Suite("TurnQueue")
struct TurnQueueTests {
    private var queue = TurnQueue<String>()

    @Test mutating func turnWithoutWrites_leavesAtOnce_whenNothingIsHeld() {
        #expect(queue.enqueue("a", of: 1, writes: false) == "a")
    }

    @Test mutating func turnWithWrites_isHeld() {
        #expect(queue.enqueue("a", of: 1, writes: true) == nil)
        #expect(queue.count == 1)
    }

    @Test mutating func commit_releasesTheTurn() {
        _ = queue.enqueue("a", of: 1, writes: true)
        #expect(queue.committed(through: 1) == ["a"])
        #expect(queue.count == 0)
    }

    @Test mutating func turnWithoutWrites_waitsBehindOneWithWrites() {
        _ = queue.enqueue("a", of: 1, writes: true)
        #expect(queue.enqueue("b", of: 2, writes: false) == nil)
        #expect(queue.committed(through: 1) == ["a", "b"])
    }

    @Test mutating func commitOfAnEarlierTurn_releasesNothingLater() {
        _ = queue.enqueue("a", of: 1, writes: true)
        _ = queue.enqueue("b", of: 2, writes: false)
        _ = queue.enqueue("c", of: 3, writes: true)
        _ = queue.enqueue("d", of: 4, writes: false)
        #expect(queue.committed(through: 1) == ["a", "b"])
        #expect(queue.committed(through: 3) == ["c", "d"])
    }

    @Test mutating func commitOfALaterTurn_releasesAllBeforeIt() {
        for turn in 1...3 { _ = queue.enqueue("\(turn)", of: UInt64(turn), writes: true) }
        #expect(queue.committed(through: 2) == ["1", "2"])
        #expect(queue.count == 1)
    }

    @Test mutating func commitTwice_releasesOnce() {
        _ = queue.enqueue("a", of: 1, writes: true)
        _ = queue.committed(through: 1)
        #expect(queue.committed(through: 1).isEmpty)
    }

    @Test mutating func olderCommit_doesNotTakeBackANewerOne() {
        for turn in 1...3 { _ = queue.enqueue("\(turn)", of: UInt64(turn), writes: true) }
        #expect(queue.committed(through: 2) == ["1", "2"])
        #expect(queue.committed(through: 1).isEmpty)
        #expect(queue.committed(through: 3) == ["3"])
    }

    /// A number of an earlier life of the home; the turns of this life are numbered from the start again.
    @Test mutating func commitOfATurnThatWasNeverTaken_releasesNoneThatComesAfterwards() {
        _ = queue.enqueue("a", of: 1, writes: true)
        #expect(queue.committed(through: 811) == ["a"])
        _ = queue.enqueue("b", of: 2, writes: true)
        #expect(queue.committed(through: 1).isEmpty)
        #expect(queue.committed(through: 2) == ["b"])
    }

    @Test mutating func replacing_changesTheOutputsOfAHeldTurn() {
        _ = queue.enqueue("a", of: 1, writes: true)
        _ = queue.enqueue("b", of: 2, writes: true)
        queue.replace(2, with: "refused")
        #expect(queue.committed(through: 2) == ["a", "refused"])
    }

    @Test mutating func heldFrom_givesThatTurnAndTheLaterOnes_inOrder() {
        for (turn, effects) in ["a", "b", "c"].enumerated() {
            _ = queue.enqueue(effects, of: UInt64(turn + 1), writes: true)
        }
        #expect(queue.held(from: 2).map(\.effects) == ["b", "c"])
        #expect(queue.held(from: 4).isEmpty)
    }

    /// Invariant 4, for the queue alone: for any interleaving order is kept and no output leaves before its commit.
    @Test(arguments: 0..<50)
    func randomInterleavings_keepTheOrderAndHoldWhatIsNotCommitted(seed: UInt64) {
        var random = SeededRandom(seed)
        var queue = TurnQueue<UInt64>()
        var writing: Set<UInt64> = []
        var committed: UInt64 = 0
        var last: UInt64 = 0
        var left: [UInt64] = []
        for _ in 0..<300 {
            if Bool.random(using: &random) {
                last += 1
                let writes = Int.random(in: 0..<3, using: &random) == 0
                if writes { writing.insert(last) }
                if let given = queue.enqueue(last, of: last, writes: writes) { left.append(given) }
            } else if last > committed {
                committed = UInt64.random(in: (committed + 1)...last, using: &random)
                left += queue.committed(through: committed)
            }
            let early = left.filter { turn in writing.contains { $0 <= turn && $0 > committed } }
            #expect(early.isEmpty)
            #expect(left == Array(1..<UInt64(left.count + 1)))
        }
        left += queue.committed(through: last)
        #expect(left.count == Int(last))
    }
}
