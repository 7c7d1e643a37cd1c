public import CairnWire
internal import DequeModule

/// The decisions of an account's home, without actor and I/O: a person's idempotency keys and quotas.
///
/// Every change of the person, from any device, passes here on its way to the home that decides. So a key is one
/// request and a quota is exact, however many devices send at once (PLC-7, PLC-8, SYN-2).
///
/// The newest keys are remembered exactly, up to `keysMax`. Older keys are in a filter (`KeyFilter`), and the store is
/// asked about each new key that may be one of them. Nothing is known of keys that were answered before the home woke:
/// as long as one of them can be alive, the store is asked about every new key.
public struct AccountCore: Sendable {
    public let account: AccountID
    private let register: FeatureRegister
    private let keyLifetime: Duration
    /// By how much the clock may be ahead (`FollowedTime`): keys live longer by this time.
    public var doubt = Duration.zero
    private let keysMax: Int
    /// Keys whose request is not decided yet.
    private var undecided: [KeyName: Undecided] = [:]
    /// For each answered key, the digest of its request.
    private var answered: [KeyName: UInt64] = [:]
    /// The answered keys of which nothing is stored: a retry is decided again.
    private var unchanged: Set<KeyName> = []
    /// The answered keys, oldest first.
    private var answeredAt: Deque<(key: KeyName, at: LastingTime)> = []
    /// Keys that were answered here and are no longer in `answered`.
    private var forgotten = KeyFilter()
    /// The newest time of an answer that neither `answered` nor the filter knows: from before the home woke, or beyond
    /// the filter's room.
    private var unknownUntil = LastingTime.distantPast
    /// Requests whose key may have been answered before, in the order of their arrival.
    private var unsure: [Request] = []
    /// How many of `unsure`, from the first on, are in the query under way; 0 = no query is under way.
    private var asked = 0
    private var settings: Settings
    /// The use of each quota of the register; empty until the person's first change, because most people only look.
    private var quotas: [QuotaUse] = []
    /// The bytes of the day's stored replies.
    private var replies: ReplyBytes
    private var waiting: [Request] = []
    /// Number of requests that wait with the first request of their key.
    private var othersCount = 0
    /// Most unanswered requests of one person. Requests of open connections are bounded anyway; this bounds what
    /// connections leave behind that drop and reconnect.
    public var requestsMax: Int

    private struct Undecided: Sendable {
        let digest: UInt64
        /// Later requests with the same key, which get the same answer.
        var others: [Request] = []
    }

    /// What the hosting actor has to do, in order.
    public enum Action: Sendable {
        /// Send the request on to the home that decides.
        case forward(Request)
        case answer(Request, Answer)
        /// The request was answered before: read the answer from the store.
        case recall(Request)
        /// Ask the store for the stored replies of these keys and call `found` with its answer.
        case look([Request])
        /// Report a damaged row to operators.
        case report(DamagedRow)
        /// Count an event for operators.
        case note(HomeEvent)
    }

    /// - Parameters:
    ///   - keyLifetime: lifetime of a key.
    ///   - keysMax: most keys that are remembered exactly.
    ///   - requestsMax: most unanswered requests; further ones are refused with `try_again`.
    public init(
        account: AccountID, register: FeatureRegister, settings: Settings, keyLifetime: Duration,
        keysMax: Int = 1_000, requestsMax: Int = .max
    ) {
        self.account = account
        self.register = register
        self.settings = settings
        replies = ReplyBytes(limit: register.replyBytesMax(settings))
        self.keyLifetime = keyLifetime
        self.keysMax = keysMax
        self.requestsMax = requestsMax
    }

    /// Number of keys without an answer: forwarded, waiting for a quota, or waiting for the store.
    public var underWay: Int { undecided.count + unsure.count }
    /// Number of requests without an answer, retries included.
    public var requestsHeld: Int { underWay + othersCount }

    /// The queries whose answers `restore` takes: those about the stored replies, then those of each quota.
    public static func questions(
        of account: AccountID, _ register: FeatureRegister, now: LastingTime
    ) -> [[Query]] {
        [[StoredReply.any(of: account), ReplyBytes.stored(of: account, now: now)]]
            + register.stored(for: account, now: now)
    }

    /// Restores the stored state from the answers to `questions`. Returns the damaged rows, which do not count.
    @discardableResult
    public mutating func restore(_ answers: [[[Row]]], now: LastingTime) -> [DamagedRow] {
        guard let kept = answers.first else { return [] }
        if kept.first?.isEmpty == false { unknownUntil = now }
        if kept.count > 1 { replies.restore(kept[1]) }
        makeQuotas()
        return answers.dropFirst().enumerated().flatMap { index, rows in quotas[index].restore(rows.first ?? []) }
    }

    /// Applies new settings.
    public mutating func apply(_ settings: Settings) {
        self.settings = settings
        for index in quotas.indices { quotas[index].apply(settings) }
        replies.limit = register.replyBytesMax(settings)
    }

    private mutating func makeQuotas() {
        guard quotas.isEmpty else { return }
        quotas = register.quotas.map { QuotaUse(of: $0, settings: settings) }
    }

    /// Receives a change from one of the person's devices.
    public mutating func receive(_ request: Request, now: LastingTime) -> [Action] {
        guard requestsHeld < requestsMax else { return [.answer(request, .refusal(Self.crowded))] }
        let oldest = now - keyLifetime - doubt
        forget(before: oldest)
        if let actions = handleRetry(request) { return actions }
        // While one request waits for the store, later ones wait, too: the requests of a device are decided in order.
        guard unsure.isEmpty, unknownUntil < oldest, !forgotten.mayHold(request.keyName) else {
            unsure.append(request)
            return askStore()
        }
        return reserve(request, now: now)
    }

    /// Receives the store's answer to a `look`: the rows of `StoredReply.answer(to:of:)` in the order of the keys, nil
    /// where there is none; nil in place of the array when the store could not be read.
    public mutating func found(_ rows: [Row?]?, now: LastingTime) -> [Action] {
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

    /// The stored reply as the answer to a request; nil = it is older than the lifetime of keys.
    private func answer(to request: Request, in row: Row, now: LastingTime) throws(DamagedRow) -> Answer? {
        let kept = try StoredReply.kept(for: request, in: row)
        guard kept.at >= now - keyLifetime - doubt else { return nil }
        guard kept.digest == request.contentDigest else { return .refusal(Self.reused) }
        return kept.result.map(Answer.success) ?? .refusal(StoredReply.tooLong)
    }

    /// Asks the store about all unsure requests, unless a query is under way.
    private mutating func askStore() -> [Action] {
        guard asked == 0, !unsure.isEmpty else { return [] }
        asked = unsure.count
        return [.look(unsure)]
    }

    /// Handles a request whose key is remembered: a retry gets the first answer, another request is refused. Returns
    /// nil when the key is not remembered, or nothing is stored of its answer.
    private mutating func handleRetry(_ request: Request) -> [Action]? {
        let name = request.keyName
        guard let index = undecided.index(forKey: name) else {
            guard let digest = answered[name] else { return nil }
            guard digest == request.contentDigest else { return [.answer(request, .refusal(Self.reused))] }
            return unchanged.contains(name) ? nil : [.recall(request)]
        }
        guard undecided.values[index].digest == request.contentDigest else {
            return [.answer(request, .refusal(Self.reused))]
        }
        undecided.values[index].others.append(request)
        othersCount += 1
        return []
    }

    /// Removes and returns the undecided entry of a key.
    private mutating func removeUndecided(_ key: KeyName) -> Undecided? {
        let undecided = undecided.removeValue(forKey: key)
        othersCount -= undecided?.others.count ?? 0
        return undecided
    }

    private static let reused = Refusal(.keyReused, "the key was used for another request", component: "account")

    /// The refusal when too many requests of one person have no answer.
    public static let crowded = Refusal(
        .tryAgain, "too many of your requests have no answer yet", component: "account", retryAfter: .seconds(1))

    /// A home has decided the request; its answer goes to the sender's connection separately. The retries that wait
    /// with this key get the same answer here.
    public mutating func decided(_ request: Request, _ answer: Answer, now: LastingTime) -> [Action] {
        guard let first = removeUndecided(request.keyName) else {
            decidedElsewhere(request, answer, now: now)
            return []
        }
        var (granted, bytes) = (true, 0)
        switch answer {
        case .success(let result):
            remember(request.keyName, digest: first.digest, at: now)
            bytes = StoredReply.bytes(of: result, for: request)
        // It counts against quotas: it has cost what a change costs but for the disk.
        case .unchanged: rememberUnchanged(request.keyName, digest: first.digest, at: now)
        case .refusal: granted = false
        }
        for index in register.quotas(counting: request.kind) {
            quotas[index].settle(granted: granted || quotas[index].countsRefusals, now: now)
        }
        replies.settle(bytes: bytes, now: now)
        guard !first.others.isEmpty || !waiting.isEmpty else { return [] }
        return first.others.map { Action.answer($0, answer) } + retryWaiting(now: now)
    }

    /// Handles the answer to a request that is not under way here: a home completed it after this account had slept, or
    /// a retry was decided first. A key that has its answer keeps it.
    private mutating func decidedElsewhere(_ request: Request, _ answer: Answer, now: LastingTime) {
        guard case .success = answer, answered[request.keyName] != request.contentDigest else { return }
        remember(request.keyName, digest: request.contentDigest, at: now)
    }

    /// Retries the requests that wait for a quota, in their order. When one must go on waiting, so must all later ones
    /// of its kind.
    private mutating func retryWaiting(now: LastingTime) -> [Action] {
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

    private mutating func reserve(_ request: Request, now: LastingTime) -> [Action] {
        makeQuotas()
        let counting = register.quotas(counting: request.kind)
        for (place, index) in counting.enumerated() {
            let verdict = quotas[index].reserve(now: now)
            if case .granted = verdict { continue }
            for reserved in counting.prefix(place) { quotas[reserved].settle(granted: false, now: now) }
            return hold(request, verdict)
        }
        let verdict = replies.reserve(now: now)
        if case .granted = verdict {
            keepUndecided(request)
            return [.forward(request)]
        }
        for reserved in counting { quotas[reserved].settle(granted: false, now: now) }
        let actions = hold(request, verdict)
        return actions.isEmpty ? [] : [.note(.replyBytesRefused)] + actions
    }

    /// Handles a request that may not go on: it waits, or is refused with its retries.
    private mutating func hold(_ request: Request, _ verdict: Reservation) -> [Action] {
        guard case .refused(let refusal) = verdict else {
            keepUndecided(request)
            waiting.append(request)
            return []
        }
        let others = removeUndecided(request.keyName)?.others ?? []
        return ([request] + others).map { .answer($0, .refusal(refusal)) }
    }

    /// Counts a question of the person, if a quota counts its kind.
    /// - Returns: the refusal of a quota that is used up; nil = the question may be decided.
    public mutating func admit(question: Request, now: LastingTime) -> Refusal? {
        let counting = register.quotas(counting: question.kind)
        guard !counting.isEmpty else { return nil }
        makeQuotas()
        for index in counting {
            if case .refused(let refusal) = quotas[index].reserve(now: now) { return refusal }
            quotas[index].settle(granted: true, now: now)
        }
        return nil
    }

    /// Adds the undecided entry of a request. One that has waited has it already, perhaps with retries.
    private mutating func keepUndecided(_ request: Request) {
        guard undecided[request.keyName] == nil else { return }
        undecided[request.keyName] = Undecided(digest: request.contentDigest)
    }

    private mutating func remember(_ key: KeyName, digest: UInt64, at time: LastingTime) {
        answered[key] = digest
        answeredAt.append((key, time))
        guard answeredAt.count > keysMax, let oldest = answeredAt.popFirst() else { return }
        answered[oldest.key] = nil
        guard unchanged.remove(oldest.key) == nil else { return }
        if !forgotten.insert(oldest.key, at: oldest.at) { unknownUntil = max(unknownUntil, oldest.at) }
    }

    private mutating func rememberUnchanged(_ key: KeyName, digest: UInt64, at time: LastingTime) {
        guard unchanged.insert(key).inserted else { return }
        remember(key, digest: digest, at: time)
    }

    private mutating func forget(before limit: LastingTime) {
        forgotten.forget(before: limit)
        while let oldest = answeredAt.first, oldest.at < limit {
            answeredAt.removeFirst()
            answered[oldest.key] = nil
            unchanged.remove(oldest.key)
        }
    }
}
