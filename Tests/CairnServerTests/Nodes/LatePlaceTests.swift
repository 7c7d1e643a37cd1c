import CairnCore
import CairnTesting
import CairnWire
import Testing

@testable import CairnRoot
@testable import CairnServer

/// A directory that answers late: what is for its homes waits, and goes on when it knows.
@Suite("Server: late places", .serialized, .timeLimit(.minutes(10)))
struct LatePlaceTests {
    private static let homes: [HomeAddress] = [.cell(Ground.here.cell)]

    @Test(arguments: [1, 2])
    func change_waitsForThePlaceOfItsCell_andIsMadeOnce(loops: Int) async throws {
        try await ServerBench.serving(loops: loops) { bench in
            let author = try await bench.client("author", at: Ground.here.centre)
            let viewer = try await bench.client("viewer", at: Ground.here.centre)
            await bench.server.forgetPlaces(of: Self.homes)
            let id = author.push(.placing("preset:flag", .make(at: Ground.here.centre)), key: "once")
            #expect(await bench.server.hasUnplacedWork())
            #expect(author.record.replies[id] == nil && viewer.record.instances.isEmpty)
            await bench.server.rememberPlaces(of: Self.homes)
            guard case .placed(let placed) = try await author.reply(to: id) else {
                Issue.record("it was not placed")
                return
            }
            try await viewer.wait(until: "the instance") { $0.instances[placed.instance.id] != nil }
            #expect(viewer.record.instances.count == 1)
        }
    }

    @Test func personWhoComesMeanwhile_isWelcomed_andSeesEverything_whenThePlaceIsKnown() async throws {
        try await ServerBench.serving(loops: 2) { bench in
            let author = try await bench.client("author", at: Ground.here.centre)
            let placed = try await author.place(at: Ground.here.centre)
            await bench.server.forgetPlaces(of: nil)
            let newcomer = try TestClient(port: bench.port)
            let hello = newcomer.push(.hello(.make(name: "newcomer")))
            let position = newcomer.push(.position(.make()))
            // Its account is nowhere, so it is not welcomed, and its position is not read.
            #expect(await bench.server.hasUnplacedWork())
            #expect(newcomer.record.replies[hello] == nil && newcomer.record.replies[position] == nil)
            await bench.server.rememberPlaces(of: nil)
            guard case .welcome = try await newcomer.reply(to: hello) else {
                Issue.record("it was not welcomed")
                return
            }
            try await newcomer.wait(until: "the instance") { $0.instances[placed.id] != nil }
        }
    }

    @Test(arguments: [1, 2])
    func answer_reachesTheConnection_beforeTheAccountHasHeardOfIt(loops: Int) async throws {
        try await ServerBench.serving(loops: loops) { bench in
            let author = try await bench.client("author", at: Ground.here.centre)
            let message = WireClientMessage.OneOf_Body.placing("preset:flag", .make(at: Ground.here.centre))
            await bench.server.forgetPlaces(of: Self.homes)
            let id = author.push(message, key: "once")
            #expect(await bench.server.hasUnplacedWork(), "it has passed its account")
            // Now the cell decides, and nobody knows where the account is.
            await bench.server.forgetPlaces(of: nil)
            await bench.server.rememberPlaces(of: Self.homes)
            guard case .placed(let placed) = try await author.reply(to: id) else {
                Issue.record("it was not placed")
                return
            }
            await bench.server.rememberPlaces(of: nil)
            guard case .placed(let again) = try await author.ask(message, key: "once") else {
                Issue.record("the account has not heard of it")
                return
            }
            #expect(again.instance.id == placed.instance.id)
        }
    }

    @Test func requestWhosePlaceStaysUnknown_isToldToTryAgain() async throws {
        try await ServerBench.serving { bench in
            let author = try await bench.client("author", at: Ground.here.centre)
            await bench.server.forgetPlaces(of: Self.homes)
            let key = "once"
            let refusal = try await author.refusal(of: .placing("preset:flag", .make()), key: key)
            #expect(refusal.code == Refusal.Code.tryAgain.rawValue)
            await bench.server.rememberPlaces(of: Self.homes)
            guard case .placed = try await author.ask(.placing("preset:flag", .make()), key: key) else {
                Issue.record("the key was lost with the refusal")
                return
            }
        }
    }
}

extension RunningServer {
    /// No loop knows any more where these homes live; nil = any home.
    fileprivate func forgetPlaces(of homes: [HomeAddress]?) async {
        let districts = Self.districts(homes)
        await onEveryLoop { $0.directory = $0.directory.withdrawing(districts) }
    }

    /// They know it again.
    fileprivate func rememberPlaces(of homes: [HomeAddress]?) async {
        let districts = Self.districts(homes)
        await onEveryLoop { $0.decided(districts) }
    }

    /// Whether some loop has work that waits, now or soon.
    fileprivate func hasUnplacedWork() async -> Bool {
        for _ in 0..<20_000 {
            for shard in shards where await shard.unplaced.count > 0 { return true }
        }
        return false
    }

    private static func districts(_ homes: [HomeAddress]?) -> Set<HomeDirectory.District> {
        homes.map { Set($0.map(HomeDirectory.district)) } ?? HomeDirectory.districts
    }

    private func onEveryLoop(_ work: @escaping @Sendable (isolated Shard) -> Void) async {
        for shard in shards {
            await withCheckedContinuation { continuation in
                shard.post { shard in
                    work(shard)
                    continuation.resume()
                }
            }
        }
    }
}
