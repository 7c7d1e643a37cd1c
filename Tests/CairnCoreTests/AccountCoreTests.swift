import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// Keys and limits that follow a person (PLC-7, PLC-8, SYN-2). `FewThings` allows three a second.
@Suite("AccountCore")
struct AccountCoreTests {
    private var core = AccountCore.make()

    private static func set(_ id: UInt32, key: String? = nil, _ number: UInt8 = 1, device: UInt64 = 1) -> Request {
        .thing(.setKind, number, id: id, key: key, from: .make(device: device))
    }

    private static func done(_ version: UInt32 = 1) -> Answer {
        .success(.made { $0.edited.instance.version = version })
    }

    private static let idle = Answer.unchanged(.made { $0.edited.instance.version = 1 })

    /// The store's row of an answered request.
    private static func keptRow(of request: Request, at: LastingTime) -> Row {
        var reply = WireReply()
        reply.edited.instance.version = 5
        let content: [SQLValue] = [
            .text(request.key), .integer(Int64(bitPattern: request.contentDigest)), .blob(WireBody.encode(reply)),
        ]
        return Row([.integer(7), .integer(1), .blob([]), .time(at), .sealed(content, Seal("any"), row: 1)])
    }

    /// An account that has woken at time 0 and has older keys in the store.
    private static func woken(at now: LastingTime = 0) -> AccountCore {
        var core = AccountCore.make()
        core.restore(AccountCore.answersWithKeys, now: now)
        return core
    }

    /// Sends a change at time 1 and completes it.
    private static func answer(_ request: Request, in core: inout AccountCore) {
        if case .look? = core.receive(request, now: 1).first { _ = core.found([nil], now: 1) }
        _ = core.decided(request, done(), now: 1)
    }

    private static let no = Answer.refusal(Refusal(.tooFar))

    // MARK: Keys

    @Test mutating func freshKey_isForwarded() {
        #expect(core.receive(Self.set(1), now: 0).summary == ["forward 1"])
        #expect(core.underWay == 1)
    }

    @Test mutating func sameKeyUnderWay_waits() {
        _ = core.receive(Self.set(1, key: "k"), now: 0)
        #expect(core.receive(Self.set(2, key: "k", device: 2), now: 0).isEmpty)
        #expect(core.underWay == 1)
    }

    @Test mutating func sameKeyUnderWay_getsTheSameAnswer() throws {
        _ = core.receive(Self.set(1, key: "k"), now: 0)
        _ = core.receive(Self.set(2, key: "k", device: 2), now: 0)
        let actions = core.decided(Self.set(1, key: "k"), Self.done(7), now: 0)
        #expect(actions.summary == ["answer 2"])
        #expect(try actions.answers.map { try $0.result.version } == [7])
        #expect(core.underWay == 0)
    }

    @Test mutating func sameKeyUnderWay_isRefusedWithItsFirst() {
        _ = core.receive(Self.set(1, key: "k"), now: 0)
        _ = core.receive(Self.set(2, key: "k"), now: 0)
        let actions = core.decided(Self.set(1, key: "k"), Self.no, now: 0)
        #expect(actions.summary == ["answer 2"])
        #expect(actions.answers.map { $0.refusal?.code } == [.tooFar])
    }

    @Test mutating func answeredKey_isRecalled() {
        _ = core.receive(Self.set(1, key: "k"), now: 0)
        _ = core.decided(Self.set(1, key: "k"), Self.done(), now: 0)
        #expect(core.receive(Self.set(2, key: "k"), now: 1).summary == ["recall 2"])
    }

    @Test mutating func keyWithAnotherBody_isRefused() {
        _ = core.receive(Self.set(1, key: "k", 1), now: 0)
        let actions = core.receive(Self.set(2, key: "k", 2), now: 0)
        #expect(actions.answers.first?.refusal?.code == .keyReused)
    }

    @Test mutating func keyWithAnotherKind_isRefused() {
        _ = core.receive(.thing(.setKind, 1, id: 1, key: "k"), now: 0)
        let actions = core.receive(.thing(.dropKind, 1, id: 2, key: "k"), now: 0)
        #expect(actions.answers.first?.refusal?.code == .keyReused)
    }

    @Test mutating func answeredKeyWithAnotherBody_isRefused() {
        _ = core.receive(Self.set(1, key: "k"), now: 0)
        _ = core.decided(Self.set(1, key: "k"), Self.done(), now: 0)
        #expect(core.receive(Self.set(2, key: "k", 9), now: 0).answers.first?.refusal?.code == .keyReused)
    }

    @Test(arguments: [1, 2] as [UInt8])
    mutating func refusal_freesTheKey_forAnyBody(body: UInt8) {
        _ = core.receive(Self.set(1, key: "k"), now: 0)
        _ = core.decided(Self.set(1, key: "k"), Self.no, now: 0)
        #expect(core.receive(Self.set(2, key: "k", body), now: 0).summary == ["forward 2"])
    }

    @Test mutating func successThatChangedNothing_isDecidedAgain_andItsKeyIsItsOwn() {
        _ = core.receive(Self.set(1, key: "k"), now: 0)
        _ = core.receive(Self.set(2, key: "k", device: 2), now: 0)
        #expect(core.decided(Self.set(1, key: "k"), Self.idle, now: 0).summary == ["answer 2"])
        #expect(core.receive(Self.set(3, key: "k"), now: 0).summary == ["forward 3"])
        _ = core.decided(Self.set(3, key: "k"), Self.idle, now: 0)
        #expect(core.receive(Self.set(4, key: "k", 9), now: 0).answers.first?.refusal?.code == .keyReused)
    }

    @Test mutating func key_isForgottenAfterItsLifetime() {
        _ = core.receive(Self.set(1, key: "k"), now: 0)
        _ = core.decided(Self.set(1, key: "k"), Self.done(), now: 0)
        #expect(core.receive(Self.set(2, key: "k"), now: 10_000).summary == ["recall 2"])
        #expect(core.receive(Self.set(3, key: "k"), now: 10_001).summary == ["forward 3"])
    }

    @Test func keyFromBeforeWaking_isAnsweredFromTheStore() throws {
        var core = Self.woken()
        #expect(core.receive(Self.set(1, key: "k"), now: 1).summary == ["look 1"])
        #expect(core.underWay == 1)
        let actions = core.found([Self.keptRow(of: Self.set(1, key: "k"), at: 0)], now: 1)
        #expect(try actions.answers.first?.result.version == 5)
        #expect(core.underWay == 0)
    }

    @Test func keyFromBeforeWaking_withAnotherBody_isRefused() {
        var core = Self.woken()
        _ = core.receive(Self.set(2, key: "k", 3), now: 1)
        let actions = core.found([Self.keptRow(of: Self.set(1, key: "k"), at: 0)], now: 1)
        #expect(actions.answers.first?.refusal?.code == .keyReused)
    }

    @Test func keyThatTheStoreKeptTooLongAgo_isForwarded() {
        var core = Self.woken(at: 12_000)
        _ = core.receive(Self.set(1, key: "k"), now: 21_000)
        #expect(core.found([Self.keptRow(of: Self.set(1, key: "k"), at: 0)], now: 21_000).summary == ["forward 1"])
    }

    /// The clock says that the key is too old, and may be wrong.
    @Test func keyThatIsTooOldByADoubtfulClock_isAnsweredAgain() {
        var core = Self.woken()
        core.doubt = .seconds(172_800)
        #expect(core.receive(Self.set(1, key: "k"), now: 172_800_000).summary == ["look 1"])
        let row = Self.keptRow(of: Self.set(1, key: "k"), at: 0)
        #expect(core.found([row], now: 172_800_000).summary == ["answer 1"])
    }

    @Test func keysThatWaitForTheStore_keepTheirOrder_andAreAskedForTogether() {
        var core = Self.woken()
        #expect(core.receive(Self.set(1, key: "a"), now: 1).summary == ["look 1"])
        #expect(core.receive(Self.set(2, key: "b"), now: 1).isEmpty)
        #expect(core.receive(Self.set(3, key: "a"), now: 1).isEmpty)
        #expect(core.found([nil], now: 1).summary == ["forward 1", "look 2 3"])
        #expect(core.found([nil, nil], now: 1).summary == ["forward 2"])
        let actions = core.decided(Self.set(1, key: "a"), Self.done(), now: 1)
        #expect(actions.summary == ["answer 3"])
    }

    @Test func requestWhoseStoredReplyCannotBeRead_isNotDoneAgain() {
        var core = Self.woken()
        _ = core.receive(Self.set(1, key: "k"), now: 1)
        let row = Row([
            .integer(7), .integer(1), .blob([]), .integer(0),
            .sealed([.text("k"), .integer(0), .blob([255])], Seal("any"), row: 1),
        ])
        let refusal = core.found([row], now: 1).answers.first?.refusal
        #expect(refusal?.code == .answerLost && refusal?.retryAfter == nil)
    }

    @Test func answerThatWasKeptForAnotherKey_isNotGiven() throws {
        var core = Self.woken()
        _ = core.receive(Self.set(1, key: "k"), now: 1)
        // An attacker who can write the file can give the answer to one key the fingerprint of another.
        let row = Self.keptRow(of: Self.set(1, key: "other"), at: 0)
        #expect(core.found([row], now: 1).answers.first?.refusal?.code == .answerLost)
        #expect(throws: DamagedRow.self) { try StoredReply.answer(for: Self.set(1, key: "k"), in: row) }
        #expect(try StoredReply.answer(for: Self.set(1, key: "other"), in: row).result.version == 5)
    }

    @Test func storeThatCannotBeAsked_isNoAnswer() {
        var core = Self.woken()
        _ = core.receive(Self.set(1, key: "k"), now: 1)
        #expect(core.found(nil, now: 1).answers.first?.refusal?.code == .tryAgain)
        #expect(core.underWay == 0)
        #expect(core.receive(Self.set(2, key: "k"), now: 2).summary == ["look 2"])
    }

    @Test func onceNoOlderKeyCanBeAlive_theStoreIsNotAsked() {
        var core = Self.woken()
        #expect(core.receive(Self.set(1, key: "k"), now: 10_000).summary == ["look 1"])
        _ = core.found([nil], now: 10_000)
        #expect(core.receive(Self.set(2, key: "l"), now: 10_001).summary == ["forward 2"])
    }

    @Test func keysBeyondTheBound_areTheStores() {
        var core = AccountCore.make(register: FeatureRegister([]), keysMax: 2)
        for (id, now) in [(1, 1), (2, 2), (3, 3)] as [(UInt32, LastingTime)] {
            #expect(core.receive(Self.set(id, key: "k\(id)"), now: now).summary == ["forward \(id)"])
            _ = core.decided(Self.set(id, key: "k\(id)"), Self.done(), now: now)
        }
        #expect(core.receive(Self.set(4, key: "k2"), now: 4).summary == ["recall 4"])
        #expect(core.receive(Self.set(5, key: "k1"), now: 4).summary == ["look 5"])
        _ = core.found([nil], now: 4)
        #expect(core.receive(Self.set(6, key: "new"), now: 10_002).summary == ["forward 6"], "the first key is dead")
    }

    @Test func keyThatNobodyHasSent_isNotAskedFor_howeverManyWereForgotten() {
        var core = AccountCore.make(register: FeatureRegister([]), keysMax: 2)
        for id in 1...2_000 as ClosedRange<UInt32> { Self.answer(Self.set(id, key: "k\(id)"), in: &core) }
        let asked = (1...1_000 as ClosedRange<UInt32>).count { id in
            let actions = core.receive(Self.set(id, key: "new\(id)"), now: 2)
            if case .look? = actions.first { _ = core.found([nil], now: 2) }
            return actions.summary != ["forward \(id)"]
        }
        #expect(asked < 10, "of a half full filter, two in 10,000 are")
    }

    @Test func forgottenKeys_areAllAskedFor_alsoBeyondTheFilter() {
        var core = AccountCore.make(register: FeatureRegister([]), keysMax: 2)
        let count: UInt32 = 30_000
        for id in 1...count { Self.answer(Self.set(id, key: "k\(id)"), in: &core) }
        for id in stride(from: 1, to: count - 2, by: 97) {
            let request = Self.set(id, key: "k\(id)")
            #expect(core.receive(request, now: 2).summary == ["look \(id)"])
            _ = core.found([Self.keptRow(of: request, at: 1)], now: 2)
        }
    }

    // MARK: Limits

    @Test mutating func limit_isExactUnderParallelAsking() {
        for id in 1...100 { _ = core.receive(Self.set(UInt32(id)), now: 0) }
        var granted = 0
        var refused = 0
        var forwarded: [UInt32] = [1, 2, 3]
        while let id = forwarded.popLast() {
            granted += 1
            for action in core.decided(Self.set(id), Self.done(), now: 0) {
                switch action {
                case .forward(let request): forwarded.append(request.id)
                case .answer(_, .success), .answer(_, .unchanged): Issue.record("nobody sent this key twice")
                case .answer(_, .refusal): refused += 1
                case .recall, .look, .report, .note: Issue.record("nobody asked twice")
                }
            }
        }
        #expect(granted == 3)
        #expect(refused == 97)
        #expect(core.underWay == 0)
    }

    @Test mutating func beyondTheLimit_waitsWhileReservationsAreUndecided() {
        for id in 1...3 { #expect(core.receive(Self.set(UInt32(id)), now: 0).summary == ["forward \(id)"]) }
        #expect(core.receive(Self.set(4), now: 0).isEmpty)
        #expect(core.underWay == 4)
    }

    @Test mutating func waiting_isForwardedWhenAReservationIsGivenBack() {
        for id in 1...4 { _ = core.receive(Self.set(UInt32(id)), now: 0) }
        #expect(core.decided(Self.set(2), Self.no, now: 0).summary == ["forward 4"])
    }

    @Test mutating func ofManyWaiting_aRefusalLetsOneGo_andTheOthersKeepTheirOrder() {
        for id in 1...300 { _ = core.receive(Self.set(UInt32(id)), now: 0) }
        #expect(core.decided(Self.set(2), Self.no, now: 0).summary == ["forward 4"])
        #expect(core.decided(Self.set(4), Self.no, now: 0).summary == ["forward 5"])
        #expect(core.underWay == 298)
    }

    @Test mutating func waiting_isRefusedWhenTheLimitIsUsedUp() {
        for id in 1...4 { _ = core.receive(Self.set(UInt32(id)), now: 0) }
        _ = core.decided(Self.set(1), Self.done(), now: 0)
        _ = core.decided(Self.set(2), Self.done(), now: 0)
        let actions = core.decided(Self.set(3), Self.done(), now: 0)
        #expect(actions.summary == ["answer 4"])
        #expect(actions.answers.last?.refusal?.code == .quotaPeriod)
    }

    @Test mutating func waitingWithTheSameKey_isAnsweredTogether() {
        for id in 1...3 { _ = core.receive(Self.set(UInt32(id)), now: 0) }
        _ = core.receive(Self.set(4, key: "k"), now: 0)
        _ = core.receive(Self.set(5, key: "k", device: 2), now: 0)
        _ = core.decided(Self.set(1), Self.no, now: 0)
        #expect(core.decided(Self.set(4, key: "k"), Self.done(), now: 0).summary == ["answer 5"])
    }

    @Test func requestsBeyondTheBound_areRefused_whereverTheOthersWait() {
        var core = AccountCore.make(requestsMax: 6)
        core.restore(AccountCore.answersWithKeys, now: 0)
        // One request at the store, which then waits for its decision; one with the same key; two behind them.
        _ = core.receive(Self.set(1, key: "k"), now: 1)
        _ = core.found([nil], now: 1)
        for id in 2...4 { _ = core.receive(Self.set(UInt32(id), key: id == 2 ? "k" : nil), now: 1) }
        _ = core.found([nil, nil], now: 1)
        for id in 5...6 { _ = core.receive(Self.set(UInt32(id)), now: 1) }
        _ = core.found([nil, nil], now: 1)
        #expect(core.requestsHeld == 6)
        let refusal = core.receive(Self.set(7), now: 1).answers.first?.refusal
        #expect(refusal?.code == .tryAgain && refusal?.retryAfter != nil)
        #expect(core.receive(Self.set(8, key: "k"), now: 1).answers.first?.refusal?.code == .tryAgain)
        // An answer to two of them makes room for two.
        #expect(core.decided(Self.set(1, key: "k"), Self.no, now: 1).summary == ["answer 2"])
        #expect(core.requestsHeld == 4)
        #expect(core.receive(Self.set(9), now: 1).answers.isEmpty && core.requestsHeld == 5)
    }

    @Test mutating func repeatOfAnAcceptedRequest_countsOnce() {
        _ = core.receive(Self.set(1, key: "k"), now: 0)
        _ = core.decided(Self.set(1, key: "k"), Self.done(), now: 0)
        for _ in 0..<10 { _ = core.receive(Self.set(2, key: "k"), now: 0) }
        #expect(core.receive(Self.set(3), now: 0).summary == ["forward 3"])
        #expect(core.receive(Self.set(4), now: 0).summary == ["forward 4"])
    }

    @Test mutating func refusedRequests_useUpNothing() {
        for id in 1...50 {
            _ = core.receive(Self.set(UInt32(id)), now: 0)
            _ = core.decided(Self.set(UInt32(id)), Self.no, now: 0)
        }
        #expect(core.receive(Self.set(99), now: 0).summary == ["forward 99"])
    }

    @Test mutating func otherKinds_areNotCounted() {
        for id in 1...10 { #expect(core.receive(.thing(.dropKind, id: UInt32(id)), now: 0).summary.count == 1) }
    }

    @Test mutating func restoredUses_countAfterARestart() {
        let rows = [0, 10, 20].map { Row([.integer($0)]) }
        core.restore([[[], []], [rows]], now: 0)
        #expect(core.receive(Self.set(1), now: 100).answers.first?.refusal?.code == .quotaPeriod)
        #expect(core.receive(Self.set(2), now: 1_001).summary == ["forward 2"])
    }

    /// Any order of requests and decisions, over several devices: the limit is exact, each request is answered once.
    @Test(arguments: 0..<30)
    func randomOrders_grantExactlyTheLimitAndAnswerEverybodyOnce(seed: UInt64) {
        var random = SeededRandom(seed)
        var core = AccountCore.make()
        var toAsk = Array(1...40).map { Self.set(UInt32($0), device: UInt64($0 % 5)) }
        var undecided: [Request] = []
        var answers: [UInt32: Answer] = [:]
        while !toAsk.isEmpty || !undecided.isEmpty {
            let asks = undecided.isEmpty || (!toAsk.isEmpty && Bool.random(using: &random))
            let actions: [AccountCore.Action]
            if asks {
                actions = core.receive(toAsk.removeFirst(), now: 0)
            } else {
                let request = undecided.remove(at: .random(in: undecided.indices, using: &random))
                // Answered by the home directly, not through the account.
                #expect(answers.updateValue(Self.done(), forKey: request.id) == nil)
                actions = core.decided(request, Self.done(), now: 0)
            }
            for action in actions {
                switch action {
                case .forward(let request): undecided.append(request)
                case .answer(let request, let answer):
                    #expect(answers.updateValue(answer, forKey: request.id) == nil)
                case .recall, .look, .report, .note: Issue.record("nobody asked twice")
                }
            }
            #expect(undecided.count <= 3)
        }
        #expect(answers.count == 40 && core.requestsHeld == 0)
        #expect(answers.values.filter { $0.refusal == nil }.count == 3)
    }
}

extension AccountCore {
    fileprivate static func make(
        register: FeatureRegister = .things, keysMax: Int = 1_000, requestsMax: Int = .max
    ) -> AccountCore {
        AccountCore(
            account: .make(), register: register, settings: .make(), keyLifetime: .seconds(10), keysMax: keysMax,
            requestsMax: requestsMax)
    }
}

extension [AccountCore.Action] {
    fileprivate var summary: [String] {
        map { action in
            switch action {
            case .forward(let request): "forward \(request.id)"
            case .answer(let request, _): "answer \(request.id)"
            case .recall(let request): "recall \(request.id)"
            case .report(let row): "report \(row.name)"
            case .note(let event): "note \(event)"
            case .look(let requests): (["look"] + requests.map { "\($0.id)" }).joined(separator: " ")
            }
        }
    }

    fileprivate var answers: [Answer] { compactMap { if case .answer(_, let answer) = $0 { answer } else { nil } } }
}
