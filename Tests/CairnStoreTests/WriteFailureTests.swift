import CairnCore
import Synchronization
import Testing

@testable import CairnStore

/// DAT-4, PLC-8: what the disk refuses is kept and tried again; what the database refuses for good stands in nobody's
/// way.
@Suite("Write failures")
struct WriteFailureTests {
    /// More than the free space of a page.
    private func large(_ id: Int64) -> CommitUnit {
        CommitUnit(
            statements: [
                Statement(
                    "INSERT INTO texts (id, text) VALUES (?, ?)", .integer(id),
                    .text(String(repeating: "x", count: 9_000)))
            ], ticket: ticket(id))
    }

    private static let migrations = [
        TemporaryDatabase.marks,
        Migration("texts-1", "CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT"),
    ]

    @Test func fullDisk_acknowledgesNothing_answersReads_andRecoversByItself() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open(Self.migrations)
        let outcomes = Outcomes(of: store)
        try await store.commit([mark(1)])
        try await store.limitPages(to: 1)
        await store.submitTogether((1...3).map { large($0) })
        let line = await place.log.line(with: "next attempt")
        #expect(line.contains("store: commit"), "component and operation")
        #expect(line.contains("database or disk is full"), "cause")
        #expect(line.contains("make room"), "remedy")
        #expect(outcomes.received.withLock { $0.isEmpty })
        #expect(store.figures.isFailing)
        #expect(store.figures.backlogChanges == 3)
        #expect(try await store.markCount == 1, "reads go on")
        try await store.limitPages(to: nil)
        #expect(await outcomes.decided(3).flatMap(\.committed) == (1...3).map { ticket($0) })
        #expect(!store.figures.isFailing)
        #expect(store.figures.failures >= 1)
        #expect(store.figures.lastError.contains("disk is full"))
        #expect(store.figures.backlogChanges == 0)
        _ = await place.log.line(with: "saved again")
    }

    @Test func roomOnAFullDisk_endsALongPause() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open(Self.migrations) { options in
            options.retryFirst = .seconds(3_600)
            options.retryMax = .seconds(3_600)
        }
        let outcomes = Outcomes(of: store)
        let free = Mutex(UInt64(10_000))
        await store.withWriter { writer in writer.freeSpace = { free.withLock { $0 } } }
        try await store.limitPages(to: 1)
        store.submit(large(1))
        _ = await place.log.line(with: "next attempt")
        try await store.limitPages(to: nil)
        #expect(await store.withWriter { $0.step() } == .seconds(1), "looks at the disk every second")
        free.withLock { $0 = 2_000_000 }
        await store.workToTheEnd()
        #expect(await outcomes.decided(1).flatMap(\.committed) == [ticket(1)])
    }

    @Test func backlogAtItsBound_refusesFurtherChanges_untilItIsBelow() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open(Self.migrations) { $0.backlogMax = 10 }
        let outcomes = Outcomes(of: store)
        try await store.limitPages(to: 1)
        for id in Int64(1)...9 { store.submit(large(id)) }
        #expect(store.acceptsChanges)
        store.submit(large(10))
        #expect(!store.acceptsChanges)
        await #expect { try await store.commit([mark(1)]) } throws: { ($0 as? StoreError)?.kind == .overloaded }
        try await store.limitPages(to: nil)
        #expect(await outcomes.decided(10).flatMap(\.committed).count == 10)
        #expect(store.acceptsChanges)
        try await store.commit([mark(1)])
    }

    @Test func databaseHeldByAnotherProgram_isTriedAgain() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        let outcomes = Outcomes(of: store)
        let holder = Holder(path: place.path, role: .writer(.full))
        await holder.hold(with: "BEGIN IMMEDIATE")
        store.submit(unit(1))
        #expect(await place.log.line(with: "next attempt").contains("database is locked"))
        #expect(outcomes.received.withLock { $0.isEmpty })
        await holder.release()
        #expect(await outcomes.decided(1).flatMap(\.committed) == [ticket(1)])
    }

    @Test func failedSync_reopensTheConnectionBeforeTheNextAttempt() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        let outcomes = Outcomes(of: store)
        let failures = Mutex(2)
        await store.withWriter { writer in
            // A temporary table lives as long as its connection.
            try? writer.lend { try $0.lend("test") { _ = try $0.run("CREATE TEMP TABLE here (id)", [], keyring: nil) } }
            writer.beforeCommit = {
                let fails = failures.withLock { left in
                    defer { left -= 1 }
                    return left > 0
                }
                if fails { throw StoreError(.io, operation: "commit", cause: "fsync", remedy: "check the disk") }
            }
        }
        store.submit(unit(1))
        #expect(await outcomes.decided(1).flatMap(\.committed) == [ticket(1)])
        #expect(store.figures.failures == 2)
        let isNew = await store.withWriter { writer in
            (try? writer.lend { try $0.lend("test") { try $0.answer(Query("SELECT * FROM here"), keyring: nil) } })
                == nil
        }
        #expect(isNew == true)
        #expect(try await store.markCount == 1, "the attempts that failed left nothing")
    }

    @Test func refusedUnit_isLeftOut_reported_andStandsInNobodysWay() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        let outcomes = Outcomes(of: store)
        let transactions = Mutex(0)
        await store.withWriter { $0.beforeCommit = { transactions.withLock { $0 += 1 } } }
        await store.submitTogether([unit(1), unit(2), unit(1, home: 2), unit(3)])
        let decided = await outcomes.decided(4)
        #expect(decided.count == 1)
        #expect(transactions.withLock { $0 } == 1, "the others still share one transaction")
        #expect(decided[0].committed == [ticket(1), ticket(2), ticket(3)])
        #expect(decided[0].failed == [ticket(1, home: 2)])
        #expect(try await store.markCount == 3)
        #expect(store.figures.unitsDropped == 1)
        #expect(!store.figures.isFailing)
        let line = await place.log.line(with: "were dropped")
        #expect(line.contains("UNIQUE constraint failed: marks.id") && line.contains("report this as a bug"))
    }

    @Test func unitThatIsRefusedOnlyAtTheEnd_isLeftOutAsWell() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open([
            TemporaryDatabase.marks,
            Migration(
                "notes-1",
                """
                CREATE TABLE notes (
                    mark INTEGER NOT NULL REFERENCES marks (id) DEFERRABLE INITIALLY DEFERRED
                ) STRICT
                """),
        ])
        let outcomes = Outcomes(of: store)
        let orphan = CommitUnit(
            statements: [Statement("INSERT INTO notes (mark) VALUES (?)", .integer(99))], ticket: ticket(99, home: 2))
        await store.submitTogether([unit(1), orphan, unit(2)])
        let decided = await outcomes.decided(3)
        #expect(decided.flatMap(\.committed) == [ticket(1), ticket(2)])
        #expect(decided.flatMap(\.failed) == [ticket(99, home: 2)])
        #expect(try await store.markCount == 2)
    }

    @Test func refusedCommit_throwsToItsCallerOnly() async throws {
        let store = try await TemporaryDatabase().open()
        try await store.commit([mark(1)])
        await #expect { try await store.commit([mark(1)]) } throws: { ($0 as? StoreError)?.kind == .rejected }
        try await store.commit([mark(2)])
    }

    @Test func wrongNumberOfArguments_isRefusedNotGuessed() async throws {
        let store = try await TemporaryDatabase().open()
        await #expect {
            try await store.commit([Statement("INSERT INTO marks VALUES (?, ?, ?)", .integer(1))])
        } throws: {
            ($0 as? StoreError)?.kind == .rejected
        }
    }

    @Test func errors_nameNoArguments() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open(Self.migrations)
        let outcomes = Outcomes(of: store)
        let secret = CommitUnit(
            statements: [Statement("INSERT INTO texts (id, text) VALUES (NULL, ?), (1, 1), (1, 1)", .text("secret"))],
            ticket: ticket(1))
        store.submit(secret)
        _ = await outcomes.decided(1)
        #expect(!place.log.all.isEmpty)
        #expect(!place.log.all.contains { $0.contains("secret") })
    }
}
