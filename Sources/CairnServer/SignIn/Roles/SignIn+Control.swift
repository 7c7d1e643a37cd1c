internal import CairnConfiguration
package import CairnCore
internal import CairnStore
package import CairnWire
internal import Logging

/// The actions of admins and operators on accounts (ROL-5).
package struct AccountOrder: Sendable {
    let account: AccountID
    let author: AccountAuthor
    let reason: String

    /// Longest reason, in characters.
    static let reasonCharactersMax = 500

    package init(_ account: AccountID, by author: AccountAuthor, because reason: String) throws(Refusal) {
        try Self.check(reason: reason)
        self.account = account
        self.author = author
        self.reason = reason
    }

    package static func check(reason: String) throws(Refusal) {
        guard reason.count <= reasonCharactersMax, reason.utf8.count <= 4 * reasonCharactersMax else {
            throw Refusal(
                .invalidField, "reason: at most \(reasonCharactersMax) characters", component: SignIn.component,
                details: ["field": "reason"])
        }
    }
}

/// A change of an account that its connections have to learn of before it is acknowledged.
enum AccountChange: Sendable {
    case role(Role, of: AccountID)
    /// Their organisation has changed, and not their role.
    case organisation(of: [AccountID])
    case suspended(AccountID)
    case signedOut(AccountID)
    /// Connections go by it as they are.
    case none
}

/// Changing roles, suspending, reinstating, signing out (ROL-5). Each is on disk with its audit entry, and has reached
/// every connection of the account, when it returns the number of those.
extension SignIn {
    /// The statements of a change and its consequences. Without statements there is nothing to change.
    struct Decision: Sendable {
        /// Whom it is about; nil = an organisation as a whole.
        let account: AccountID?
        var statements: [Statement] = []
        /// Nil = it is not for the audit log.
        let action: AuditRecord.Action?
        var from = Role.general
        var to = Role.general
        var organisation: OrganisationID?
        var change = AccountChange.none
        /// Who has a notification of it.
        var notified: [AccountID] = []
        /// What memory notes after the commit.
        var noted: @Sendable () -> Void = {}
    }

    /// Gives an account another role, beside that of an organisation's user: that role comes with an organisation
    /// (`setOrganisation`). One that has the role already keeps it, without an audit entry.
    /// - Throws: a `Refusal`, or an error of the store, after which nothing has changed.
    package func setRole(_ role: Role, by order: AccountOrder, on shards: [Shard]) async throws -> Int {
        try await carryOut(order, on: shards) { try await decision(on: role, of: order.account, action: .role) }
    }

    /// Makes an account the first admin; refused when there is one who can sign in.
    package func setFirstAdmin(by order: AccountOrder, on shards: [Shard]) async throws -> Int {
        try await carryOut(order, on: shards) {
            guard try await admin(except: nil) == nil else {
                throw Self.forbidden("there is an admin already, who gives others the role", reason: "has_admin")
            }
            guard suspensions[order.account] == nil else {
                throw Self.forbidden("the account is suspended", reason: "suspended")
            }
            return try await decision(on: .admin, of: order.account, action: .firstAdmin)
        }
    }

    /// Suspends an account, or replaces the reason and the end.
    /// - Parameter end: when the suspension ends; nil = with the account's reinstatement.
    package func suspend(
        by order: AccountOrder, until end: WallTime? = nil, on shards: [Shard]
    ) async throws -> Int {
        let words = AuditRecord.reason(of: order.reason, until: end)
        return try await carryOut(by: order.author, because: words, on: shards) {
            let account = try await readableRecord(of: order.account)
            let role = account?.role ?? .general
            let suspension = Suspensions.Suspension(
                reason: order.reason, at: clock.now, until: end.map { clock.lasting + ($0 - clock.now) })
            let statements = role == .admin ? try await otherAdminCheck(except: order.account) : []
            return Decision(
                account: order.account,
                statements: statements + [Suspensions.insertion(suspension, of: order.account)]
                    + Self.noting(suspension.at, in: account),
                action: .suspend,
                from: role, to: role, change: .suspended(order.account),
                // In memory before the first connection is closed, so no sign-in comes in between.
                noted: { suspensions.note(suspension, of: order.account) })
        }.connections
    }

    /// Lets a suspended account in again.
    package func reinstate(by order: AccountOrder, on shards: [Shard]) async throws {
        try await reinstate(by: order, on: shards) { suspensions[$0] != nil }
    }

    /// Removes the suspensions that are over. Those accounts get in already; from now on their rows say so as well.
    package func endSuspensions(on shards: [Shard]) async {
        for account in suspensions.over {
            do {
                let order = try AccountOrder(account, by: .server, because: "the time of the suspension is over")
                try await reinstate(by: order, on: shards) { suspensions.over.contains($0) }
            } catch {
                logger.warning("accounts: a suspension that is over is not removed yet: \(error)")
            }
        }
    }

    private func reinstate(
        by order: AccountOrder, on shards: [Shard], if isSuspended: @escaping @Sendable (AccountID) -> Bool
    ) async throws {
        _ = try await carryOut(order, on: shards) {
            guard isSuspended(order.account) else {
                throw Refusal(.notFound, "no account of that id is suspended", component: Self.component)
            }
            let account = try await readableRecord(of: order.account)
            let role = account?.role ?? .general
            return Decision(
                account: order.account,
                statements: [Suspensions.removal(of: order.account)] + Self.noting(nil, in: account),
                action: .reinstate, from: role, to: role, noted: { suspensions.note(nil, of: order.account) })
        }
    }

    /// Ends every sign-in of an account, those by an app's token included.
    package func signOut(by order: AccountOrder, on shards: [Shard]) async throws -> Int {
        try await carryOut(order, on: shards) {
            var account = try await record(of: order.account)
            account.endTokens(issuedUntil: clock.lasting)
            var statements = [account.update, TokenRecord.removals(of: account.id)]
            var ways = try await waysIn(to: account.id)
            let before = ways.credentials
            let added = try await endAdded(to: &ways, of: account.id, isPasswordNew: false)
            statements += added.statements
            if let credentials = ways.credentials, credentials != before { statements.append(credentials.update) }
            let language = try await self.language(of: account.id, or: "")
            statements += telling(of: added, to: before?.provedAddress ?? [], in: language)
            if let row = try await store.read([AppIdentityRecord.query(of: account.id)])[0].first {
                statements.append(try AppIdentityRecord(row).update(revokedBefore: clock.now))
            }
            return Decision(
                account: account.id, statements: statements, action: .signOut, from: account.role, to: account.role,
                change: .signedOut(account.id), noted: { services.postman.poke() })
        }
    }

    // MARK: Deciding

    private func carryOut(
        _ order: AccountOrder, on shards: [Shard], _ decide: @escaping @Sendable () async throws -> Decision
    ) async throws -> Int {
        try await carryOut(by: order.author, because: order.reason, on: shards, decide).connections
    }

    /// Carries out a change in its turn: commits it with its audit entry, has every connection go by it, and then
    /// passes notifications on.
    /// - Parameter decide: may run several times, when others change the same meanwhile.
    func carryOut(
        by author: AccountAuthor, because reason: String, on shards: [Shard],
        _ decide: @escaping @Sendable () async throws -> Decision
    ) async throws -> (decision: Decision, connections: Int) {
        // What a row still says of a suspension that is over would refuse the admin's order, or overlook an admin.
        if author != .server, !suspensions.over.isEmpty { await endSuspensions(on: shards) }
        return try await services.accountTurns.take {
            for _ in 0..<Self.attemptsMax {
                try await requireAdmin(author)
                let decision = try await decide()
                if !decision.statements.isEmpty {
                    let entry = decision.action.map { action in
                        AuditRecord(
                            id: identifiers.next(AuditTag.self, at: clock.now), account: decision.account,
                            author: author, action: action, from: decision.from, to: decision.to,
                            organisation: decision.organisation, reason: reason, at: clock.now)
                    }
                    let audit = entry.map { [$0.insertion(at: clock.lasting)] } ?? []
                    guard try await isCommitted(check(author) + decision.statements + audit) else { continue }
                    decision.noted()
                    if case .role(let role, let id) = decision.change { names.set(role, of: id) }
                }
                let connections = await Shard.apply(decision.change, on: shards)
                await Shard.notify(decision.notified, on: shards)
                return (decision, connections)
            }
            throw Self.overtaken
        }
    }

    private func decision(
        on role: Role, of id: AccountID, action: AuditRecord.Action
    ) async throws -> Decision {
        guard role == .general || role == .admin else {
            throw Refusal(
                .invalidField, "role: general or admin", component: Self.component, details: ["field": "role"])
        }
        var account = try await accountWithOwnRole(id)
        let before = account.role
        var decision = Decision(account: id, action: action, from: before, to: role, change: .role(role, of: id))
        guard before != role else { return decision }
        if role == .admin {
            guard try await !isOpen(id) else {
                throw Self.forbidden(
                    "an admin's account needs a password or a provider, and this one has neither",
                    reason: "open_account")
            }
            // An admin asks for nothing.
            decision.statements += try await withdrawal(of: id)
        }
        if before == .admin { decision.statements += try await otherAdminCheck(except: id) }
        account.role = role
        decision.statements.append(account.update)
        if let member = organisations.membership(of: id) { expel(member, in: &decision, isTold: true) }
        return decision
    }

    /// The record of an account whose role is the server's to change.
    func accountWithOwnRole(_ id: AccountID) async throws -> AccountRecord {
        let account = try await record(of: id)
        guard try await store.read([AppIdentityRecord.query(of: id)])[0].isEmpty else {
            throw Self.forbidden("the app's backend decides the role of this account", reason: "app_account")
        }
        return account
    }

    func record(of id: AccountID) async throws -> AccountRecord {
        guard let row = try await store.read([AccountRecord.query(id)])[0].first else {
            throw Self.noAccount
        }
        let account = try AccountRecord(row)
        guard !account.isClosed else { throw Self.noAccount }
        return account
    }

    private static let noAccount = Refusal(.notFound, "there is no such account", component: component)

    /// Nil of a damaged record: no person signs in to that account, and it can be suspended all the same.
    private func readableRecord(of id: AccountID) async throws -> AccountRecord? {
        do {
            return try await record(of: id)
        } catch let damage as DamagedRow {
            store.report([damage])
            return nil
        }
    }

    /// Notes a suspension, or its end, in the account's own row.
    private static func noting(_ suspended: WallTime?, in account: AccountRecord?) -> [Statement] {
        guard var account, account.suspended != suspended else { return [] }
        account.suspended = suspended
        return [account.update]
    }

    /// An admin who can sign in.
    private func admin(except id: AccountID?) async throws -> AccountID? {
        let query = AccountRecord.query(
            ofAdminsExcept: id ?? AccountID(rawValue: 0), rowsMax: Self.adminsReadMax)
        // A row whose role was changed without the key cannot be opened.
        return try await store.read([query])[0].lazy.compactMap { try? AccountRecord($0) }.first?.id
    }

    private static let adminsReadMax = 100

    /// Fails unless another admin remains who can sign in.
    func otherAdminCheck(except id: AccountID) async throws -> [Statement] {
        guard let other = try await admin(except: id) else {
            throw Self.forbidden("this is the last admin", reason: "last_admin")
        }
        return [AccountRecord.adminCheck(other)]
    }

    /// An admin's right is that of the moment of the commit.
    private func check(_ author: AccountAuthor) -> [Statement] {
        switch author {
        case .operator, .named, .member: []
        case .admin(let id): [AccountRecord.adminCheck(id)]
        }
    }

    func requireAdmin(_ author: AccountAuthor) async throws {
        guard case .admin(let id) = author else { return }
        guard suspensions[id] == nil, try await record(of: id).role == .admin else {
            throw Role.refusal(needing: [.admin], component: Self.component)
        }
    }

    static func forbidden(_ text: Refusal.Text, reason: String) -> Refusal {
        Refusal(.forbidden, text, component: component, details: ["reason": reason])
    }
}
