import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// PST-7: posts end by themselves.
@Suite("Posts: the end")
struct PostsEndTests {
    private static let here = HomeAddress.cell(Ground.here.cell)
    private var bench = HomeBench.make(settings: .unhurried())

    private mutating func post(_ id: UInt32, _ text: String = "short") throws -> WireInstance {
        let request = Request.make(.posting(text), id: id)
        bench.push(request)
        guard case .postCreated(let created)? = try bench.answer(to: request)?.result else {
            throw BenchError("not posted")
        }
        return created.post
    }

    private func code(_ body: WireClientMessage.OneOf_Body, _ id: UInt32, in bench: inout HomeBench) -> Refusal.Code? {
        let request = Request.make(body, id: id, from: .make(2))
        bench.push(request)
        return bench.answer(to: request)?.refusal?.code
    }

    @Test mutating func postsLeaveEveryViewAtTheirTime_andNotBefore() throws {
        let first = try post(1)
        bench.time.advance(.seconds(10))
        let second = try post(2)
        bench.time.advance(.milliseconds(86_400_000 - 10_000 - 1))
        #expect(bench.fireTimers().events.isEmpty && bench.instances.count == 2)
        bench.time.advance(.milliseconds(1))
        #expect(bench.fireTimers().events.map(\.left.instance) == [first.id])
        #expect(bench.instances.map(\.id) == [second.id])
        bench.time.advance(.seconds(10))
        #expect(bench.fireTimers().events.map(\.left.instance) == [second.id])
        #expect(bench.instances.isEmpty)
    }

    @Test mutating func theEnd_isToldWithoutAWriteOfItsOwn() throws {
        let post = try post(1)
        bench.disk = .later
        bench.time.advance(.seconds(86_400))
        #expect(bench.fireTimers().events.map(\.left.instance) == [post.id], "the disk is not waited for")
        let written = bench.pending.flatMap(\.statements).map(\.sql.text)
        #expect(!written.isEmpty && written.allSatisfy { $0.contains("timers") })
    }

    @Test mutating func endedPost_isSaidToHaveEnded_toThoseWhoSawIt() throws {
        let post = try post(1)
        bench.time.advance(.seconds(86_400))
        bench.fireTimers()
        #expect(code(.reading(post: post), 10, in: &bench) == .postExpired)
        #expect(code(.voting(1, on: post), 11, in: &bench) == .postExpired)
        var never = post
        never.id = "0000000000000"
        #expect(code(.reading(post: never), 12, in: &bench) == .notFound)
    }

    @Test mutating func manyPostsOfOneMoment_leaveTogether() throws {
        for id in 1...500 { _ = try post(UInt32(id)) }
        bench.time.advance(.seconds(86_400))
        #expect(Set(bench.fireTimers().events.map(\.left.instance)).count == 500)
        #expect(bench.fireTimers().events.isEmpty)
    }

    /// A cell whose posts end one after the other writes its timer some times a second and not for each of them.
    @Test mutating func postsThatEndShortlyAfterOneAnother_leaveTogether() throws {
        for id in 1...10 {
            _ = try post(UInt32(id))
            bench.time.advance(.milliseconds(10))
        }
        bench.time.advance(.milliseconds(86_400_000 - 100))
        #expect(bench.fireTimers().events.count == 1)
        bench.time.advance(.milliseconds(199))
        #expect(bench.fireTimers().events.isEmpty)
        bench.time.advance(.milliseconds(1))
        #expect(bench.fireTimers().events.count == 9)
    }

    /// However many end at once, nothing that others want waits for all of them, and no disk is waited for in between.
    @Test mutating func oneTurn_endsSomeOfThemAndLeavesTheRestToTheNext() throws {
        for id in 1...150 { _ = try post(UInt32(id)) }
        bench.disk = .later
        bench.time.advance(.seconds(86_400))
        #expect((0..<4).map { _ in bench.fireTimer()?.events.count } == [64, 64, 22, nil])
    }

    @Test mutating func removedPost_leavesTheOthersTheirTime() throws {
        let first = try post(1)
        bench.time.advance(.seconds(5))
        let second = try post(2)
        bench.push(.make(.removing(post: first), id: 3))
        bench.time.advance(.seconds(86_400 - 5))
        #expect(bench.fireTimers().events.isEmpty)
        bench.time.advance(.seconds(5))
        #expect(bench.fireTimers().events.map(\.left.instance) == [second.id])
    }

    @Test mutating func hiddenPost_endsWithoutAWord() throws {
        let post = try post(1)
        for person in 0..<5 {
            bench.push(.make(.voting(-1, on: post), id: UInt32(10 + person), from: .make(UInt64(50 + person))))
        }
        let before = bench.events.count
        bench.time.advance(.seconds(86_400))
        #expect(bench.fireTimers().events.isEmpty && bench.events.count == before)
        #expect(bench.core.own(of: .make(), in: .everyone) == nil)
    }

    /// Among the posts some end while nobody is there, some later.
    @Test mutating func afterARestart_whatIsLeftEndsAtItsTime() async throws {
        _ = try post(1)
        bench.time.advance(.seconds(100))
        let second = try post(2)
        let disk = try await TemporaryStore.open()
        for batch in bench.kept { try await disk.commit(batch.statements) }
        var woken = HomeBench.make(settings: .unhurried(), time: bench.time)
        woken.time.advance(.seconds(86_400 - 50))
        woken = HomeBench.make(settings: .unhurried(), time: woken.time)
        woken.restore(try await disk.stored(in: Self.here))
        #expect(woken.instances.map(\.id) == [second.id])
        #expect(woken.fireTimers().events.isEmpty)
        woken.time.advance(.seconds(50))
        #expect(woken.fireTimers().events.map(\.left.instance) == [second.id])
        await disk.close()
    }
}
