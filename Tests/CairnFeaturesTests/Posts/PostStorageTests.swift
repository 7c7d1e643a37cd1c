import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// What posts and votes write really runs, and brings back the identical state (SES-10, PST-7, DAT-10).
@Suite("Posts on disk")
struct PostStorageTests {
    private static let here = HomeAddress.cell(Ground.here.cell)

    /// Posts, edits and votes, in any order.
    private static func lively() throws -> (town: TownBench, posts: [WireInstance]) {
        var town = TownBench(settings: .unhurried())
        var posts: [WireInstance] = []
        for id in 1...8 {
            posts.append(try town.post(UInt32(id), "post \(id)", by: .make(UInt64(id % 3))))
            town.time.advance(.seconds(1))
        }
        for (index, post) in posts.enumerated() {
            for person in 0..<(index + 1) {
                let vote: Int32 = [1, -1, 0][person % 3]
                try town.vote(UInt32(100 + index * 10 + person), 1, on: post, by: .make(UInt64(30 + person)))
                try town.vote(UInt32(200 + index * 10 + person), vote, on: post, by: .make(UInt64(30 + person)))
            }
        }
        _ = try town.ask(.make(.editing(post: posts[2], text: "edited"), id: 400, from: .make(0)))
        _ = try town.ask(.make(.removing(post: posts[3]), id: 401, from: .make(1)))
        try town.hide(posts[5], firstID: 500)
        return (town, posts)
    }

    @Test func restoring_givesTheIdenticalState() async throws {
        var (town, posts) = try Self.lively()
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        var woken = TownBench(settings: town.settings, time: town.time)
        woken.wake(Self.here, try await disk.stored(in: Self.here))
        #expect(woken[Self.here].instances == town[Self.here].instances)
        #expect(woken[Self.here].instances.count == 6)
        for (index, post) in posts.enumerated() {
            for person in [0, 30, 31, 32] as [UInt64] {
                let body = WireClientMessage.OneOf_Body.reading(post: post)
                let id = UInt32(1_000 + index * 50) + UInt32(person)
                let (before, after) = (
                    try town.ask(.make(body, id: id, from: .make(person))),
                    try woken.ask(.make(body, id: id, from: .make(person)))
                )
                #expect((try? before.result) == (try? after.result) && before.refusal == after.refusal)
            }
        }
        #expect(
            woken[Self.here].core.own(of: .make(0), in: .everyone)
                == town[Self.here].core.own(of: .make(0), in: .everyone))
        await disk.close()
    }

    @Test(arguments: ["version = -1", "expires = -1", "owner = 77", "sealed = x'00'"])
    func damagedRow_leavesTheRestOfItsCell(damage: String) async throws {
        var town = TownBench()
        let posts = [try town.post(1), try town.post(2)]
        try town.vote(3, 1, on: posts[1], by: .make(2))
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        let statement: Statement =
            switch damage {
            case "version = -1":
                Statement("UPDATE posts SET version = -1 WHERE id = (SELECT min(id) FROM posts)", changing: 1)
            case "expires = -1":
                Statement("UPDATE posts SET expires = -1 WHERE id = (SELECT min(id) FROM posts)", changing: 1)
            case "owner = 77":
                Statement("UPDATE posts SET owner = 77 WHERE id = (SELECT min(id) FROM posts)", changing: 1)
            default:
                Statement("UPDATE posts SET sealed = x'00' WHERE id = (SELECT min(id) FROM posts)", changing: 1)
            }
        try await disk.commit([statement])
        var woken = TownBench(time: town.time)
        woken.wake(Self.here, try await disk.stored(in: Self.here))
        #expect(woken[Self.here].instances.map(\.id) == [posts[1].id])
        #expect(woken[Self.here].instances.first?.post.score == 1)
        await disk.close()
    }

    @Test func damagedVote_countsForNothing_andCanBeGivenAgain() async throws {
        var town = TownBench()
        let post = try town.post(1)
        for person in 2...3 { try town.vote(UInt32(person), 1, on: post, by: .make(UInt64(person))) }
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        try await disk.commit([Statement("UPDATE votes SET vote = -1 WHERE account = 2", changing: 1)])
        var woken = TownBench(time: town.time)
        woken.wake(Self.here, try await disk.stored(in: Self.here))
        #expect(woken[Self.here].instances.first?.post.score == 1)
        #expect(try woken.vote(10, 1, on: post, by: .make(2)).score == 2)
        try await disk.commit(woken.kept)
        await disk.close()
    }

    @Test func postThatEndedWhileItsCellSlept_isNotThere_andIsSaidToHaveEnded() async throws {
        var town = TownBench()
        let posts = [try town.post(1), try town.post(2, "stays")]
        try town.hide(posts[0])
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        var woken = TownBench(time: town.time)
        woken.time.advance(.seconds(86_400))
        woken.wake(Self.here, try await disk.stored(in: Self.here))
        #expect(woken[Self.here].instances.isEmpty)
        #expect(try woken.refusal(.reading(post: posts[1]), id: 1, from: .make(2))?.code == .postExpired)
        #expect(try woken.refusal(.reading(post: posts[0]), id: 2, from: .make(2))?.code == .notFound)
        #expect(try woken.refusal(.reading(post: posts[0]), id: 3)?.code == .postExpired)
        await disk.close()
    }

    @Test func expiries_deleteWhatEndedAWhileAgo_withItsVotes() async throws {
        var town = TownBench()
        let post = try town.post(1)
        try town.vote(2, 1, on: post, by: .make(2))
        town.time.advance(.seconds(1_000))
        _ = try town.post(3)
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        town.time.advance(.seconds(86_400 - 1_000 + 299))
        try await disk.expire(Features.register.expiries(now: town.time.lasting, settings: Settings()))
        let posts = Query("SELECT count(*), (SELECT count(*) FROM votes) FROM posts")
        #expect(try await disk.read(posts)[0][0] == Row([.integer(2), .integer(1)]))
        town.time.advance(.seconds(1))
        try await disk.expire(Features.register.expiries(now: town.time.lasting, settings: Settings()))
        #expect(try await disk.read(posts)[0][0] == Row([.integer(1), .integer(0)]))
        await disk.close()
    }

    @Test func restoredAccount_countsTheDaysQuotaAlike() async throws {
        var town = TownBench(settings: .make { ($0.posts.perMinute, $0.posts.perDay) = (3, 3) })
        for id in 1...3 { _ = try town.post(UInt32(id)) }
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        let stored = try await disk.stored(for: .make(), now: town.time.lasting)
        var woken = TownBench(settings: town.settings, time: town.time)
        woken.wake(account: .make(), stored, hasKeys: false)
        woken.time.advance(.seconds(3_600))
        #expect(try woken.refusal(.posting(), id: 4)?.code == .quotaPeriod)
        woken.time.advance(.seconds(23 * 3_600))
        #expect(try woken.refusal(.posting(), id: 5) == nil)
        await disk.close()
    }

    // MARK: Out of view

    @Test(arguments: [true, false])
    func ownPost_isEditedAndRemovedFromAnywhere_andNobodyElsesIsFound(isOwn: Bool) async throws {
        var town = TownBench()
        let post = try town.post(1)
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        let person: UInt64 = isOwn ? 1 : 2
        let away = Sender(
            participant: .make(person), account: .make(person), name: "person-\(person)", position: nil, view: [])
        for (id, body) in zip(
            UInt32(10)..., [WireClientMessage.OneOf_Body.editing(post: post, text: "afar"), .removing(post: post)])
        {
            let request = Request.make(body, id: id, from: away)
            town.push(request)
            let asked = try #require(town.asked.first)
            #expect(asked.home == .account(.make(person)))
            let rows = try await disk.read(asked.queries[0])[0]
            town.store = { _ in rows }
            town.runUntilIdle()
            let answer = try #require(town.answer(to: request))
            #expect(answer.refusal?.code == (isOwn ? nil : .notFound))
        }
        #expect(town[Self.here].instances.isEmpty == isOwn)
        await disk.close()
    }
}
