internal import CairnCore
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire
internal import Logging

/// Rights to scopes. The account is the one that grants and revokes; a shard holds what its connections were granted.
///
/// Both travel from the account's shard to a connection's in the order in which the account decided them, and no other
/// way: a session that is taken over brings no rights along.
extension Shard {
    /// An account lets a connection of its own see more.
    func grant(_ scopes: Set<Scope>, of account: AccountID, to participant: Participant) {
        guard let session = session(of: participant), session.user?.account == account else { return }
        for scope in scopes where session.scopes.insert(scope).inserted {
            for cell in session.tracker.view { follow(Topic(.cell(cell), scope), session) }
            // Nothing comes before the welcome.
            if case .user = session.stage { followHome(of: scope, session) }
        }
    }

    /// Follows the home whose members have this scope, if it is such a scope.
    func followHome(of scope: Scope, _ session: Session) {
        if let home = scope.home { follow(Topic(home, scope), session) }
    }

    /// Revokes a scope of an account on every loop. `done` is called on this shard when each loop has answered that
    /// none of the account's connections is in a fan-out table of the scope and no outbox has items of it.
    func revokeEverywhere(_ scope: Scope, of account: AccountID, done: @escaping @Sendable () -> Void) {
        let places = context.directory.places
        let number = revocations.begin(answerers: Set(places), now: now, done: done)
        let work = ShardWork.sessions(.endRight(scope, of: account, barrier: number, at: place))
        for place in places { dispatch(work, to: place) }
    }

    func endRight(to scope: Scope, of account: AccountID) {
        for case let session? in sessions where session.user?.account == account {
            guard session.scopes.remove(scope) != nil else { continue }
            for topic in Array(session.follows.keys) where topic.scope == scope { cutOff(topic, session) }
        }
        // A cut session has no rights left: they ended with its connection.
    }

    /// Logs and counts loops that have not answered; a revocation waits until they do. Called about once a second.
    func lookAtRevocations(now: MonotonicTime) {
        for late in revocations.takeLate(now: now) {
            figures.revocationsLate += 1
            context.logger.error(
                "a right is revoked and loops have not answered that nothing goes out by it",
                metadata: ["loops": "\(late.map(\.loop).sorted())"])
        }
    }
}

/// Revocations under way: who has still to answer. A barrier holds until every loop has said that it is done.
struct Revocations {
    /// How long loops may take without a word in the log.
    static let patience: Duration = .seconds(5)

    private struct Barrier {
        var missing: Set<Place>
        let since: MonotonicTime
        var isLate = false
        let done: @Sendable () -> Void
    }

    private var barriers: [UInt64: Barrier] = [:]
    private var last: UInt64 = 0

    var count: Int { barriers.count }

    /// - Parameter answerers: the loops that have to answer, at least one.
    mutating func begin(answerers: Set<Place>, now: MonotonicTime, done: @escaping @Sendable () -> Void) -> UInt64 {
        last += 1
        barriers[last] = Barrier(missing: answerers, since: now, done: done)
        return last
    }

    /// A loop is done.
    /// - Returns: what to do now, when it was the last.
    mutating func answered(_ number: UInt64, by place: Place) -> (@Sendable () -> Void)? {
        guard let index = barriers.index(forKey: number) else { return nil }
        barriers.values[index].missing.remove(place)
        guard barriers.values[index].missing.isEmpty else { return nil }
        return barriers.remove(at: index).value.done
    }

    /// Those that have waited for too long, once each: the loops that are missing.
    mutating func takeLate(now: MonotonicTime) -> [Set<Place>] {
        var late: [Set<Place>] = []
        for (number, barrier) in barriers where !barrier.isLate && now - barrier.since > Self.patience {
            barriers[number]?.isLate = true
            late.append(barrier.missing)
        }
        return late
    }
}
