import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// PST-5, PST-9.
@Suite("Lists of posts")
struct PostListTests {
    private var town = TownBench(settings: .unhurried())

    /// Nine posts, of which every third has votes.
    private mutating func fill() throws -> [WireInstance] {
        var posts: [WireInstance] = []
        for id in 1...9 {
            posts.append(try town.post(UInt32(id), "\(id)"))
            town.time.advance(.milliseconds(5))
        }
        for (id, (post, votes)) in [(2, 2), (5, 3), (8, 2)].enumerated() {
            for person in 0..<votes {
                try town.vote(
                    UInt32(100 + 10 * id + person), 1, on: posts[post], by: .make(UInt64(20 + person)))
            }
        }
        return posts
    }

    @Test mutating func trending_isBestFirstThenNewest() throws {
        let posts = try fill()
        let page = try town.trending(200)
        #expect(page.posts.map(\.text) == ["6", "9", "3", "8", "7", "5", "4", "2", "1"])
        #expect(page.next.isEmpty && posts.count == page.posts.count)
    }

    @Test(arguments: [1, 2, 3, 4, 8, 9] as [UInt32])
    func pagesOfTrending_areTheWholeListCutUp(size: UInt32) throws {
        var tests = self
        _ = try tests.fill()
        let whole = try tests.town.trending(200).posts.map(\.id)
        var (listed, next, id): ([String], String, UInt32) = ([], "", 300)
        repeat {
            let page = try tests.town.trending(id, count: size, after: next)
            #expect(page.posts.count <= Int(size) && !page.posts.isEmpty)
            listed += page.posts.map(\.id)
            (next, id) = (page.next, id + 1)
        } while !next.isEmpty
        #expect(listed == whole)
    }

    @Test mutating func whatChangesBetweenPages_movesNothingElse() throws {
        let posts = try fill()
        let first = try town.trending(200, count: 4)
        try town.vote(300, 1, on: posts[0], by: .make(30))
        _ = try town.ask(.make(.removing(post: posts[6]), id: 301))
        _ = try town.post(302, "new")
        let second = try town.trending(201, count: 100, after: first.next)
        // The first has moved up past the page, the seventh was removed, the new one is before the page's end.
        #expect(second.posts.map(\.text) == ["5", "4", "2"])
    }

    @Test mutating func pageThatNobodyNamed_isRefused() throws {
        for (id, after) in zip(UInt32(1)..., ["nonsense", "1:nonsense", "1:2:3", ":"]) {
            let body = WireClientMessage.OneOf_Body.listingTrendingPosts(in: Ground.here.cell.token, after: after)
            #expect(try town.refusal(body, id: id)?.details["field"] == "after")
        }
        let many = WireClientMessage.OneOf_Body.listingTrendingPosts(in: Ground.here.cell.token, count: 101)
        #expect(try town.refusal(many, id: 20)?.details["field"] == "count")
    }

    @Test mutating func cellOutOfView_isNotListed() throws {
        _ = try town.post(1)
        let elsewhere = Sender(
            participant: .make(2), account: .make(2), name: "person-2", position: Sender.make().position, view: [])
        let body = WireClientMessage.OneOf_Body.listingTrendingPosts(in: Ground.here.cell.token)
        #expect(try town.refusal(body, id: 2, from: elsewhere)?.code == .notFound)
    }

    // MARK: The whole view

    /// Nine posts in three cells of one view, in turns, of which every third has votes.
    private mutating func fillView() throws -> [WireInstance] {
        let cells = [Ground.here.cell] + Ground.here.cell.neighbours.prefix(2)
        var posts: [WireInstance] = []
        for id in 1...9 {
            let author = Sender.make(at: cells[id % 3].centre, gridMetres: 0)
            posts.append(try town.post(UInt32(id), "\(id)", by: author))
            town.time.advance(.milliseconds(5))
        }
        for (id, (post, votes)) in [(2, 2), (3, 3), (7, 2)].enumerated() {
            for person in 0..<votes {
                let voter = Sender.make(UInt64(20 + person), at: cells[(post + 1) % 3].centre)
                try town.vote(UInt32(100 + 10 * id + person), 1, on: posts[post], by: voter)
            }
        }
        return posts
    }

    @Test mutating func postsOfTheWholeView_areInOneOrder() throws {
        let posts = try fillView()
        #expect(Set(posts.map(\.cell)).count == 3)
        let page = try town.trending(200, in: "")
        #expect(page.posts.map(\.text) == ["4", "8", "3", "9", "7", "6", "5", "2", "1"])
        let cells = Dictionary(uniqueKeysWithValues: posts.map { ($0.id, $0.cell) })
        #expect(page.posts.allSatisfy { cells[$0.id] == $0.cell })
        #expect(page.next.isEmpty)
        // Somewhere else, and on a tour, nothing of it is in view.
        let elsewhere = Sender(
            participant: .make(2), account: .make(2), name: "person-2", position: Sender.make().position, view: [])
        #expect(try town.trending(201, in: "", by: elsewhere).posts.isEmpty)
        let nowhere = Sender.make(3, at: nil)
        #expect(try town.refusal(.listingTrendingPosts(), id: 202, from: nowhere)?.code == .positionRequired)
    }

    @Test(arguments: [1, 2, 4, 8, 9] as [UInt32])
    func pagesOfTheWholeView_areTheWholeListCutUp(size: UInt32) throws {
        var tests = self
        _ = try tests.fillView()
        let whole = try tests.town.trending(200, in: "").posts.map(\.id)
        var (listed, next, id): ([String], String, UInt32) = ([], "", 300)
        repeat {
            let page = try tests.town.trending(id, in: "", count: size, after: next)
            #expect(page.posts.count <= Int(size) && !page.posts.isEmpty)
            listed += page.posts.map(\.id)
            (next, id) = (page.next, id + 1)
        } while !next.isEmpty
        #expect(listed == whole && Int(id) == 300 + (9 + Int(size) - 1) / Int(size))
    }

    /// Each takes a turn of every cell in view. The account counts it, as each question that it passes.
    @Test func listsOfTheWholeView_haveAQuotaOfAMinute() throws {
        let settings = Settings.make { $0.posts.listsPerMinute = 2 }
        let list = Request.make(.listingTrendingPosts(), id: 1, key: "")
        #expect(try list.home(settings: settings, register: Features.register) == .account(list.sender.account))
        var core = AccountCore(
            account: list.sender.account, register: Features.register, settings: settings,
            keyLifetime: .seconds(86_400))
        func refusal(at seconds: Int64) -> Refusal? {
            core.admit(question: list, now: .epoch + .seconds(seconds))
        }
        for _ in 1...2 { #expect(refusal(at: 0) == nil) }
        let refused = refusal(at: 0)
        #expect(refused?.code == .rateLimited && refused?.retryAfter == .seconds(60))
        #expect(refusal(at: 60) == nil)
        // One cell has one turn, which the account does not see.
        let one = Request.make(.listingTrendingPosts(in: Ground.here.cell.token), id: 2, key: "")
        #expect(try one.home(settings: settings, register: Features.register) == .cell(Ground.here.cell))
    }

    // MARK: Own

    /// A page of somebody's own posts, with the disk answering.
    private static func own(
        _ id: UInt32, count: UInt32 = 0, after: String = "", of person: Sender = .make(at: nil),
        in town: inout TownBench, _ disk: TemporaryStore
    ) async throws -> WirePostPage {
        let request = Request.make(.listingOwnPosts(count: count, after: after), id: id, from: person)
        town.push(request)
        let rows = try await disk.read(try #require(town.asked.first).queries[0])[0]
        town.store = { _ in rows }
        town.runUntilIdle()
        guard case .postPage(let page) = try #require(town.answer(to: request)).result else {
            throw BenchError("no page")
        }
        return page
    }

    @Test mutating func ownPosts_areListedFromAnywhereNewestFirst() async throws {
        _ = try fill()
        _ = try town.post(400, "somebody else's", by: .make(2))
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        let page = try await Self.own(1, in: &town, disk)
        #expect(page.posts.map(\.text) == ["9", "8", "7", "6", "5", "4", "3", "2", "1"])
        #expect(page.posts.map(\.post.score) == [2, 0, 0, 3, 0, 0, 2, 0, 0])
        #expect(page.posts.allSatisfy { $0.created == $0.post.created && !$0.cell.isEmpty })
        #expect(try await Self.own(2, of: .make(3), in: &town, disk).posts.isEmpty)
        await disk.close()
    }

    @Test mutating func pagesOfOwnPosts_areTheWholeListCutUp() async throws {
        _ = try fill()
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        var (listed, next, id): ([String], String, UInt32) = ([], "", 1)
        repeat {
            let page = try await Self.own(id, count: 4, after: next, in: &town, disk)
            listed += page.posts.map(\.text)
            (next, id) = (page.next, id + 1)
        } while !next.isEmpty
        #expect(listed == (1...9).reversed().map { "\($0)" } && id == 4)
        await disk.close()
    }

    @Test mutating func whatHasEnded_isNotListed_andWhatIsHiddenIsSaidToBe() async throws {
        _ = try town.post(1, "ends")
        town.time.advance(.seconds(86_000))
        let post = try town.post(2, "hidden")
        try town.hide(post)
        town.time.advance(.seconds(400))
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        let page = try await Self.own(1, in: &town, disk)
        #expect(page.posts.map(\.text) == ["hidden"] && page.posts.first?.post.hidden == true)
        await disk.close()
    }
}
