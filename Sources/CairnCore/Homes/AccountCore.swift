public import CairnWire
internal import DequeModule

/// An account's home without its thread: idempotency keys and the limits that follow the person.
///
/// Every change that the person asks for, from whichever device, comes through here on its way to the home that
/// decides, so a key is one request and a quota is exact however many devices ask at once (PLC-7, PLC-8, SYN-2).
public struct AccountCore: Sendable {
    public let account: AccountID
    private let keyLifetime: Int64
    private var keys: [String: KeyState] = [:]
    private var answeredKeys: Deque<(key: String, at: Int64)> = []
    private var allowances: [any Allowance]
    private var waiting: [Request] = []

    private enum KeyState: Sendable {
        /// Nobody has decided yet; the others who sent the same key wait with it.
        case underWay(digest: UInt64, others: [Request])
        case answered(digest: UInt64)
    }

    /// What the hosting actor has to do, in order.
    public enum Action: Sendable {
        /// Send the request on to the home that decides.
        case forward(Request)
        case answer(Request, Answer)
        /// The request was answered before: read the answer from the store.
        case recall(Request)
    }

    /// - Parameter keyLifetime: milliseconds that a key is remembered.
    public init(account: AccountID, allowances: [any Allowance], keyLifetime: Int64) {
        self.account = account
        self.allowances = allowances
        self.keyLifetime = keyLifetime
    }

    /// Requests that have been forwarded or wait, and have no answer yet.
    public var underWay: Int {
        keys.values.reduce(0) { count, state in
            if case .underWay = state { count + 1 } else { count }
        }
    }

    /// Brings back what is stored: rows of `KeptAnswer.keys(of:since:)`, and the allowances' own, one by one.
    public mutating func restore(keys rows: [Row], allowances answers: [[[Row]]]) {
        for row in rows {
            let known = KeptAnswer.known(from: row)
            keys[known.key] = .answered(digest: known.digest)
            answeredKeys.append((known.key, known.at))
        }
        for (index, rows) in answers.enumerated() { allowances[index].restore(rows) }
    }

    /// Goes by other figures from now on.
    public mutating func adopt(_ rules: Rules) {
        for index in allowances.indices { allowances[index].adopt(rules) }
    }

    /// Takes a change that one of the person's devices asks for.
    public mutating func receive(_ request: Request, now: Int64) -> [Action] {
        forget(before: now - keyLifetime)
        let digest = request.contentDigest
        switch keys[request.key] {
        case nil:
            return reserve(request, digest: digest, now: now)
        case .underWay(digest, var others):
            others.append(request)
            keys[request.key] = .underWay(digest: digest, others: others)
            return []
        case .answered(digest):
            return [.recall(request)]
        case .underWay, .answered:
            let refusal = Refusal(.keyReused, "the key was used for another request", component: "account")
            return [.answer(request, .refusal(refusal))]
        }
    }

    /// The home that decides has decided. The answer goes to everybody who sent this key.
    public mutating func settled(_ request: Request, _ answer: Answer, now: Int64) -> [Action] {
        guard case .underWay(let digest, let others)? = keys[request.key] else { return [.answer(request, answer)] }
        var granted = false
        if case .success = answer {
            granted = true
            keys[request.key] = .answered(digest: digest)
            answeredKeys.append((request.key, now))
        } else {
            keys[request.key] = nil
        }
        for index in allowances.indices where type(of: allowances[index]).kinds.contains(request.kind) {
            allowances[index].settle(granted: granted, now: now)
        }
        var actions = ([request] + others).map { Action.answer($0, answer) }
        let retries = waiting
        waiting = []
        for retry in retries { actions += reserve(retry, digest: retry.contentDigest, now: now) }
        return actions
    }

    private mutating func reserve(_ request: Request, digest: UInt64, now: Int64) -> [Action] {
        var taken: [Int] = []
        for index in allowances.indices where type(of: allowances[index]).kinds.contains(request.kind) {
            switch allowances[index].reserve(now: now) {
            case .granted:
                taken.append(index)
            case .wait:
                for index in taken { allowances[index].settle(granted: false, now: now) }
                keys[request.key] = keys[request.key] ?? .underWay(digest: digest, others: [])
                waiting.append(request)
                return []
            case .refused(let refusal):
                for index in taken { allowances[index].settle(granted: false, now: now) }
                var others: [Request] = []
                if case .underWay(_, let waiters)? = keys[request.key] { others = waiters }
                keys[request.key] = nil
                return ([request] + others).map { .answer($0, .refusal(refusal)) }
            }
        }
        keys[request.key] = keys[request.key] ?? .underWay(digest: digest, others: [])
        return [.forward(request)]
    }

    private mutating func forget(before limit: Int64) {
        while let oldest = answeredKeys.first, oldest.at < limit {
            answeredKeys.removeFirst()
            keys[oldest.key] = nil
        }
    }
}
