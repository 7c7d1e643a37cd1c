internal import CairnCore
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire
internal import Logging
internal import Synchronization

/// Rights to scopes. The account is the one that grants and revokes; a shard holds what its connections were granted.
///
/// Both travel from the account's shard to a connection's in the order in which the account decided them, and no other
/// way: a session that is taken over brings no rights along.
extension Shard {
    // MARK: A home changes rights

    /// Has accounts grant and end rights; the answers leave when that is done on every loop.
    func change(_ changes: [RightChange], then answers: [(request: Request, answer: Answer)]) {
        let shard = self
        let countdown = Countdown(from: changes.count) {
            shard.assumeIsolated { for (request, answer) in answers { $0.answer(request, answer) } }
        }
        for right in changes {
            if right.isGrant { context.rightHolders.note(right.account) }
            changeOfRightsNumber += 1
            changesOfRights[changeOfRightsNumber] = { countdown.step() }
            let work = AccountWork.change(right, number: changeOfRightsNumber, at: place)
            dispatch(.account(right.account, work), to: .account(right.account))
        }
    }

    // MARK: An account changes rights

    /// Grants or ends a right on every loop. `done` is called on this shard when each loop has answered. When a right
    /// ends, none of the account's connections is then in a fan-out table of the scope, and no outbox has items of it.
    func changeEverywhere(_ right: RightChange, done: @escaping @Sendable () -> Void) {
        let places = context.directory.places
        let number = revocations.begin(answerers: Set(places), now: now, done: done)
        let work = ShardWork.sessions(.change(right, barrier: number, at: place))
        for place in places { dispatch(work, to: place) }
    }

    // MARK: Rights of connections here

    /// An account gives a new connection of its own all its rights.
    func grant(_ scopes: Set<Scope>, of account: AccountID, to participant: Participant) {
        guard let session = session(of: participant), session.user?.account == account else { return }
        for scope in scopes { grant(scope, session) }
    }

    /// Changes a right of the account's connections here. `done` is called when that is so: at once, but for absences,
    /// which homes have to know first.
    func change(_ right: RightChange, done: @escaping @Sendable (isolated Shard) -> Void) {
        guard right.scope.absentee == nil else { return changeAbsence(right, done: done) }
        if right.isGrant { grant(right.scope, of: right.account) } else { end(right.scope, of: right.account) }
        done(self)
    }

    private func grant(_ scope: Scope, of account: AccountID) {
        // A person is in the world or in a space, never in both, also while their link is cut.
        if scope.space != nil { letOthersMissCut(account) }
        for case let session? in sessions where session.user?.account == account { grant(scope, session) }
    }

    private func grant(_ scope: Scope, _ session: Session) {
        guard session.add(scope) else { return }
        if scope.space != nil { enterSpace(session) }
        if scope.isOverlay {
            for cell in session.tracker.view { follow(Topic(.cell(cell), scope), session) }
        }
        // Nothing comes before the welcome.
        if case .user = session.stage { followHome(of: scope, session) }
        if let space = scope.space { stand(session, in: space) }
    }

    /// Follows the home whose members have this scope, if it is such a scope.
    func followHome(of scope: Scope, _ session: Session) {
        if let home = scope.home { follow(Topic(home, scope), session) }
    }

    private func end(_ scope: Scope, of account: AccountID) {
        for case let session? in sessions where session.user?.account == account {
            guard session.remove(scope) else { continue }
            cutOff(session.follows.keys.filter { $0.scope == scope }, session)
            if scope.space != nil { leaveSpace(session) }
            if session.selection == scope { resetSelection(of: session) }
        }
        // A cut session has no rights left: they ended with its connection. Its place in a space is kept.
        if scope.space != nil { letOthersMissCut(account) }
    }

    /// Logs and counts loops that have not answered; the change waits until they do. Called about once a second.
    func lookAtRevocations(now: MonotonicTime) {
        for late in revocations.takeLate(now: now) {
            figures.revocationsLate += 1
            context.logger.error(
                "loops have not answered that they have changed a right",
                metadata: ["loops": "\(late.map(\.loop).sorted())"])
        }
    }
}

/// Calls its end when as many steps are done. Confined to a loop's thread.
final class Countdown: Sendable {
    private let left: Mutex<Int>
    private let end: @Sendable () -> Void

    init(from count: Int, end: @escaping @Sendable () -> Void) {
        left = Mutex(count)
        self.end = end
    }

    func step() {
        let isLast = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isLast { end() }
    }
}

/// Changes of rights under way: who has still to answer. A barrier holds until every loop has said that it is done.
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
