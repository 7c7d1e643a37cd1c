import CairnCore
import CairnTesting
import Foundation
import Testing

@testable import CairnStore

/// DAT-10, S1, S3: what the writer does between two batches.
@Suite("Housekeeping")
struct HousekeepingTests {
    private static func table(_ name: StaticText) -> StoredTable {
        StoredTable(name, of: .world, columns: ["id"], key: [0]) { _ throws(ColumnFault) in [] }
    }

    private static func marks(through id: Int64) -> Expiry {
        Expiry(of: table("marks"), where: "id", isBelow: id + 1)
    }

    @Test func expiry_deletesWhatIsOver_inSmallSteps() async throws {
        let store = try await TemporaryDatabase().open { $0.expiryRowsMax = 100 }
        try await store.commit((1...1_050).map { mark($0) })
        store.expire([Self.marks(through: 1_000)])
        await store.workToTheEnd()
        #expect(try await store.markCount == 50)
        #expect(store.figures.rowsExpired == 1_000)
    }

    /// What is left after some steps follows from the table, on every node.
    @Test func expiry_takesTheOldestFirst() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        try await store.commit((1...30).reversed().map { mark($0) })
        await store.close()
        let connection = try Connection(path: place.path, role: .writer(.full))
        defer { connection.close() }
        #expect(try connection.expire(Self.marks(through: 30), rowsMax: 10, within: nil) == (10, false))
        let left = try connection.lend("test") { db in
            try db.answer(Query("SELECT id FROM marks ORDER BY id"), keyring: nil).map { try $0.integer(0) }
        }
        #expect(left == Array(11...30))
    }

    @Test func expiry_letsChangesThroughBetweenItsSteps() async throws {
        let store = try await TemporaryDatabase().open { $0.expiryRowsMax = 10 }
        try await store.commit((1...1_000).map { mark($0) })
        let outcomes = Outcomes(of: store)
        await store.withWriter { writer in
            store.expire([Self.marks(through: 1_000)])
            _ = writer.step()
            store.submit(unit(2_000))
            _ = writer.step()
        }
        #expect(await outcomes.decided(1).flatMap(\.committed) == [ticket(2_000)])
        await store.workToTheEnd()
        #expect(try await store.markCount == 1)
    }

    @Test func expiryAmidChanges_endsItsStepWhenItsTimeIsOver() async throws {
        let store = try await TemporaryDatabase().open { $0.expiryMilliseconds = 0 }
        try await store.commit((1...2_000).map { mark($0) })
        await store.withWriter { writer in
            store.expire([Self.marks(through: 2_000)])
            store.submit(unit(3_000))
            _ = writer.step()
            #expect(store.figures.rowsExpired == UInt64(Connection.expiryHandful))
            _ = writer.step()
            #expect(store.figures.rowsExpired == UInt64(Connection.expiryHandful + 500), "nothing else is to be done")
        }
        await store.workToTheEnd()
        #expect(try await store.markCount == 1)
    }

    /// A post with ten thousand votes is not one statement that everybody waits for.
    @Test func rowsThatReferToWhatIsOver_goBeforeIt_someAtATime() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        let referring = [
            Statement(
                """
                CREATE TABLE notes (mark INTEGER REFERENCES marks (id) ON DELETE CASCADE, id INTEGER,
                    PRIMARY KEY (mark, id)) WITHOUT ROWID
                """),
            Statement(
                """
                WITH RECURSIVE n (id) AS (VALUES (1) UNION ALL SELECT id + 1 FROM n WHERE id < 600)
                INSERT INTO notes SELECT 1 + id / 500 * 29, id FROM n
                """),
        ]
        try await store.commit((1...30).map { mark($0) } + referring)
        await store.close()
        let connection = try Connection(path: place.path, role: .writer(.full))
        defer { connection.close() }
        let notes = StoredTable(
            "notes", of: .world, columns: ["mark", "id"], key: [0, 1],
            references: [StoredTable.Reference(0, to: "marks", "id")]
        ) { _ throws(ColumnFault) in [] }
        let expiry = Expiry(of: Self.table("marks"), where: "id", isBelow: 30, with: [notes])
        let counts = { () throws -> [Int64] in
            try connection.lend("test") { db in
                let count = Query("SELECT (SELECT count(*) FROM marks), (SELECT count(*) FROM notes)")
                return try db.answer(count, keyring: nil).flatMap { [try $0.integer(0), try $0.integer(1)] }
            }
        }
        #expect(try connection.expire(expiry, rowsMax: 400, within: nil) == (400, false))
        #expect(try counts() == [30, 200], "499 referred to the first, and it stays until they are gone")
        #expect(try connection.expire(expiry, rowsMax: 400, within: nil) == (128, true))
        #expect(try counts() == [1, 101], "what is not over keeps what refers to it")
    }

    @Test func expiryThatIsAskedForAgain_waitsOnce() async throws {
        let store = try await TemporaryDatabase().open()
        try await store.commit((1...10).map { mark($0) })
        await store.withWriter { _ in
            for limit in Int64(1)...5 { store.expire([Self.marks(through: limit)]) }
        }
        await store.workToTheEnd()
        #expect(try await store.markCount == 5)
    }

    @Test func expiryThatFails_doesNotStopTheWriter() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        store.expire([Expiry(of: Self.table("nowhere"), where: "id", isBelow: 2)])
        #expect(await place.log.line(with: "next round").contains("no such table: nowhere"))
        try await store.commit([mark(1)])
    }

    @Test func log_isCopiedAtItsBound() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open { $0.checkpointPages = 8 }
        for id in Int64(1)...50 { try await store.commit([mark(id)]) }
        await store.workToTheEnd()
        #expect(store.figures.checkpoints >= 5 && store.figures.cacheBytes > 4_096)
        // Begun anew after each copy, the log never grew far beyond the bound.
        let size = try FileManager.default.attributesOfItem(atPath: place.path + "-wal")[.size] as? Int
        #expect(try #require(size) <= 32 * 4_120)
    }

    /// What a storm has touched is of no use to an idle server.
    @Test func writerThatRests_givesBackItsCachedPages() async throws {
        let store = try await TemporaryDatabase().open()
        try await store.commit((1...40_000).map { mark($0) })
        await store.workToTheEnd()
        // It cannot rest in between.
        let busy = try await store.withWriter { writer in
            try writer.lend { connection in
                _ = try connection.lend("test") { db in try db.answer(countMarks, keyring: nil) }
                return connection.cacheBytes
            }
        }
        #expect(try #require(busy) > 200_000)
        #expect(
            try await soon {
                let bytes = await store.withWriter { writer in try? writer.lend { $0.cacheBytes } }
                return try #require(bytes ?? nil) < 100_000
            })
        #expect(try await store.markCount == 40_000)
    }

    @Test func log_isEmptiedAboveItsLimit_whenAReaderLetsIt() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open { options in
            options.checkpointPages = 8
            options.walBytesMax = 16 * 4_096
            options.readers = 1
        }
        try await store.commit([mark(1)])
        let reader = Holder(path: place.path, role: .reader)
        await reader.hold(with: "BEGIN")
        for id in Int64(2)...40 { try await store.commit([mark(id)]) }
        let wal = { try FileManager.default.attributesOfItem(atPath: place.path + "-wal")[.size] as? Int ?? 0 }
        #expect(try wal() > 16 * 4_120, "the reader still needs it")
        await reader.release()
        for id in Int64(41)...60 { try await store.commit([mark(id)]) }
        await store.workToTheEnd()
        #expect(try wal() <= 32 * 4_120)
        #expect(try await store.markCount == 60)
    }
}

extension Store {
    /// Lets the writer do what there is to do at once.
    func workToTheEnd() async {
        withWriter { writer in while writer.step() == .zero {} }
    }
}
