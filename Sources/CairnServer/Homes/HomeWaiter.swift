internal import CairnCore
internal import CairnWire

/// Work that waits for a home to wake.
struct HomeWaiter<Home: Actor>: Sendable {
    /// Whose answer waits; nil = nobody is owed one.
    let request: Request?
    let work: @Sendable (isolated Home) -> Void
    /// What another home asks that can be declined; nil = nothing.
    var plea: (any HomeMessage)?
    /// Since when that waits, in monotonic microseconds.
    var since: UInt64 = 0

    /// A request waits no longer than this for what is stored, microseconds: every request has its answer (SES-3), and
    /// no home is held up by another that does not wake.
    static var patience: UInt64 { 3_000_000 }

    /// What those are told whose home cannot be read.
    static var unreadable: Refusal {
        Refusal(
            .storageUnavailable, "what is stored cannot be read now", component: "home", retryAfter: .seconds(5))
    }

    /// Whether a request has waited for long enough, at `now`, monotonic microseconds.
    static func isLate(_ request: Request, now: UInt64) -> Bool {
        now - min(now, request.receivedAt) > patience
    }

    /// Takes out the requests that have waited for long enough.
    static func takeLate(from waiting: inout [Self]?, now: UInt64) -> [Request] {
        let late = waiting?.compactMap(\.request).filter { isLate($0, now: now) } ?? []
        guard !late.isEmpty else { return [] }
        waiting?.removeAll { $0.request.map { isLate($0, now: now) } ?? false }
        return late
    }

    /// Takes out what other homes have asked for long enough; it will not be heard.
    static func takeLatePleas(from waiting: inout [Self]?, now: UInt64) -> [any HomeMessage] {
        let isLate = { (waiter: Self) in waiter.plea != nil && now - min(now, waiter.since) > patience }
        let late = waiting?.filter(isLate).compactMap(\.plea) ?? []
        if !late.isEmpty { waiting?.removeAll(where: isLate) }
        return late
    }
}

/// Homes whose stored state is being read.
struct WakingHomes {
    var cells: [Cell] = []
    var accounts: [Account] = []
}

extension Shard {
    /// Refuses what has waited for too long in homes that cannot be read. Looks at those only.
    func refuseLate(now: UInt64) {
        waking.cells.removeAll { cell in !cell.assumeIsolated { $0.refuseLate(now: now) } }
        waking.accounts.removeAll { account in !account.assumeIsolated { $0.refuseLate(now: now) } }
    }
}
