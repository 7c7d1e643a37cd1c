import CairnWire
import Testing

@testable import CairnStore

/// What a batch means for each of the homes that have a part in it.
@Suite("Commit outcomes")
struct CommitOutcomeTests {
    /// A home that is replaced because of one ticket must not leave another to its successor.
    @Test func everyHome_isToldOnce_withItsHighestTurnAndTheOneThatFailed() {
        let outcome = CommitOutcome(
            committed: [ticket(809), ticket(4, home: 2), ticket(810), ticket(5, home: 2)],
            failed: [ticket(811), ticket(1, home: 3)], voided: [ticket(812)])
        let fates = outcome.fates(ofLoop: 0).sorted { $0.last > $1.last }
        #expect(fates.map(\.last) == [812, 5, 1])
        #expect(fates.map(\.failed) == [811, nil, 1])
        #expect(fates.map(\.home) == [ticket(1), ticket(1, home: 2), ticket(1, home: 3)].map(\.home))
    }

    @Test func homeWhoseLastTurnFailed_isToldOfAllUpToIt() {
        let fates = Array(CommitOutcome(committed: [ticket(810)], failed: [ticket(811)]).fates(ofLoop: 0))
        #expect(fates.map(\.last) == [811] && fates.map(\.failed) == [811])
    }

    @Test func homesOfOtherLoops_areNotAmongThem() {
        #expect(Array(CommitOutcome(committed: [ticket(1)], failed: [ticket(2)]).fates(ofLoop: 1)).isEmpty)
    }
}
