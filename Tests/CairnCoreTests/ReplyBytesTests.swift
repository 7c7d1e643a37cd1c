import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// The bytes of a day's stored replies, whatever the kinds of the changes (SYN-2).
@Suite("ReplyBytes")
struct ReplyBytesTests {
    /// Room for one reply of the largest size, and for two small ones beside it.
    private static let limit = StoredReply.bytesMax + 1_000
    private static let register = FeatureRegister([Things.self], replyBytesMax: { _ in limit })

    private var core = AccountCore(
        account: .make(), register: Self.register, settings: .make(), keyLifetime: .seconds(86_400))

    /// A success with a text of so many bytes; a kind that no other quota counts.
    private static func done(_ bytes: Int) -> Answer {
        .success(.made { $0.edited.instance.text = String(repeating: "x", count: bytes) })
    }

    private static func request(_ id: UInt32, key: String? = nil) -> Request { .thing(.dropKind, id: id, key: key) }

    private mutating func change(_ id: UInt32, bytes: Int, at now: LastingTime) -> Refusal? {
        for action in core.receive(Self.request(id), now: now) {
            if case .answer(_, .refusal(let refusal)) = action { return refusal }
        }
        _ = core.decided(Self.request(id), Self.done(bytes), now: now)
        return nil
    }

    @Test mutating func bytesOfADay_areBounded_whateverTheirNumber() throws {
        #expect(change(1, bytes: 400, at: 0) == nil)
        #expect(change(2, bytes: 400, at: 1) == nil)
        let refusal = try #require(change(3, bytes: 1, at: 2))
        #expect(refusal.code == .rateLimited && refusal.retryAfter == .seconds(86_400) - .milliseconds(1))
        #expect(refusal.details["limit"] == "\(Self.limit)" && refusal.details["period"] == "day")
        let used = try #require(refusal.details["count"].flatMap { Int($0) })
        #expect((1_100...1_400).contains(used), "two rows and their results")
    }

    @Test mutating func refusal_isCounted() {
        _ = change(1, bytes: 2_000, at: 0)
        let actions = core.receive(Self.request(2), now: 0)
        guard case .note(.replyBytesRefused)? = actions.first else {
            Issue.record("not counted: \(actions)")
            return
        }
        #expect(actions.count == 2)
    }

    @Test mutating func whatStoresNothing_costsNothing() {
        for id in 1...100 {
            _ = core.receive(Self.request(UInt32(id)), now: 0)
            let idle = Answer.unchanged(.made { $0.done = WireDone() })
            _ = core.decided(
                Self.request(UInt32(id)), id.isMultiple(of: 2) ? idle : .refusal(Refusal(.tooFar)), now: 0)
        }
        #expect(change(101, bytes: 100, at: 0) == nil)
    }

    /// A change reserves the most that its reply may take, so that changes at once are bounded as well.
    @Test mutating func changesAtOnce_waitForRoom_andGoOnWhenTheOthersHaveStoredLess() {
        var forwarded: [UInt32] = []
        for id in 1...4 {
            for case .forward(let request) in core.receive(Self.request(UInt32(id)), now: 0) {
                forwarded.append(request.id)
            }
        }
        #expect(forwarded == [1] && core.underWay == 4)
        for case .forward(let request) in core.decided(Self.request(1), Self.done(10), now: 0) {
            forwarded.append(request.id)
        }
        #expect(forwarded == [1, 2])
    }

    @Test mutating func hoursThatAreOver_makeRoom() {
        #expect(change(1, bytes: 900, at: 0) == nil)
        #expect(change(2, bytes: 900, at: LastingTime(milliseconds: 7_200_000)) != nil)
        #expect(change(3, bytes: 900, at: LastingTime(milliseconds: 86_400_001)) == nil)
    }

    @Test mutating func whatWasStoredBeforeARestart_counts() async throws {
        let disk = try await TemporaryStore.open(migrations: StoredReply.migrations)
        for id: UInt32 in 1...3 {
            let reply = StoredReply(
                id: .init(rawValue: UInt64(id)), request: Self.request(id), result: try Self.done(500).result,
                now: LastingTime(milliseconds: Int64(id)), lifetime: .seconds(86_400))
            try await disk.commit([reply.insertion])
        }
        let rows = try await disk.read(ReplyBytes.stored(of: .make(), now: 4))[0]
        #expect(rows.count == 1, "one hour")
        var bytes = ReplyBytes(limit: Self.limit)
        bytes.restore(rows)
        let used = bytes.used(now: 4)
        #expect((3 * 660...3 * 800).contains(used), "\(used)")
        core.restore([[[], rows]], now: 4)
        #expect(change(9, bytes: 1, at: 4)?.code == .rateLimited)
        await disk.close()
    }

    /// What a feature forgets to shorten fills no disk, and the retry learns that the change was made.
    @Test mutating func resultThatIsTooLong_isNotStored_andItsRetryIsTold() async throws {
        let disk = try await TemporaryStore.open(migrations: StoredReply.migrations)
        let request = Self.request(1, key: "k")
        let long = try Self.done(StoredReply.resultBytesMax + 1).result
        let reply = StoredReply(
            id: .init(rawValue: 1), request: request, result: long, now: 0, lifetime: .seconds(86_400))
        #expect(reply.isTooLong && StoredReply.bytes(of: long, for: request) < 300)
        try await disk.commit([reply.insertion])
        let row = try #require(try await disk.read(StoredReply.answer(to: "k", of: .make()))[0].first)
        let answer = try StoredReply.answer(for: request, in: row)
        #expect(answer.refusal?.code == .answerLost && answer.refusal?.retryAfter == nil)
        #expect(Self.isCounted(reply))
        await disk.close()
    }

    /// Whether the reply to a change that a later turn answers counts as too long.
    private static func isCounted(_ reply: StoredReply) -> Bool {
        reply.effects(ifMade: Query("SELECT 1")).contains { if case .note(.replyTooLong) = $0 { true } else { false } }
    }

    /// An expired row of the same key gives way with its id: by that of the new one the reply is taken back.
    @Test(arguments: [true, false])
    func replyInThePlaceOfAnExpiredOne_staysIfItsChangeIsMade(isMade: Bool) async throws {
        let disk = try await TemporaryStore.open(migrations: StoredReply.migrations)
        let (request, result) = try (Self.request(1, key: "k"), Self.done(10).result)
        let day = Duration.seconds(86_400)
        let expired = StoredReply(id: .init(rawValue: 1), request: request, result: result, now: 0, lifetime: day)
        try await disk.commit([expired.insertion])
        let reply = StoredReply(
            id: .init(rawValue: 2), request: request, result: result, now: LastingTime(milliseconds: 86_400_001),
            lifetime: day)
        #expect(!Self.isCounted(reply))
        let effects = reply.effects(ifMade: isMade ? Query("SELECT 1") : Query("SELECT 1 WHERE 0"))
        let statements = effects.compactMap { effect -> Statement? in
            if case .write(let statement) = effect { statement } else { nil }
        }
        try await disk.commit(statements)
        #expect(try await disk.read(StoredReply.answer(to: "k", of: .make()))[0].count == (isMade ? 1 : 0))
        await disk.close()
    }

    @Test func settingsThatChange_countAtOnce() {
        var bytes = ReplyBytes(limit: 10 * StoredReply.bytesMax)
        #expect(Self.isGranted(bytes.reserve(now: 0)))
        bytes.settle(bytes: 5_000, now: 0)
        bytes.limit = StoredReply.bytesMax
        #expect(!Self.isGranted(bytes.reserve(now: 0)))
    }

    private static func isGranted(_ reservation: Reservation) -> Bool {
        if case .granted = reservation { true } else { false }
    }
}

extension AccountCore {
    /// What the store says of an account that has stored replies and has used nothing.
    static let answersWithKeys: [[[Row]]] = [[[Row([.integer(1)])], []], []]
}
