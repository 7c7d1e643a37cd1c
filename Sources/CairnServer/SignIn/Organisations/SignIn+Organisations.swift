internal import CairnConfiguration
internal import CairnCore
internal import CairnCredentials
internal import CairnStore
internal import CairnWebSocket
package import CairnWire

/// Decides about requests, organisations and members (ORG-1 to ORG-3, ROL-3).
///
/// A decision is a change of an account like any other (`carryOut`): on disk with its audit entry, and known to every
/// connection of the account, when it is acknowledged.
extension SignIn {
    // MARK: Asking

    /// Stores a request (ORG-1). On disk when it returns.
    func ask(for name: OrganisationName, because justification: String, _ user: Applicant.User) async throws {
        for attempt in 0..<Self.attemptsMax {
            let account = try await accountWithOwnRole(user.account)
            guard account.role == .general else {
                throw Role.refusal(needing: [.general], component: Self.component)
            }
            let open = try await openRequest(of: account.id)
            if case .sound = open { throw Refusal(.requestPending, component: Self.component) }
            if attempt == 0 { try admitOrganisationRequest(of: account.id) }
            let request = OrganisationRequestRecord(
                id: identifiers.next(OrganisationRequestTag.self, at: clock.now), account: account.id, name: name,
                justification: justification, at: clock.now)
            // Fails when the account gets another role, or is deleted, meanwhile.
            let removal = open == .damaged ? [OrganisationRequestRecord.removal(ofDamagedBy: account.id)] : []
            guard try await isCommitted([account.check] + removal + [request.insertion]) else { continue }
            organisations.count(.asked)
            return await organisations.recount(in: store)
        }
        throw Self.overtaken
    }

    /// Takes the open request back.
    func withdrawRequest(of account: AccountID) async throws {
        guard let open = try await openRequest(of: account), try await isCommitted([withdrawal(of: open, by: account)])
        else { throw Refusal(.requestNotFound, component: Self.component) }
        await organisations.recount(in: store)
    }

    /// An open request of an account as it is on disk.
    private enum OpenRequest: Hashable {
        case sound(OrganisationRequestRecord)
        /// Nobody can decide it: the person takes it back, or another one takes its place.
        case damaged
    }

    private func openRequest(of account: AccountID) async throws -> OpenRequest? {
        guard let row = try await store.read([OrganisationRequestRecord.query(openOf: account)])[0].first else {
            return nil
        }
        return readRequest(row).map { .sound($0) } ?? .damaged
    }

    private func withdrawal(of request: OpenRequest, by account: AccountID) -> Statement {
        switch request {
        case .sound(let record): record.decision(.withdrawn, at: clock.lasting)
        case .damaged: OrganisationRequestRecord.removal(ofDamagedBy: account)
        }
    }

    /// The request of a row; nil = it is damaged, which is reported.
    func readRequest(_ row: Row) -> OrganisationRequestRecord? {
        do throws(DamagedRow) {
            return try OrganisationRequestRecord(row)
        } catch {
            store.report([error])
            return nil
        }
    }

    /// The account's open request becomes void, and none may be made meanwhile.
    func withdrawal(of account: AccountID) async throws -> [Statement] {
        guard let open = try await openRequest(of: account) else {
            return [OrganisationRequestRecord.noneOpenCheck(of: account)]
        }
        return [withdrawal(of: open, by: account)]
    }

    /// Counts for the account: requests, and wishes to remove somebody.
    private func admitOrganisationRequest(of account: AccountID) throws(Refusal) {
        if let wait = services.organisationRequests.admit(LimitKey(account.rawValue), now: .now) {
            throw Refusal(.rateLimited, component: Self.component, retryAfter: wait)
        }
    }

    // MARK: Admins' decisions

    /// Accepts a request (ORG-2).
    /// - Parameter organisation: which one is meant; nil = the one of this name, or a new one.
    /// - Returns: the organisation, and how many connections of the account go by the change.
    package func accept(
        _ request: OrganisationRequestID, into organisation: OrganisationID?, by author: AccountAuthor,
        because reason: String, on shards: [Shard]
    ) async throws -> (decision: OrganisationDecision, connections: Int) {
        let (decision, connections) = try await carryOut(by: author, because: reason, on: shards) {
            let record = try await openRequest(request)
            var decision = try await joining(
                record.account, record.name, organisation, action: .organisationAccept, from: [.general])
            decision.statements.append(record.decision(.accepted, at: clock.lasting))
            return decision
        }
        organisations.count(.accepted)
        await organisations.recount(in: store)
        return (OrganisationDecision(account: decision.account, organisation: decision.organisation), connections)
    }

    /// Denies a request (ORG-3).
    package func deny(
        _ request: OrganisationRequestID, by author: AccountAuthor, because reason: String, on shards: [Shard]
    ) async throws -> OrganisationDecision {
        let (decision, _) = try await carryOut(by: author, because: reason, on: shards) {
            let record = try await openRequest(request)
            let told = Notification.Draft(to: record.account, kind: .organisationDenied, label: reason)
            return Decision(
                account: record.account,
                statements: [record.decision(.denied, because: reason, at: clock.lasting), notification(told)],
                action: .organisationDeny, notified: [record.account])
        }
        organisations.count(.denied)
        await organisations.recount(in: store)
        return OrganisationDecision(account: decision.account, organisation: nil)
    }

    /// Makes an account an organisation's user without a request, or one of another organisation.
    package func setOrganisation(
        _ name: OrganisationName, by order: AccountOrder, on shards: [Shard]
    ) async throws -> (decision: OrganisationDecision, connections: Int) {
        let (decision, connections) = try await carryOut(by: order.author, because: order.reason, on: shards) {
            let id = order.account
            if let own = organisations.organisation(of: id), own.name.compared == name.compared {
                return Decision(account: id, action: .role, organisation: own.id, change: .role(.organisation, of: id))
            }
            var decision = try await joining(id, name, nil, action: .role, from: [.general, .organisation, .admin])
            decision.statements = try await withdrawal(of: id) + decision.statements
            return decision
        }
        await organisations.recount(in: store)
        return (OrganisationDecision(account: decision.account, organisation: decision.organisation), connections)
    }

    /// Ends the membership of an account (ROL-3).
    package func expel(by order: AccountOrder, on shards: [Shard]) async throws -> Int {
        guard organisations.membership(of: order.account) != nil else { throw Self.noMember }
        return try await setRole(.general, by: order, on: shards)
    }

    /// Suspends an organisation, or replaces the reason. Its members are told; nobody is accepted into it.
    package func suspend(
        _ id: OrganisationID, by author: AccountAuthor, because reason: String, on shards: [Shard]
    ) async throws -> Int {
        try await setSuspension(
            Suspensions.Suspension(reason: reason, at: clock.now), of: id, .organisationSuspended,
            action: .organisationSuspend, by: author, because: reason, on: shards)
    }

    /// Ends the suspension of an organisation.
    package func reinstate(
        _ id: OrganisationID, by author: AccountAuthor, because reason: String, on shards: [Shard]
    ) async throws -> Int {
        try await setSuspension(
            nil, of: id, .organisationReinstated, action: .organisationReinstate, by: author, because: reason,
            on: shards)
    }

    private func setSuspension(
        _ suspension: Suspensions.Suspension?, of id: OrganisationID, _ kind: NotificationKind,
        action: AuditRecord.Action, by author: AccountAuthor, because reason: String, on shards: [Shard]
    ) async throws -> Int {
        let tours = suspension == nil ? [] : names.tours.index.page(of: id, after: nil, countMax: .max).map(\.id)
        let connections = try await carryOut(by: author, because: reason, on: shards) {
            guard var organisation = organisations[id], suspension != nil || organisation.suspension != nil else {
                throw Refusal(.notFound, "there is no such organisation", component: Self.component)
            }
            organisation.suspension = suspension
            let (changed, members) = (organisation, organisations.members(of: id).map(\.account))
            let told = members.map { account in
                notification(Notification.Draft(to: account, kind: kind, label: changed.name.text))
            }
            return Decision(
                account: nil, statements: [changed.update] + told, action: action, organisation: id,
                change: .organisation(of: members), notified: members, noted: { organisations.note(changed) })
        }.connections
        // Where a crash comes in between, each run ends at its walker's next position.
        await Shard.withdraw(tours, on: shards)
        return connections
    }

    /// - Throws: `not_found`, or `already_resolved`.
    private func openRequest(_ id: OrganisationRequestID) async throws -> OrganisationRequestRecord {
        let record = try await organisationRequest(id)
        guard record.state == .open else { throw Refusal(.alreadyResolved, component: Self.component) }
        return record
    }

    /// A request, open or decided.
    func organisationRequest(_ id: OrganisationRequestID) async throws -> OrganisationRequestRecord {
        guard let row = try await store.read([OrganisationRequestRecord.query(id)])[0].first,
            let request = readRequest(row)
        else { throw Refusal(.notFound, "there is no such request", component: Self.component) }
        return request
    }

    // MARK: Members

    /// Makes an account a member of an organisation, which is made where there is none of this name.
    /// - Parameter known: the organisation that is meant; nil = the one of the name.
    private func joining(
        _ id: AccountID, _ name: OrganisationName, _ known: OrganisationID?, action: AuditRecord.Action,
        from roles: [Role]
    ) async throws -> Decision {
        var account = try await accountWithOwnRole(id)
        let before = account.role
        guard roles.contains(before) else { throw Role.refusal(needing: roles, component: Self.component) }
        let (organisation, isNew) = try organisation(named: name, or: known)
        guard organisation.suspension == nil else {
            throw Self.forbidden("the organisation is suspended", reason: "organisation_suspended")
        }
        guard organisations.memberCount(of: organisation.id) < accounts.organisationMembersMax else {
            throw Refusal(
                .limitReached, "the limit is \(accounts.organisationMembersMax) members", component: Self.component,
                details: ["limit": "\(accounts.organisationMembersMax)"])
        }
        var decision = Decision(
            account: id, action: action, from: before, to: .organisation, change: .role(.organisation, of: id))
        if before == .admin { decision.statements += try await otherAdminCheck(except: id) }
        if let member = organisations.membership(of: id) { expel(member, in: &decision, isTold: false) }
        account.role = .organisation
        let member = OrganisationMember(account: id, organisation: organisation.id, since: clock.now)
        let told = Notification.Draft(to: id, kind: .organisationAccepted, label: organisation.name.text)
        if isNew { decision.statements.append(organisation.insertion) }
        decision.statements += [account.update, member.insertion, notification(told)]
        decision.organisation = organisation.id
        decision.notified = [id]
        decision.noted = {
            organisations.note(organisation)
            organisations.note(member)
        }
        return decision
    }

    private func organisation(
        named name: OrganisationName, or known: OrganisationID?
    ) throws(Refusal) -> (Organisation, isNew: Bool) {
        if let known {
            guard let organisation = organisations[known] else {
                throw Refusal(.notFound, "there is no such organisation", component: Self.component)
            }
            return (organisation, false)
        }
        switch organisations.holder(of: name) {
        case .same(let organisation): return (organisation, false)
        case .alike(let other):
            throw Refusal(
                .forbidden, "the name looks like that of \"\(other.name.text)\"", component: Self.component,
                details: ["reason": "looks_alike", "organisation": identifiers.name(of: other.id)])
        case .none:
            let id = identifiers.next(OrganisationTag.self, at: clock.now)
            return (Organisation(id: id, name: name, created: clock.now), true)
        }
    }

    /// Ends a membership, beside the role.
    func expel(_ member: OrganisationMember, in decision: inout Decision, isTold: Bool) {
        decision.statements.append(member.removal)
        decision.organisation = member.organisation
        decision.noted = { organisations.forget(member.account) }
        guard isTold else { return }
        let name = organisations[member.organisation]?.name.text ?? ""
        decision.statements.append(
            notification(Notification.Draft(to: member.account, kind: .organisationRemoved, label: name)))
        decision.notified.append(member.account)
    }

    /// Leaves the organisation.
    func leaveOrganisation(_ id: AccountID, on shards: [Shard]) async throws {
        _ = try await carryOut(by: .member(id), because: "", on: shards) {
            guard let member = organisations.membership(of: id) else { throw Self.noMember }
            return try await departure(of: member, action: .organisationLeave, isTold: false)
        }
    }

    /// Says that a member should be removed; the second who says so removes them.
    /// - Returns: whether the member is removed.
    func removeMember(_ id: AccountID, by user: AccountID, on shards: [Shard]) async throws -> Bool {
        try admitOrganisationRequest(of: user)
        let (decision, _) = try await carryOut(by: .member(user), because: "", on: shards) {
            guard id != user, let own = organisations.membership(of: user),
                let other = organisations.membership(of: id), own.organisation == other.organisation
            else { throw Self.noMember }
            guard let wish = try await removalWishes(in: own.organisation).first(where: { $0.account == id }) else {
                return proposal(toRemove: other, by: own)
            }
            guard wish.proposer != user else { return Decision(account: id, action: nil) }
            var decision = try await departure(of: other, action: .organisationRemove, isTold: true)
            decision.statements.insert(own.check, at: 0)
            return decision
        }
        return decision.action != nil
    }

    private func proposal(toRemove other: OrganisationMember, by own: OrganisationMember) -> Decision {
        let name = organisations[own.organisation]?.name.text ?? ""
        let told = organisations.members(of: own.organisation).map(\.account).filter { $0 != own.account }
        let wish = OrganisationRemovalWish(of: other.account, by: own.account, at: clock.lasting)
        return Decision(
            account: other.account,
            statements: [own.check, other.check, wish.insertion]
                + told.map { account in
                    notification(
                        Notification.Draft(
                            to: account, kind: .organisationRemovalAsked, person: own.account, label: name))
                },
            action: nil, notified: told)
    }

    private func departure(
        of member: OrganisationMember, action: AuditRecord.Action, isTold: Bool
    ) async throws -> Decision {
        var account = try await record(of: member.account)
        var decision = Decision(
            account: account.id, action: action, from: account.role, to: .general,
            change: .role(.general, of: account.id))
        account.role = .general
        decision.statements = [account.update]
        expel(member, in: &decision, isTold: isTold)
        return decision
    }

    /// The members' requests to remove one another.
    func removalWishes(in organisation: OrganisationID) async throws -> [OrganisationRemovalWish] {
        var damage: [DamagedRow] = []
        let rows = try await store.read([OrganisationRemovalWish.query(in: organisation)])[0]
        let wishes = OrganisationRemovalWish.wishes(in: rows, now: clock.lasting, into: &damage)
        store.report(damage)
        return wishes
    }

    private static let noMember = Refusal(.notMember, "not a member of your organisation", component: component)

    // MARK: Lists

    /// Open requests, the oldest first. Damaged ones are left out and shorten no page.
    package func openRequests(
        after id: OrganisationRequestID?, countMax: Int
    ) async throws -> [OrganisationRequestRecord] {
        var (requests, last) = ([OrganisationRequestRecord](), id)
        while true {
            let rows = try await store.read([OrganisationRequestRecord.query(openAfter: last, rowsMax: countMax)])[0]
            requests += rows.compactMap(readRequest)
            guard requests.count < countMax, rows.count == countMax, let end = try? rows.last?.integer(0) else {
                return Array(requests.prefix(countMax))
            }
            last = OrganisationRequestID(rawValue: UInt64(bitPattern: end))
        }
    }

    /// The organisation that has the name of a request, or a name that looks like it.
    package func knownOrganisation(of request: OrganisationRequestRecord) -> Organisation? {
        switch organisations.holder(of: request.name) {
        case .same(let organisation), .alike(let organisation): organisation
        case .none: nil
        }
    }
}

/// The changes by a decision about an organisation.
package struct OrganisationDecision: Sendable {
    /// Whose account; nil = nobody's alone.
    package let account: AccountID?
    /// Which organisation; nil = none.
    package let organisation: OrganisationID?
}
