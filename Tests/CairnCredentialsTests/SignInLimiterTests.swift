import CairnTime
import Synchronization
import Testing

@testable import CairnCredentials

/// Failures are counted by account, by address and by familiar pair (ACC-4, pitfalls B16).
@Suite struct SignInLimiterTests {
    private let owner = LimitKey(1)
    private let home = LimitKey(7)

    private func admit(
        _ limiter: SignInLimiter, _ account: LimitKey, _ address: LimitKey, familiar: LimitKey? = nil,
        at seconds: Int64 = 0
    ) -> SignInLimiter.Attempt? {
        let answer = limiter.admit(account: account, address: address, familiar: familiar, now: .at(seconds))
        if case .admitted(let attempt) = answer { return attempt }
        return nil
    }

    private func wait(_ admission: SignInLimiter.Admission) -> Duration? {
        if case .refused(let wait) = admission { return wait }
        return nil
    }

    @Test func eleventhFailure_hasToWait() throws {
        let limiter = SignInLimiter()
        for second in 0..<10 {
            limiter.failed(try #require(admit(limiter, owner, LimitKey(100 + UInt64(second)), at: Int64(second))))
        }
        let answer = limiter.admit(account: owner, address: home, familiar: nil, now: .at(60))
        #expect(wait(answer) == .seconds(840))
        #expect(admit(limiter, owner, home, at: 899) == nil)
        // One has left the window, and no more.
        #expect(admit(limiter, owner, home, at: 900) != nil && admit(limiter, owner, home, at: 900) == nil)
        #expect(limiter.figures.refused == 3 && limiter.figures.failed == 10)
    }

    @Test func address_isCountedOverAllAccounts_knownOrNot() throws {
        let limiter = SignInLimiter()
        for number: UInt64 in 0..<10 { limiter.failed(try #require(admit(limiter, LimitKey(100 + number), home))) }
        #expect(admit(limiter, LimitKey(500), home) == nil)
        #expect(admit(limiter, LimitKey(500), LimitKey(8)) != nil)
    }

    @Test func owner_isNotLockedOut() throws {
        let limiter = SignInLimiter()
        for number in 0..<1_000 {
            if let guess = admit(limiter, owner, LimitKey(1_000 + UInt64(number))) { limiter.failed(guess) }
        }
        #expect(admit(limiter, owner, home) == nil)
        // By device or by address; also where strangers used up the same address.
        let attempt = try #require(admit(limiter, owner, home, familiar: home))
        limiter.succeeded(attempt)
        #expect(admit(limiter, owner, LimitKey(1_000), familiar: LimitKey(3)) != nil)
    }

    @Test func familiarPair_hasAnAllowanceOfItsOwn() throws {
        let limiter = SignInLimiter(.init(failuresMax: 10, familiarFailuresMax: 3))
        for _ in 0..<3 { limiter.failed(try #require(admit(limiter, owner, home, familiar: home))) }
        #expect(admit(limiter, owner, home, familiar: home) == nil)
        #expect(admit(limiter, owner, home) != nil, "the account and the address have not been counted")
        #expect(admit(limiter, LimitKey(2), home, familiar: home) != nil)
    }

    @Test func success_clearsThePairAlone() throws {
        let limiter = SignInLimiter(.init(failuresMax: 2, familiarFailuresMax: 2))
        limiter.failed(try #require(admit(limiter, owner, home)))
        limiter.failed(try #require(admit(limiter, owner, home, familiar: home)))
        limiter.succeeded(try #require(admit(limiter, owner, home, familiar: home)))
        #expect(limiter.figures.pairs == 0 && limiter.figures.accounts == 1)
        limiter.succeeded(try #require(admit(limiter, owner, home)))
        limiter.failed(try #require(admit(limiter, owner, home)))
        #expect(admit(limiter, owner, home) == nil)
    }

    @Test func abandonedAttempt_isTakenBack() throws {
        let limiter = SignInLimiter(.init(failuresMax: 1, familiarFailuresMax: 1))
        for familiar in [nil, home] {
            limiter.abandoned(try #require(admit(limiter, owner, home, familiar: familiar)))
            #expect(admit(limiter, owner, home, familiar: familiar) != nil)
        }
    }

    @Test func thousandGuessesAtOnce_passNoMoreThanTen() async {
        let limiter = SignInLimiter()
        let admitted = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<1_000 {
                group.addTask { [owner] in self.admit(limiter, owner, LimitKey(UInt64(number) + 100)) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(admitted == 10)
    }

    // MARK: Against a list

    /// All attempts that count, in a list.
    private struct Model {
        struct Entry {
            let id: Int
            let account: UInt64
            let address: UInt64
            let familiar: UInt64?
            let time: MonotonicTime
        }

        let most: Int
        let familiarMost: Int
        var entries: [Entry] = []

        func wait(_ account: UInt64, _ address: UInt64, _ familiar: UInt64?, _ now: MonotonicTime) -> Duration? {
            let live = entries.filter { now - $0.time < .seconds(900) }
            let sets: [([Entry], Int)] =
                if let familiar {
                    [(live.filter { $0.account == account && $0.familiar == familiar }, familiarMost)]
                } else {
                    [
                        (live.filter { $0.familiar == nil && $0.account == account }, most),
                        (live.filter { $0.familiar == nil && $0.address == address }, most),
                    ]
                }
            return sets.compactMap { set, most in
                set.count < most ? nil : set.map(\.time).min().map { $0 + .seconds(900) - now }
            }
            .max()
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5])
    func limiter_agreesWithAList(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limiter = SignInLimiter(.init(failuresMax: 5, familiarFailuresMax: 3))
        var model = Model(most: 5, familiarMost: 3)
        var under: [(Model.Entry, SignInLimiter.Attempt)] = []
        var now = MonotonicTime.epoch
        var refused = 0
        for id in 0..<20_000 {
            now += .microseconds(Int64.random(in: 1...40_000_000, using: &random))
            if Bool.random(using: &random), !under.isEmpty {
                let (told, attempt) = under.remove(at: Int.random(in: 0..<under.count, using: &random))
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    limiter.succeeded(attempt)
                    model.entries.removeAll { entry in
                        entry.id == told.id
                            || (told.familiar != nil && told.familiar == entry.familiar
                                && told.account == entry.account)
                    }
                case 1:
                    limiter.abandoned(attempt)
                    model.entries.removeAll { $0.id == told.id }
                default: limiter.failed(attempt)
                }
                continue
            }
            let account = UInt64.random(in: 0..<4, using: &random)
            let address = UInt64.random(in: 0..<4, using: &random)
            let familiar = Bool.random(using: &random) ? UInt64.random(in: 0..<2, using: &random) : nil
            let wanted = model.wait(account, address, familiar, now)
            let answer = limiter.admit(
                account: LimitKey(account), address: LimitKey(address), familiar: familiar.map { LimitKey($0) },
                now: now)
            #expect(wait(answer) == wanted)
            if case .admitted(let attempt) = answer {
                model.entries.removeAll { now - $0.time >= .seconds(900) }
                let entry = Model.Entry(id: id, account: account, address: address, familiar: familiar, time: now)
                model.entries.append(entry)
                under.append((entry, attempt))
            } else {
                refused += 1
            }
        }
        #expect(refused > 500)
    }

    // MARK: Bounds

    @Test func keys_areBounded_andTheOldOnesStay() throws {
        let limiter = SignInLimiter(.init(failuresMax: 1), keysMax: 64)
        for number: UInt64 in 0..<1_000 {
            limiter.failed(try #require(admit(limiter, LimitKey(number), LimitKey(number), at: Int64(number) / 10)))
            #expect(limiter.figures.accounts <= 64 && limiter.figures.addresses <= 64)
        }
        for number: UInt64 in 0..<50 { #expect(admit(limiter, LimitKey(number), LimitKey(2_000), at: 100) == nil) }
    }

    /// A flood of new keys flushes neither a key at its limit nor one below it that was there before.
    @Test func flood_ofNewKeys_dropsNewcomers() throws {
        let limiter = SignInLimiter(.init(failuresMax: 3, familiarFailuresMax: 3), keysMax: 64)
        for _ in 0..<3 { limiter.failed(try #require(admit(limiter, owner, home, familiar: home))) }
        let other = LimitKey(7, 7)
        for _ in 0..<2 { limiter.failed(try #require(admit(limiter, other, home, familiar: home))) }
        for number: UInt64 in 1_000..<9_000 {
            let key = LimitKey(number)
            limiter.failed(try #require(admit(limiter, key, key, familiar: key, at: Int64(number) / 100)))
            #expect(limiter.figures.pairs <= 64)
        }
        #expect(admit(limiter, owner, home, familiar: home, at: 100) == nil)
        limiter.failed(try #require(admit(limiter, other, home, familiar: home, at: 100)))
        #expect(admit(limiter, other, home, familiar: home, at: 100) == nil)
    }

    /// Tables with a high bound are in parts, which fill unevenly.
    @Test func manyKeys_areBounded() throws {
        let limiter = AttemptLimiter(attemptsMax: 1, keysMax: 4_096)
        for number: UInt64 in 0..<10_000 {
            #expect(limiter.admit(LimitKey(number), now: .at(Int64(number) / 10)) == nil)
        }
        #expect((2_048...4_096).contains(limiter.figures.keys))
        for number: UInt64 in 0..<100 { #expect(limiter.admit(LimitKey(number), now: .at(1_000)) != nil) }
    }

    @Test func unusedKeys_areDroppedBeforeOthers() throws {
        let limiter = SignInLimiter(.init(failuresMax: 1), keysMax: 64)
        for number: UInt64 in 0..<40 {
            limiter.failed(try #require(admit(limiter, LimitKey(number), LimitKey(number))))
        }
        for number: UInt64 in 40..<80 {
            limiter.failed(try #require(admit(limiter, LimitKey(number), LimitKey(number), at: 900)))
        }
        for number: UInt64 in 40..<80 { #expect(admit(limiter, LimitKey(number), home, at: 901) == nil) }
    }

    @Test func keysOfBytes_areTheirDigest() {
        #expect(LimitKey(hashing: "ada".utf8) == LimitKey(hashing: Array("ada".utf8)))
        #expect(LimitKey(hashing: "ada".utf8) != LimitKey(hashing: "adb".utf8) && LimitKey(5) == LimitKey(0, 5))
    }

    @Test func attemptLimiter_countsEveryAttempt() {
        let limiter = AttemptLimiter(attemptsMax: 3)
        for _ in 0..<3 { #expect(limiter.admit(home, now: .at(0)) == nil) }
        #expect(limiter.admit(home, now: .at(600)) == .seconds(3_000) && limiter.admit(owner, now: .at(600)) == nil)
        #expect(limiter.admit(home, now: .at(3_600)) == nil)
        #expect(limiter.figures == (keys: 2, refused: 1))
    }
}
