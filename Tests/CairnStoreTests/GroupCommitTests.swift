import CairnCore
import Synchronization
import Testing

@testable import CairnStore

/// DAT-1 and DAT-2: what waits is saved together, in order, and told when it is on disk.
@Suite("Group commit")
struct GroupCommitTests {
    @Test func unitsThatWait_areOneTransaction() async throws {
        let store = try await TemporaryDatabase().open()
        let outcomes = Outcomes(of: store)
        await store.submitTogether((1...100).map { unit($0) })
        let decided = await outcomes.decided(100)
        #expect(decided.count == 1)
        #expect(store.figures.commits == 1)
        #expect(store.figures.batchLast == 100)
        #expect(try await store.markCount == 100)
    }

    @Test func tickets_comeBackInTheOrderOfSubmission() async throws {
        let store = try await TemporaryDatabase().open { $0.commitChangesMax = 7 }
        let outcomes = Outcomes(of: store)
        let tickets = (1...100).map { ticket($0, home: UInt64($0 % 3)) }
        await store.submitTogether((1...100).map { unit($0, home: UInt64($0 % 3)) })
        #expect(await outcomes.decided(100).flatMap(\.committed) == tickets)
    }

    @Test func transaction_holdsAtMostItsBoundOfChanges() async throws {
        let store = try await TemporaryDatabase().open { $0.commitChangesMax = 40 }
        let outcomes = Outcomes(of: store)
        await store.submitTogether((1...100).map { unit($0) })
        #expect(await outcomes.decided(100).map(\.committed.count) == [40, 40, 20])
    }

    @Test func unitAboveTheBound_isStillOneTransaction() async throws {
        let store = try await TemporaryDatabase().open { $0.commitChangesMax = 10 }
        let outcomes = Outcomes(of: store)
        let large = CommitUnit(statements: (1...25).map { mark($0) }, ticket: ticket(1))
        await store.submitTogether([large, unit(26)])
        #expect(await outcomes.decided(2).map(\.committed.count) == [1, 1])
        #expect(store.figures.batchMax == 25)
    }

    @Test func transaction_takesNothingMoreWhenItsTimeIsUp() async throws {
        let store = try await TemporaryDatabase().open { $0.commitMilliseconds = 0 }
        let outcomes = Outcomes(of: store)
        await store.submitTogether((1...5).map { unit($0) })
        #expect(await outcomes.decided(5).map(\.committed.count) == [1, 1, 1, 1, 1])
    }

    @Test func ticket_comesBackOnlyWhenAnotherConnectionSeesTheRow() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open { $0.commitChangesMax = 3 }
        let seen = Mutex<[Bool]>([])
        let path = place.path
        let outcomes = Outcomes(of: store) { outcome in
            let last = Int64(outcome.committed.last?.turn ?? 0)
            let rows = try? Connection(path: path, role: .reader)
                .read([Query("SELECT id FROM marks WHERE id >= ? ORDER BY id", .integer(last))])[0]
            // The batch's last row is there, and nothing of the next batch.
            seen.withLock { $0.append(rows == [Row([.integer(last)])]) }
        }
        await store.submitTogether((1...9).map { unit($0) })
        _ = await outcomes.decided(9)
        #expect(seen.withLock { $0 } == [true, true, true])
    }

    @Test func commit_returnsWhenItsRowIsOnDisk() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        try await store.commit([mark(1)])
        let image = try place.crashed()
        #expect(try await image.open().markCount == 1)
    }

    @Test func crash_losesNothingThatWasAcknowledged() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open { $0.commitChangesMax = 10 }
        let outcomes = Outcomes(of: store)
        await store.submitTogether((1...100).map { unit($0) })
        _ = await outcomes.decided(50)
        let image = try place.crashed()
        let reopened = try await image.open()
        let count = try await reopened.markCount
        #expect(count >= 50 && count % 10 == 0, "batches are whole or absent")
    }

    @Test func unit_isWholeOrAbsent() async throws {
        let store = try await TemporaryDatabase().open()
        let outcomes = Outcomes(of: store)
        let broken = CommitUnit(statements: [mark(1), mark(2), mark(1)], ticket: ticket(1))
        store.submit(broken)
        #expect(await outcomes.decided(1).flatMap(\.failed) == [ticket(1)])
        #expect(try await store.markCount == 0)
    }

    @Test func submissionsFromManyThreads_keepTheOrderOfEachHome() async throws {
        let store = try await TemporaryDatabase().open()
        let outcomes = Outcomes(of: store)
        await withTaskGroup { group in
            for home in UInt64(0)..<8 {
                group.addTask {
                    for turn in Int64(1)...200 { store.submit(unit(Int64(home) * 1_000 + turn, home: home)) }
                }
            }
        }
        let tickets = await outcomes.decided(1_600).flatMap(\.committed)
        #expect(tickets.count == 1_600)
        for (_, turns) in Dictionary(grouping: tickets, by: \.home) {
            #expect(turns.map(\.turn) == turns.map(\.turn).sorted())
        }
        // Rows are numbered as the tickets came.
        #expect(try await store.markCount == 1_600)
    }
}
