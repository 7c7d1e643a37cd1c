import CairnCore
import CairnWire
import Testing

@testable import CairnStore

/// What stands on a change that was refused for good is not kept either.
@Suite("Voided units")
struct VoidedUnitTests {
    @Test func unitsBehindARefusedOneOfTheirHome_areVoided_inTheSameBatch() async throws {
        let store = try await TemporaryDatabase().open()
        let outcomes = Outcomes(of: store)
        await store.submitTogether([unit(1), unit(1), unit(2), unit(3)])
        let decided = await outcomes.decided(4)
        #expect(decided.flatMap(\.committed) == [ticket(1)] && decided.flatMap(\.failed) == [ticket(1)])
        #expect(decided.flatMap(\.voided) == [ticket(2), ticket(3)])
        #expect(try await store.markCount == 1)
        #expect(store.figures.unitsVoided == 2 && store.figures.unitsDropped == 1)
    }

    @Test func unitsBehindARefusedOne_areVoided_inLaterBatches() async throws {
        let store = try await TemporaryDatabase().open()
        let outcomes = Outcomes(of: store)
        await store.submitTogether([unit(1), unit(1)])
        _ = await outcomes.decided(2)
        await store.submitTogether([unit(2), unit(3, home: 2)])
        let decided = await outcomes.decided(4)
        #expect(decided.last?.voided == [ticket(2)] && decided.last?.committed == [ticket(3, home: 2)])
    }

    @Test func homeThatIsReadmitted_isSavedAgain() async throws {
        let store = try await TemporaryDatabase().open()
        let outcomes = Outcomes(of: store)
        await store.submitTogether([unit(1), unit(1), unit(2)])
        _ = await outcomes.decided(3)
        store.readmit(ticket(1).home)
        store.submit(unit(2))
        #expect(await outcomes.decided(4).last?.committed == [ticket(2)])
    }

    @Test func unitsBehindOneThatIsRefusedOnlyAtTheEnd_areVoidedAsWell() async throws {
        let notes = Migration(
            "notes-1",
            """
            CREATE TABLE notes (mark INTEGER NOT NULL REFERENCES marks (id) DEFERRABLE INITIALLY DEFERRED) STRICT
            """)
        let store = try await TemporaryDatabase().open([TemporaryDatabase.marks, notes])
        let outcomes = Outcomes(of: store)
        let orphan = CommitUnit(
            statements: [Statement("INSERT INTO notes (mark) VALUES (?)", .integer(99))], ticket: ticket(5))
        await store.submitTogether([unit(1), orphan, unit(6), unit(7, home: 2)])
        let decided = await outcomes.decided(4)
        #expect(decided.flatMap(\.committed) == [ticket(1), ticket(7, home: 2)])
        #expect(decided.flatMap(\.voided) == [ticket(6)])
    }
}
