public import CairnTime
internal import Synchronization

/// Limits the attempts to sign in with a secret (ACC-4, ACC-8; pitfalls B16): failures in a sliding window, by account
/// and by address, in memory.
///
/// - An attempt is counted when it is admitted, before the slow hash begins, and taken back when it did not fail: a
///   thousand guesses at once cannot pass the check together. An attempt whose end is never told counts as a failure.
/// - A device or an address that has signed in to the account before is *familiar*. Each pair of account and familiar
///   device or address has a limit of its own, and no other counts for it. Strangers have the limits of the account and
///   of the address. Failures of strangers therefore never lock out an owner on their own device, and failures of the
///   owner lock out nobody else.
/// - An unknown name has a key as well, and nothing tells it from a known one.
///
/// At most `keysMax` accounts, addresses and pairs each. Beyond it unused keys are dropped, then newcomers with the
/// fewest attempts (`AttemptTable`). A key takes about 130 bytes with one attempt and 240 with ten: at most 46 MB for
/// all three. A desk that makes 57 hashes a second fails 51,000 times in 15 minutes, which takes 13 MB.
public final class SignInLimiter: Sendable {
    /// How many failures in which time.
    public struct Limits: Hashable, Sendable {
        /// Failures of a stranger's account key.
        public let failuresMax: Int
        /// Failures of an address key, which many people may share.
        public let addressFailuresMax: Int
        /// Failures of a familiar pair.
        public let familiarFailuresMax: Int
        public let window: Duration

        /// - Parameters:
        ///   - failuresMax: from 1 to 1,000, beyond them the nearest; also the other two.
        ///   - addressFailuresMax: nil = as `failuresMax`.
        ///   - window: from a second to a day, beyond them the nearest.
        public init(
            failuresMax: Int = 10, addressFailuresMax: Int? = nil, familiarFailuresMax: Int = 10,
            window: Duration = .seconds(900)
        ) {
            self.failuresMax = min(max(failuresMax, 1), 1_000)
            self.addressFailuresMax = min(max(addressFailuresMax ?? failuresMax, 1), 1_000)
            self.familiarFailuresMax = min(max(familiarFailuresMax, 1), 1_000)
            self.window = min(max(window, .seconds(1)), .seconds(86_400))
        }
    }

    /// An account and what its owner is known by, a device or an address.
    struct Pair: Hashable {
        let account: LimitKey
        let familiar: LimitKey
    }

    /// An admitted attempt. Exactly one of `succeeded`, `failed` and `abandoned` is to be told of it.
    public struct Attempt: Sendable {
        fileprivate let account: LimitKey
        fileprivate let address: LimitKey
        fileprivate let counted: Counted
    }

    fileprivate enum Counted {
        case stranger(account: MonotonicTime, address: MonotonicTime)
        case familiar(Pair, MonotonicTime)
    }

    /// The answer to somebody who wants to sign in.
    public enum Admission: Sendable {
        case admitted(Attempt)
        /// `too_many_attempts`: the time until the next attempt may be made.
        case refused(wait: Duration)
    }

    /// Counts since the start, and the keys that are held now.
    public struct Figures: Hashable, Sendable {
        public fileprivate(set) var accounts = 0
        public fileprivate(set) var addresses = 0
        public fileprivate(set) var pairs = 0
        public fileprivate(set) var admitted = 0
        public fileprivate(set) var refused = 0
        public fileprivate(set) var failed = 0
    }

    fileprivate struct State {
        var accounts: AttemptTable<LimitKey>
        var addresses: AttemptTable<LimitKey>
        var pairs: AttemptTable<Pair>
        var figures = Figures()
    }

    /// Keys of each kind that are remembered.
    public static let keysMax = 65_536

    private let state: Mutex<State>

    public init(_ limits: Limits = Limits(), keysMax: Int = SignInLimiter.keysMax) {
        let strangers = AttemptWindow.Rule(attemptsMax: limits.failuresMax, span: limits.window)
        let addresses = AttemptWindow.Rule(attemptsMax: limits.addressFailuresMax, span: limits.window)
        let familiar = AttemptWindow.Rule(attemptsMax: limits.familiarFailuresMax, span: limits.window)
        state = Mutex(
            State(
                accounts: AttemptTable(strangers, keysMax: keysMax),
                addresses: AttemptTable(addresses, keysMax: keysMax), pairs: AttemptTable(familiar, keysMax: keysMax)))
    }

    /// Asks for one attempt. An admitted one is counted at once.
    /// - Parameter familiar: the device or address by which the account knows the person; nil = a stranger.
    public func admit(
        account: LimitKey, address: LimitKey, familiar: LimitKey?, now: MonotonicTime
    ) -> Admission {
        state.withLock { state in
            let counted: Counted
            if let familiar {
                let pair = Pair(account: account, familiar: familiar)
                if let wait = state.pairs.wait(pair, now: now) { return state.refuse(wait) }
                counted = .familiar(pair, state.pairs.add(pair, now: now))
            } else {
                let waits = [state.accounts.wait(account, now: now), state.addresses.wait(address, now: now)]
                if let wait = waits.compactMap(\.self).max() { return state.refuse(wait) }
                counted = .stranger(
                    account: state.accounts.add(account, now: now), address: state.addresses.add(address, now: now))
            }
            state.figures.admitted += 1
            return .admitted(Attempt(account: account, address: address, counted: counted))
        }
    }

    /// The secret was right. The attempt is taken back, and earlier failures of a familiar pair are forgotten; those of
    /// the account and of the address by others are not.
    public func succeeded(_ attempt: Attempt) {
        state.withLock { state in
            state.takeBack(attempt)
            if case .familiar(let pair, _) = attempt.counted { state.pairs.clear(pair) }
        }
    }

    /// The secret was wrong. The attempt stays counted.
    public func failed(_ attempt: Attempt) { state.withLock { $0.figures.failed += 1 } }

    /// Nothing was decided, for instance because the desk was busy. The attempt is taken back.
    public func abandoned(_ attempt: Attempt) { state.withLock { $0.takeBack(attempt) } }

    /// Readable on any thread.
    public var figures: Figures {
        state.withLock { state in
            var figures = state.figures
            figures.accounts = state.accounts.count
            figures.addresses = state.addresses.count
            figures.pairs = state.pairs.count
            return figures
        }
    }
}

extension SignInLimiter.State {
    fileprivate mutating func refuse(_ wait: Duration) -> SignInLimiter.Admission {
        figures.refused += 1
        return .refused(wait: wait)
    }

    fileprivate mutating func takeBack(_ attempt: SignInLimiter.Attempt) {
        switch attempt.counted {
        case .stranger(let account, let address):
            accounts.remove(attempt.account, at: account)
            addresses.remove(attempt.address, at: address)
        case .familiar(let pair, let time): pairs.remove(pair, at: time)
        }
    }
}
