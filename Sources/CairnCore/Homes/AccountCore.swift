public import CairnWire
internal import DequeModule

/// An account's home without its thread: idempotency keys and the limits that follow the person.
///
/// Every change that the person asks for, from whichever device, comes through here on its way to the home that
/// decides, so a key is one request and a quota is exact however many devices ask at once (PLC-7, PLC-8, SYN-2).
///
/// A bounded number of keys is remembered here. Of those that were answered before, or by an earlier life of the home,
/// only the store knows: it is asked about every new key for as long as one of them can still be alive.
public struct AccountCore: Sendable {
    public let account: AccountID
    private let register: FeatureRegister
    private let keyLifetime: Int64
    /// Milliseconds that seem to have passed and may not have: a key is known for so much longer (`FollowedTime`).
    public var doubt: Int64 = 0
    private let keysMax: Int
    /// Keys that nobody has decided yet.
    private var undecided: [String: Undecided] = [:]
    /// The digest of what each key was used for.
    private var answered: [KeyName: UInt64] = [:]
    /// The same keys, oldest first.
    private var answeredAt: Deque<(key: KeyName, at: Int64)> = []
    /// Until when keys were answered that are not remembered here.
    private var forgottenUntil = Int64.min
    /// Requests whose key may be one of those, in the order in which they came, and how many of them the store is being
    /// asked about.
    private var unsure: [Request] = []
    private var asked = 0
    private var settings: Settings
    /// Of each quota of the register, what is used of it; empty until the person's first change. Most only look.
    private var quotas: [QuotaUse] = []
    private var waiting: [Request] = []
    /// Requests that wait with the first of their key.
    private var othersCount = 0
    /// So many requests of one person are taken that have no answer yet. Open connections are bounded without it; it
    /// bounds what those leave behind that drop and come back.
    public var requestsMax: Int

    private struct Undecided: Sendable {
        let digest: UInt64
        /// Requests with the same key, which wait with the first.
        var others: [Request] = []
    }

    /// Stands for a key that has its answer: two SipHashes of it, which nobody outside the process can foresee. Keys
    /// are remembered for a day, and their text would take most of an account's memory.
    private struct KeyName: Hashable, Sendable {
        let high: Int
        let low: Int

        init(_ key: String) {
            var hasher = Hasher()
            hasher.combine(key)
            high = hasher.finalize()
            hasher = Hasher()
            hasher.combine(UInt8(1))
            hasher.combine(key)
            low = hasher.finalize()
        }
    }

    /// What the hosting actor has to do, in order.
    public enum Action: Sendable {
        /// Send the request on to the home that decides.
        case forward(Request)
        case answer(Request, Answer)
        /// The request was answered before: read the answer from the store.
        case recall(Request)
        /// Ask the store for the answers to these keys and say what it `found`.
        case look([Request])
        /// Name a damaged row to operators.
        case report(DamagedRow)
    }

    /// - Parameters:
    ///   - keyLifetime: milliseconds that a key is known.
    ///   - keysMax: keys that are remembered here.
    ///   - requestsMax: requests that have no answer yet; those beyond are refused.
    public init(
        account: AccountID, register: FeatureRegister, settings: Settings, keyLifetime: Int64,
        keysMax: Int = 1_000, requestsMax: Int = .max
    ) {
        self.account = account
        self.register = register
        self.settings = settings
        self.keyLifetime = keyLifetime
        self.keysMax = keysMax
        self.requestsMax = requestsMax
    }

    /// Keys that have been forwarded or wait, and have no answer yet.
    public var underWay: Int { undecided.count + unsure.count }
    /// The same, each request for itself.
    public var requestsHeld: Int { underWay + othersCount }

    /// Brings back what is stored: whether there are keys of an earlier life, and the answers to
    /// `FeatureRegister.stored(for:now:)`. Gives the rows that are damaged, which count for nothing.
    @discardableResult
    public mutating func restore(hasKeys: Bool, quotas answers: [[[Row]]], now: Int64) -> [DamagedRow] {
        if hasKeys { forgottenUntil = now }
        makeQuotas()
        return answers.enumerated().flatMap { index, rows in quotas[index].restore(rows.first ?? []) }
    }

    /// Goes by other settings from now on.
    public mutating func apply(_ settings: Settings) {
        self.settings = settings
        for index in quotas.indices { quotas[index].apply(settings) }
    }

    private mutating func makeQuotas() {
        guard quotas.isEmpty else { return }
        quotas = register.quotas.map { QuotaUse(of: $0, settings: settings) }
    }

    /// Takes a change that one of the person's devices asks for.
    public mutating func receive(_ request: Request, now: Int64) -> [Action] {
        guard requestsHeld < requestsMax else { return [.answer(request, .refusal(Self.crowded))] }
        forget(before: now - keyLifetime - doubt)
        if let actions = takeRemembered(request) { return actions }
        // Once one has to wait for the store all do: what a device asks for is decided in its order.
        guard unsure.isEmpty, forgottenUntil < now - keyLifetime - doubt else {
            unsure.append(request)
            return askStore()
        }
        return reserve(request, digest: request.contentDigest, now: now)
    }

    /// The store has been asked: the rows of `StoredReply.answer(to:of:)` for the keys of a `look`, in their order, nil
    /// where it knows none; nil in place of all when it could not be asked.
    public mutating func found(_ rows: [Row?]?, now: Int64) -> [Action] {
        let requests = unsure.prefix(asked)
        unsure.removeFirst(asked)
        asked = 0
        var actions: [Action] = []
        for (index, request) in requests.enumerated() {
            guard let rows else {
                actions.append(.answer(request, .refusal(StoredReply.unreadable)))
                continue
            }
            do throws(DamagedRow) {
                if let row = rows[index], let answer = try answer(to: request, in: row, now: now) {
                    actions.append(.answer(request, answer))
                } else {
                    actions += takeRemembered(request) ?? reserve(request, digest: request.contentDigest, now: now)
                }
            } catch {
                actions += [.report(error), .answer(request, .refusal(StoredReply.lost))]
            }
        }
        return actions + askStore()
    }

    /// What a kept answer says to a request; nil = nothing any more, it is too old.
    private func answer(to request: Request, in row: Row, now: Int64) throws(DamagedRow) -> Answer? {
        let kept = try StoredReply.kept(for: request, in: row)
        guard kept.at >= now - keyLifetime - doubt else { return nil }
        return kept.digest == request.contentDigest ? .success(kept.result) : .refusal(Self.reused)
    }

    /// Asks about all who wait, unless it is being asked already.
    private mutating func askStore() -> [Action] {
        guard asked == 0, !unsure.isEmpty else { return [] }
        asked = unsure.count
        return [.look(unsure)]
    }

    /// What comes of a request whose key is remembered; nil = it is not.
    private mutating func takeRemembered(_ request: Request) -> [Action]? {
        guard let digest = undecided[request.key]?.digest ?? answered[KeyName(request.key)] else { return nil }
        guard digest == request.contentDigest else { return [.answer(request, .refusal(Self.reused))] }
        guard undecided[request.key] != nil else { return [.recall(request)] }
        undecided[request.key]?.others.append(request)
        othersCount += 1
        return []
    }

    /// Ends what is undecided of a key; gives it with all who waited with the first.
    private mutating func decided(_ key: String) -> Undecided? {
        let undecided = undecided.removeValue(forKey: key)
        othersCount -= undecided?.others.count ?? 0
        return undecided
    }

    private static let reused = Refusal(.keyReused, "the key was used for another request", component: "account")

    /// Says that too many requests of one person wait for their answers.
    public static let crowded = Refusal(
        .tryAgain, "too many of your requests have no answer yet", component: "account", retryAfter: .seconds(1))

    /// The home that decides has decided. The answer goes to everybody who sent this key.
    public mutating func settled(_ request: Request, _ answer: Answer, now: Int64) -> [Action] {
        guard let first = decided(request.key) else { return settledElsewhere(request, answer, now: now) }
        var granted = false
        if case .success = answer {
            granted = true
            remember(request.key, digest: first.digest, at: now)
        }
        for index in register.quotas(counting: request.kind) { quotas[index].settle(granted: granted, now: now) }
        let actions = ([request] + first.others).map { Action.answer($0, answer) }
        return actions + retryWaiting(now: now)
    }

    /// An answer to a request that is not under way here: a home went on with it in a later life, or a retry of it was
    /// decided meanwhile. A key that has its answer gives that one.
    private mutating func settledElsewhere(_ request: Request, _ answer: Answer, now: Int64) -> [Action] {
        let digest = request.contentDigest
        let isAnswered = answered[KeyName(request.key)] == digest
        switch answer {
        case .success where !isAnswered: remember(request.key, digest: digest, at: now)
        case .refusal where isAnswered: return [.recall(request)]
        default: break
        }
        return [.answer(request, answer)]
    }

    /// Reserves for those who wait, in their order: once one of a kind has to wait on, so have the others of it.
    private mutating func retryWaiting(now: Int64) -> [Action] {
        let retries = waiting
        waiting = []
        var full: Set<MessageKind> = []
        var actions: [Action] = []
        for retry in retries {
            guard !full.contains(retry.kind) else {
                waiting.append(retry)
                continue
            }
            let before = waiting.count
            actions += reserve(retry, digest: undecided[retry.key]?.digest ?? retry.contentDigest, now: now)
            if waiting.count > before { full.insert(retry.kind) }
        }
        return actions
    }

    private mutating func reserve(_ request: Request, digest: UInt64, now: Int64) -> [Action] {
        makeQuotas()
        var taken: [Int] = []
        for index in register.quotas(counting: request.kind) {
            switch quotas[index].reserve(now: now) {
            case .granted:
                taken.append(index)
            case .wait:
                for index in taken { quotas[index].settle(granted: false, now: now) }
                undecided[request.key] = undecided[request.key] ?? Undecided(digest: digest)
                waiting.append(request)
                return []
            case .refused(let refusal):
                for index in taken { quotas[index].settle(granted: false, now: now) }
                let others = decided(request.key)?.others ?? []
                return ([request] + others).map { .answer($0, .refusal(refusal)) }
            }
        }
        undecided[request.key] = undecided[request.key] ?? Undecided(digest: digest)
        return [.forward(request)]
    }

    private mutating func remember(_ key: String, digest: UInt64, at time: Int64) {
        let name = KeyName(key)
        answered[name] = digest
        answeredAt.append((name, time))
        guard answeredAt.count > keysMax, let oldest = answeredAt.popFirst() else { return }
        answered[oldest.key] = nil
        forgottenUntil = max(forgottenUntil, oldest.at)
    }

    private mutating func forget(before limit: Int64) {
        while let oldest = answeredAt.first, oldest.at < limit {
            answeredAt.removeFirst()
            answered[oldest.key] = nil
        }
    }
}
