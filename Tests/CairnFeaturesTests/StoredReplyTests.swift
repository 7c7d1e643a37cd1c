import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// What is kept of an answer, and what comes of it again (PLC-8, SYN-2).
@Suite("Stored replies")
struct StoredReplyTests {
    /// A pose with everything in it, and numbers that do not come out the same unless they are kept bit for bit.
    private static func pose(at place: Coordinate = Ground.here.centre) -> WirePose {
        var pose = WirePose.make(at: place, heightMetres: -0.0, scale: 1 / 3)
        pose.geopose.quaternion.z = 0.0004
        pose.accuracy = .leastNonzeroMagnitude
        pose.anchor.provider = "test"
        pose.anchor.transform = (0..<16).map { 1 / Double($0 + 1) }
        pose.anchor.data = .init(repeating: 7, count: 4_096)
        return pose
    }

    /// The statements of a town in which something was placed with the key "place", edited with "edit" and moved to the
    /// next cell with "move"; the requests, and the answers that they got.
    private static func lively() throws -> (kept: [Statement], requests: [Request], results: [Request.Result]) {
        var town = TownBench()
        var requests: [Request] = []
        var results: [Request.Result] = []
        func ask(_ body: WireClientMessage.OneOf_Body, _ key: String) throws -> Request.Result {
            requests.append(.make(body, id: UInt32(requests.count + 1), key: key))
            results.append(try town.ask(requests[requests.count - 1]).result)
            return results[results.count - 1]
        }
        let words = String(repeating: "\u{1F600}", count: 500)
        let data = [UInt8](repeating: 9, count: 2_048)
        let placing = WireClientMessage.OneOf_Body.placing("preset:star", pose(), text: words, data: data)
        guard case .placed(let placed) = try ask(placing, "place") else { return ([], [], []) }
        _ = try town.react(90, "wow", to: placed.instance)
        _ = try ask(.editing(placed.instance, to: pose(at: Ground.here.at(east: 3)), data: data), "edit")
        _ = try ask(.editing(placed.instance, to: pose(at: Ground.here.between(0.6)), version: 2), "move")
        return (town.kept, requests, results)
    }

    /// What a store says to these requests.
    private static func answers(
        to requests: [Request], from disk: TemporaryStore
    ) async throws -> [Request.Result?] {
        var results: [Request.Result?] = []
        for request in requests {
            let row = try await disk.read(StoredReply.answer(to: request.key, of: request.sender.account))[0].first
            results.append(try row.map { try StoredReply.answer(for: request, in: $0).result })
        }
        return results
    }

    @Test func firstAnswer_comesAgainBitForBit_thoughPoseAndWordsAreNotKept() async throws {
        let (kept, requests, results) = try Self.lively()
        let disk = try await TemporaryStore.open()
        try await disk.commit(kept)
        let again = try await Self.answers(to: requests, from: disk)
        #expect(again.count == 3 && again == results)
        for case let (result?, first) in zip(again, results) {
            #expect(result.bytes == first.bytes)
        }
        for row in try await disk.read(Query("SELECT length(sealed) FROM kept_answers"))[0] {
            #expect(try row.integer(0) < 250)
        }
        await disk.close()
    }

    /// A row as it was before poses were left out, in the table as it was before answers lay by time.
    @Test func answerOfAnOlderServer_comesAgain_whenItsTableHasBeenBroughtUpToDate() async throws {
        let (kept, requests, results) = try Self.lively()
        let whole = zip(kept.filter { $0.keepsAnAnswer(toOneOf: requests) }, results).map {
            $0.keeping($1).ofAnOlderServer
        }
        #expect(whole.count == 3)
        let old = try await TemporaryStore.open(migrations: [StoredReply.migrations[0]])
        try await old.commit(whole)
        #expect(try await Self.table(old).contains("PRIMARY KEY"))
        await old.close()
        let disk = try await TemporaryStore.open(in: old.folder)
        #expect(try await Self.answers(to: requests, from: disk) == results)
        #expect(try await !Self.table(disk).contains("PRIMARY KEY (account, key)"))
        await disk.close()
    }

    /// Two answers to one key, as a server left them that had let the key through again: the first had expired.
    @Test func twoAnswersToOneKey_ofAnOlderServer_areTheLaterOne() async throws {
        let (kept, requests, results) = try Self.lively()
        let old = try await TemporaryStore.open(migrations: Array(StoredReply.migrations[..<2]))
        let answer = kept.filter(\.keepsAnAnswer)[0]
        for (at, result) in zip([Int64(1), 2], results) {
            try await old.commit([answer.keeping(result, at: at).ofAnOlderServer])
        }
        await old.close()
        let disk = try await TemporaryStore.open(in: old.folder)
        #expect(try await Self.answers(to: [requests[0]], from: disk) == [results[1]])
        #expect(try await Self.count(disk) == 1)
        await disk.close()
    }

    /// Whatever let a key through twice, the second change is not made.
    @Test func keyThatHasAnAnswer_getsNoSecondOne_andItsChangeIsNotMade() async throws {
        let (kept, requests, results) = try Self.lively()
        let disk = try await TemporaryStore.open()
        let answer = kept.filter(\.keepsAnAnswer)[0]
        try await disk.commit([answer])
        let tally = Statement("INSERT INTO engagement (day, what, count) VALUES (1, 'things', 1)")
        await #expect { try await disk.commit([tally, answer.keeping(results[1]).withAnotherID]) } throws: { error in
            "\(error)".contains("changed 0 rows instead of 1")
        }
        #expect(try await Self.answers(to: [requests[0]], from: disk) == [results[0]])
        #expect(try await disk.read(Query("SELECT * FROM engagement"))[0].isEmpty)
        await disk.close()
    }

    /// A filed answer is in another index than a new one.
    @Test func keyWhoseAnswerIsFiled_getsNoSecondOne_unlessItHasExpired() async throws {
        let (kept, requests, results) = try Self.lively()
        let disk = try await TemporaryStore.open()
        let answer = kept.filter(\.keepsAnAnswer)[0]
        let filing = try #require(StoredReply.table.filingOfNewRows)
        try await disk.commit([answer, filing])
        await #expect { try await disk.commit([answer.keeping(results[1]).withAnotherID]) } throws: { error in
            "\(error)".contains("changed 0 rows instead of 1")
        }
        try await disk.commit([Statement("UPDATE kept_answers SET at = ?", .integer(answer.oldest - 1))])
        try await disk.commit([answer.keeping(results[1]).withAnotherID])
        #expect(try await Self.answers(to: [requests[0]], from: disk) == [results[1]], "the newer of two")
        try await disk.commit([filing])
        #expect(try await Self.answers(to: [requests[0]], from: disk) == [results[1]])
        #expect(try await Self.count(disk) == 1)
        await disk.close()
    }

    @Test func answerThatHasExpired_isReplaced() async throws {
        let (kept, requests, results) = try Self.lively()
        let disk = try await TemporaryStore.open()
        let answer = kept.filter(\.keepsAnAnswer)[0]
        try await disk.commit([answer.keeping(results[0], at: answer.oldest - 1)])
        try await disk.commit([answer.keeping(results[1]).withAnotherID])
        #expect(try await Self.answers(to: [requests[0]], from: disk) == [results[1]])
        #expect(try await Self.count(disk) == 1)
        await disk.close()
    }

    private static func count(_ disk: TemporaryStore) async throws -> Int64 {
        try await disk.read(Query("SELECT count(*) FROM kept_answers"))[0][0].integer(0)
    }

    private static func table(_ disk: TemporaryStore) async throws -> String {
        try await disk.read(Query("SELECT sql FROM sqlite_schema WHERE name = 'kept_answers'"))[0][0].text(0)
    }
}

extension Request.Result {
    fileprivate var bytes: [UInt8] {
        var reply = WireReply()
        reply.result = self
        return WireBody.encode(reply)
    }
}

extension Statement {
    fileprivate var keepsAnAnswer: Bool { sql.text.hasPrefix("INSERT INTO kept_answers") }

    private var sealed: (values: [SQLValue], seal: Seal, row: Int64)? {
        guard keepsAnAnswer, case .sealed(let values, let seal, let row, _) = arguments[4] else { return nil }
        return (values, seal, row)
    }

    fileprivate func keepsAnAnswer(toOneOf requests: [Request]) -> Bool {
        requests.contains { sealed?.values[0] == .text($0.key) }
    }

    /// The same with a whole answer, as older servers kept it.
    fileprivate func keeping(_ result: Request.Result, at time: Int64? = nil) -> Statement {
        guard let (values, seal, row) = sealed else { return self }
        var changed = arguments
        if let time { changed[3] = .integer(time) }
        changed[4] = .sealed(
            [values[0], values[1], .blob(result.bytes)], seal, row: row, bound: [changed[3]])
        return Statement(sql, arguments: changed, changing: rows)
    }

    /// The same as it was written before rows had ids of ours.
    fileprivate var ofAnOlderServer: Statement {
        Statement(
            "INSERT INTO kept_answers (account, key, at, sealed) VALUES (?, ?, ?, ?)",
            arguments: Array(arguments[1...4]))
    }

    /// The same of another request.
    fileprivate var withAnotherID: Statement {
        guard case .integer(let id) = arguments[0] else { return self }
        return Statement(sql, arguments: [.integer(id + 1_024)] + arguments[1...], changing: rows)
    }

    /// Answers from before this time are replaced.
    fileprivate var oldest: Int64 {
        guard case .integer(let time) = arguments[5] else { return 0 }
        return time
    }
}
