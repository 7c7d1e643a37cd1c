internal import CairnConfiguration
package import CairnCore
package import CairnGeo
internal import CairnTime
internal import CairnWebSocket
package import CairnWire

/// What operators have a shard do.
extension Shard {
    /// Closes the connections of a session or an account, and ends sessions of it that wait to be taken up again.
    package func kick(_ name: String) -> Kicked {
        var kicked = Kicked()
        let identifiers = context.identifiers
        for case let session? in sessions where !session.isDismissed {
            guard let user = session.user, user.isNamed(name, identifiers) else { continue }
            kicked.note(user)
            kicked.count += 1
            close(session, .kicked)
        }
        for cut in detached.values where cut.user.isNamed(name, identifiers) { kicked.note(cut.user) }
        kicked.count += endDetached { $0.isNamed(name, identifiers) }
        return kicked
    }

    /// The account of the session with this id, connected or waiting for its client; nil = it is not here.
    package func account(ofSession name: String) -> AccountID? { accounts(ofSessions: [name])[name] }

    /// The same for several ids, in one look; those that are not here are left out.
    package func accounts(ofSessions names: Set<String>) -> [String: AccountID] {
        var found: [String: AccountID] = [:]
        for case let session? in sessions {
            guard let user = session.user else { continue }
            let name = user.session.description
            if names.contains(name) { found[name] = user.account }
        }
        for cut in detached.values {
            let name = cut.user.session.description
            if names.contains(name) { found[name] = cut.user.account }
        }
        return found
    }

    /// The sessions in a cell, without anything that says whose they are (STA-3).
    package func sessions(in cell: CellID) -> [SessionRow] {
        var rows: [SessionRow] = []
        for case let session? in sessions where session.tracker.cell == cell {
            guard let user = session.user else { continue }
            let connection = session.participant.connection
            rows.append(
                SessionRow(
                    session: user.session.description, frontEnd: session.frontEnd?.name ?? "",
                    seconds: Double(now.microseconds(since: session.openedAt)) / 1e6,
                    queuedBytes: loop.waitingBytes(connection) ?? 0, requests: session.inFlight,
                    isBehind: loop.isBehind(connection) ?? false))
        }
        return rows
    }

    /// Has a cell withdraw an instance, on whichever of these shards it lives.
    /// - Returns: whether it is gone, on disk.
    package nonisolated static func withdraw(
        _ id: InstanceID, from cell: CellID, in context: ServerContext, on shards: [Shard]
    ) async -> Bool {
        await order(InstanceWithdrawal(id: id), of: .cell(cell), in: context, on: shards)
    }

    /// Has a home do what a message says, on whichever of these shards it lives.
    /// - Returns: whether that has changed something, on disk.
    package nonisolated static func order(
        _ message: any HomeMessage, of home: HomeAddress, in context: ServerContext, on shards: [Shard]
    ) async -> Bool {
        guard let place = context.directory.place(of: home) else { return false }
        return await shards[place.loop].order(message, of: home)
    }

    private func order(_ message: any HomeMessage, of address: HomeAddress) async -> Bool {
        await withCheckedContinuation { continuation in
            home(address).receive(HomeTask.order(message) { continuation.resume(returning: $0) })
        }
    }

    /// The cells in view of some connection that hold an instance of a person.
    func watchedCells(holding account: AccountID) -> [CellID] {
        homes.watchedCells(holding: account)
    }

    /// The last refusals of people who were in a cell.
    package func refusals(in cell: CellID) -> [RefusalRow] {
        let time = now
        return recentRefusals.of(cell).map { refused in
            RefusalRow(
                secondsAgo: Double(time.microseconds(since: refused.at)) / 1e6, code: refused.code,
                component: refused.component)
        }
    }
}

/// Who was kicked, and by what they had signed in.
package struct Kicked: Sendable {
    package var count = 0
    package var tokens: Set<String> = []
    /// Whose they are.
    package var accounts: Set<AccountID> = []

    fileprivate mutating func note(_ user: Session.User) {
        tokens.insert(user.token)
        accounts.insert(user.account)
    }
}

/// One refusal, for an operator who wonders what goes wrong in a cell. Says nothing of whose request it was (STA-3).
package struct RefusalRow: Sendable {
    package let secondsAgo: Double
    let code: String
    let component: String
}

/// One session, for an operator who wants to know whom to kick. Its id is good for nothing else.
package struct SessionRow: Sendable {
    let session: String
    let frontEnd: String
    let seconds: Double
    let queuedBytes: Int
    let requests: Int
    let isBehind: Bool
}

extension Session.User {
    /// By the id of the session or of the account, or by the name that the account has for clients.
    fileprivate func isNamed(_ name: String, _ identifiers: IdentifierIssuer) -> Bool {
        session.description == name || account.description == name || identifiers.name(of: account) == name
    }
}
