public import CairnWire
internal import DequeModule

/// An account's home without its thread: idempotency keys and the limits that follow the person.
///
/// Every change that the person asks for, from whichever device, comes through here on its way to the home that
/// decides, so a key is one request and a quota is exact however many devices ask at once (PLC-7, PLC-8, SYN-2).
///
/// A bounded number of keys is remembered here. Of older ones a filter knows which keys may be among them
/// (`KeyFilter`): the store is asked about those. Of keys that an earlier life of the home answered nothing is known:
/// as long as one of them can be alive, the store is asked about every new key.
public struct AccountCore: Sendable {
    public let account: AccountID
    private let register: FeatureRegister
    private let keyLifetime: Int64
    /// Milliseconds that seem to have passed and may not have: a key is known for so much longer (`FollowedTime`).
    public var doubt: Int64 = 0
    private let keysMax: Int
    /// Keys that nobody has decided yet.
    private var undecided: [KeyName: Undecided] = [:]
    /// The digest of what each key was used for.
    private var answered: [KeyName: UInt64] = [:]
    /// The same keys, oldest first.
    private var answeredAt: Deque<(key: KeyName, at: Int64)> = []
    /// Keys that were answered here and are not remembered any more.
    private var forgotten = KeyFilter()
    /// Until when keys were answered of which nothing is known here: by an earlier life, or too many for the filter.
    private var unknownUntil = Int64.min
    /// Requests whose key may be one of either, in the order in which they came, and how many of them the store is
    /// being asked about.
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
        if hasKeys { unknownUntil = now }
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
        if let actions = handleRetry(request) { return actions }
        // Once one has to wait for the store all do: what a device asks for is decided in its order.
        guard unsure.isEmpty, unknownUntil < now - keyLifetime - doubt, !forgotten.mayHold(request.keyName) else {
            unsure.append(request)
            return askStore()
        }
        return reserve(request, now: now)
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
                    actions += handleRetry(request) ?? reserve(request, now: now)
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
    private mutating func handleRetry(_ request: Request) -> [Action]? {
        let name = request.keyName
        guard let index = undecided.index(forKey: name) else {
            guard let digest = answered[name] else { return nil }
            return [digest == request.contentDigest ? .recall(request) : .answer(request, .refusal(Self.reused))]
        }
        guard undecided.values[index].digest == request.contentDigest else {
            return [.answer(request, .refusal(Self.reused))]
        }
        undecided.values[index].others.append(request)
        othersCount += 1
        return []
    }

    /// Ends what is undecided of a key; gives it with all who waited with the first.
    private mutating func removeUndecided(_ key: KeyName) -> Undecided? {
        let undecided = undecided.removeValue(forKey: key)
        othersCount -= undecided?.others.count ?? 0
        return undecided
    }

    private static let reused = Refusal(.keyReused, "the key was used for another request", component: "account")

    /// Says that too many requests of one person wait for their answers.
    public static let crowded = Refusal(
        .tryAgain, "too many of your requests have no answer yet", component: "account", retryAfter: .seconds(1))

    /// The home that decides has decided, and has answered the request (`Answer` travels to its sender beside this).
    /// The same answer goes to everybody else who sent this key.
    public mutating func decided(_ request: Request, _ answer: Answer, now: Int64) -> [Action] {
        guard let first = removeUndecided(request.keyName) else {
            decidedElsewhere(request, answer, now: now)
            return []
        }
        var granted = true
        switch answer {
        case .success: remember(request.keyName, digest: first.digest, at: now)
        // It has cost what a change costs but for the disk.
        case .unchanged: break
        case .refusal: granted = false
        }
        for index in register.quotas(counting: request.kind) { quotas[index].settle(granted: granted, now: now) }
        guard !first.others.isEmpty || !waiting.isEmpty else { return [] }
        return first.others.map { Action.answer($0, answer) } + retryWaiting(now: now)
    }

    /// An answer to a request that is not under way here: a home went on with it in a later life, in which nobody waits
    /// for the answer, or a retry of it was decided meanwhile. A key that has its answer keeps that one.
    private mutating func decidedElsewhere(_ request: Request, _ answer: Answer, now: Int64) {
        guard case .success = answer, answered[request.keyName] != request.contentDigest else { return }
        remember(request.keyName, digest: request.contentDigest, at: now)
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
            actions += reserve(retry, now: now)
            if waiting.count > before { full.insert(retry.kind) }
        }
        return actions
    }

    private mutating func reserve(_ request: Request, now: Int64) -> [Action] {
        makeQuotas()
        var reserved: [Int] = []
        for index in register.quotas(counting: request.kind) {
            switch quotas[index].reserve(now: now) {
            case .granted:
                reserved.append(index)
            case .wait:
                for index in reserved { quotas[index].settle(granted: false, now: now) }
                keepUndecided(request)
                waiting.append(request)
                return []
            case .refused(let refusal):
                for index in reserved { quotas[index].settle(granted: false, now: now) }
                let others = removeUndecided(request.keyName)?.others ?? []
                return ([request] + others).map { .answer($0, .refusal(refusal)) }
            }
        }
        keepUndecided(request)
        return [.forward(request)]
    }

    /// One that has waited is undecided already, and others may wait with it.
    private mutating func keepUndecided(_ request: Request) {
        guard undecided[request.keyName] == nil else { return }
        undecided[request.keyName] = Undecided(digest: request.contentDigest)
    }

    private mutating func remember(_ key: KeyName, digest: UInt64, at time: Int64) {
        answered[key] = digest
        answeredAt.append((key, time))
        guard answeredAt.count > keysMax, let oldest = answeredAt.popFirst() else { return }
        answered[oldest.key] = nil
        if !forgotten.insert(oldest.key, at: oldest.at) { unknownUntil = max(unknownUntil, oldest.at) }
    }

    private mutating func forget(before limit: Int64) {
        forgotten.forget(before: limit)
        while let oldest = answeredAt.first, oldest.at < limit {
            answeredAt.removeFirst()
            answered[oldest.key] = nil
        }
    }
}
