import CairnCore
import Synchronization
import Testing

@testable import CairnStore

@Suite("Reading")
struct ReadingTests {
    @Test func everyKindOfValue_comesBackAsItWent() async throws {
        let store = try await TemporaryDatabase().open([
            Migration("values-1", "CREATE TABLE vals (a, b, c, d, e, f, g)")
        ])
        let values: [SQLValue] = [
            .null, .integer(.min), .real(0.1), .text("Grüße\u{0}👋"), .text(""), .blob([0, 255, 7]), .blob([]),
        ]
        var insertion = Statement("INSERT INTO vals VALUES (?, ?, ?, ?, ?, ?, ?)")
        insertion = Statement(
            insertion.sql, values[0], values[1], values[2], values[3], values[4], values[5], values[6])
        try await store.commit([insertion])
        #expect(try await store.read([Query("SELECT * FROM vals")]) == [[Row(values)]])
    }

    @Test func answersOfOneRead_areFromOneSnapshot() async throws {
        let store = try await TemporaryDatabase().open([
            TemporaryDatabase.marks, Migration("twins-1", "CREATE TABLE twins (id INTEGER PRIMARY KEY) STRICT"),
        ])
        let outcomes = Outcomes(of: store)
        let writing = Task {
            for id in Int64(1)...500 {
                store.submit(
                    CommitUnit(
                        statements: [mark(id), Statement("INSERT INTO twins VALUES (?)", .integer(id))],
                        ticket: ticket(id)))
                if id % 20 == 0 { await Task.yield() }
            }
        }
        for _ in 1...100 {
            let answers = try await store.read([countMarks, Query("SELECT count(*) FROM twins")])
            #expect(answers[0] == answers[1])
        }
        await writing.value
        _ = await outcomes.decided(500)
    }

    @Test func read_afterCommit_seesTheRow() async throws {
        let store = try await TemporaryDatabase().open()
        for id in Int64(1)...50 {
            try await store.commit([mark(id)])
            #expect(try await store.markCount == id)
        }
    }

    @Test func readsAtTheirBound_areRefused() async throws {
        let store = try await TemporaryDatabase().open { options in
            options.readsWaitingMax = 1
            options.readers = 1
        }
        // The handler holds the only reader up until the bound has been met.
        let gate = Gate()
        store.read([countMarks]) { _ in
            gate.arrive()
            gate.pass()
        }
        await gate.arrival()
        store.read([countMarks]) { _ in }
        await #expect { try await store.read([countMarks]) } throws: { ($0 as? StoreError)?.kind == .overloaded }
        #expect(store.figures.readsRefused == 1)
        #expect(store.figures.readsWaiting == 1)
        gate.open()
        await store.close()
    }

    @Test func readsThatWaitTogether_areEachAnswered_andOneThatFailsHarmsNoOther() async throws {
        let store = try await TemporaryDatabase().open { $0.readers = 1 }
        for id in Int64(1)...5 { try await store.commit([mark(id)]) }
        // The handler holds the only reader up until all others wait.
        let gate = Gate()
        store.read([countMarks]) { _ in
            gate.arrive()
            gate.pass()
        }
        await gate.arrival()
        let answers = Mutex<[Int64: Result<[[Row]], StoreError>]>([:])
        for id in Int64(1)...10 {
            let query =
                id == 4
                ? Query("SELECT nothing FROM nowhere") : Query("SELECT ? + count(*) FROM marks", .integer(id * 100))
            store.read([query]) { answer in answers.withLock { $0[id] = answer } }
        }
        #expect(store.figures.readsWaiting == 10)
        gate.open()
        await store.close()
        for (id, answer) in answers.withLock({ $0 }) {
            switch answer {
            case .success(let rows): #expect(id != 4 && rows == [[Row([.integer(id * 100 + 5)])]])
            case .failure(let error): #expect(id == 4 && error.kind == .rejected)
            }
        }
        #expect(answers.withLock { $0.count } == 10 && store.figures.reads == 11)
    }

    @Test func readers_cannotWrite() async throws {
        let store = try await TemporaryDatabase().open()
        await #expect { try await store.read([Query("DELETE FROM marks")]) } throws: {
            ($0 as? StoreError)?.kind == .readOnly
        }
    }

    @Test func extensions_cannotBeLoaded() async throws {
        let store = try await TemporaryDatabase().open()
        await #expect { try await store.read([Query("SELECT load_extension('x')")]) } throws: {
            ($0 as? StoreError)?.cause.contains("not authorized") == true
        }
    }

    @Test func badQuery_throwsAndTheNextIsAnswered() async throws {
        let store = try await TemporaryDatabase().open()
        await #expect { try await store.read([Query("SELECT nothing FROM nowhere")]) } throws: {
            ($0 as? StoreError)?.kind == .rejected
        }
        #expect(try await store.markCount == 0)
    }

    @Test func writer_keepsWhatTheDiskConfirms() async throws {
        let store = try await TemporaryDatabase().open()
        let settings = await store.withWriter { writer in
            ["synchronous", "foreign_keys", "wal_autocheckpoint", "trusted_schema"].map { name in
                (try? writer.lend { try $0.setting(name) }) ?? nil
            }
        }
        #expect(settings == [2, 1, 0, 0])
    }
}
