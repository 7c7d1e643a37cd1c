internal import CairnCore
internal import CairnTime
package import CairnWire

/// What an account may do now, and what its connections learn of it (ROL-1, ROL-4, ROL-5).
extension Shard {
    /// Refuses a request of an account that has none of these roles.
    func require(_ roles: [Role], _ session: Session, component: String) throws(Refusal) {
        guard let role = session.user?.role, !roles.contains(role) else { return }
        throw Role.refusal(needing: roles, component: component)
    }

    /// The role of an account whose sign-in was looked up. It may have been changed meanwhile.
    func role(of known: SignIn.SignedIn, since start: MonotonicTime) -> Role {
        guard let changed = changedRoles[known.account], changed.at >= start else { return known.role }
        return changed.role
    }

    /// Has every connection and every cut session of the account go by the change. On disk before.
    /// - Returns: how many.
    nonisolated static func apply(_ change: AccountChange, on shards: [Shard]) async -> Int {
        var count = 0
        for shard in shards { count += await shard.apply(change) }
        return count
    }

    /// Passes on to every connection of the accounts that they have notifications, which are on disk.
    package nonisolated static func notify(_ accounts: [AccountID], on shards: [Shard]) async {
        for account in accounts {
            await shards.first?.noteNotified()
            for shard in shards { await shard.deliverNotifications(of: account) }
        }
    }

    private func apply(_ change: AccountChange) -> Int {
        switch change {
        case .none: 0
        case .organisation(let accounts): tellStanding(of: Set(accounts))
        case .suspended(let account): endSessions(of: account)
        case .role(let role, let account): setRole(role, of: account)
        case .signedOut(let account): endSignIns(of: account)
        }
    }

    private func setRole(_ role: Role, of account: AccountID) -> Int {
        changedRoles[account] = (role, now)
        var count = 0
        for case let session? in sessions where !session.isDismissed {
            guard var user = session.user, user.account == account else { continue }
            count += 1
            let isOther = user.role != role
            user.role = role
            if isOther { session.becomes(user) }
            // Also of the same role for another organisation.
            tellRole(of: session)
            if isOther, !role.isInWorld { leaveWorld(session, user) }
            tellStanding(session)
        }
        flushOutgoing()
        guard role.isInWorld else { return count + endDetached { $0.account == account } }
        for (id, cut) in detached where cut.user.account == account {
            detached[id]?.user.role = role
            count += 1
        }
        return count
    }

    /// Tells connections of accounts which organisation they belong to now.
    /// - Returns: how many.
    private func tellStanding(of accounts: Set<AccountID>) -> Int {
        var count = 0
        for case let session? in sessions where !session.isDismissed {
            guard let user = session.user, accounts.contains(user.account) else { continue }
            count += 1
            tellStanding(session)
        }
        flushOutgoing()
        return count
    }

    /// A connection that is not welcomed yet learns it from `welcome`.
    private func tellStanding(_ session: Session) {
        guard case .user(let user) = session.stage else { return }
        closeForeignDrafts(of: session)
        var item = WireItem()
        item.standing.role = user.role.rawValue
        if let organisation = organisation(of: user) { item.standing.organisation = organisation }
        send(item, to: session)
    }

    /// What a person is told of their organisation; nil = they belong to none.
    func organisation(of user: Session.User) -> WireOrganisation? {
        context.organisations.organisation(of: user.account).map { WireOrganisation($0, context.identifiers) }
    }

    /// Takes the person out of all cells and spaces: no other person sees or counts them, and they see no other person.
    private func leaveWorld(_ session: Session, _ user: Session.User) {
        if let waiting = session.waitingPosition, waiting.requestID != 0 {
            refuse(session, id: waiting.requestID, Role.refusal(needing: Role.inWorld, component: "position"))
        }
        leaveEverything(session)
        if case .user = session.stage { followOwn(session, user) }
    }

    /// Makes guests of all connections of an account, also of those by an app's token.
    private func endSignIns(of account: AccountID) -> Int {
        revokedAccounts[account] = now
        var count = 0
        for case let session? in sessions where session.user?.account == account && !session.isDismissed {
            makeGuest(session, because: .tokenInvalid)
            count += 1
        }
        return count + endDetached { $0.account == account }
    }
}
