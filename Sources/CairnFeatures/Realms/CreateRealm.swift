internal import CairnCore
internal import CairnWire

/// Creates a sub-realm, with friends as members (SUB-1).
struct CreateRealm: Change {
    static let kind = MessageKind(field: 60, name: "create_realm")

    private let body: WireCreateRealm

    init(_ body: WireCreateRealm) { self.body = body }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        try Realms.checkEnabled(settings)
        return .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let owner = request.sender.account
        if case .realm(let id) = turn.home { return try create(id, request, in: &turn) }
        // For its checks only: the number of the sub-realm is not known yet.
        _ = try facts(RealmID(rawValue: 0), owner: owner, in: turn).checked(turn.settings.realms)
        guard try friends(in: turn).count < turn.settings.realms.membersMax else {
            throw Realms.full(turn.settings.realms.membersMax)
        }
        return [.ask([Relation.query(of: owner)] + Realms.roomQueries(for: owner), request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let owner = request.sender.account
        try Realms.checkRoom(rows.dropFirst(), in: &turn)
        let relations = turn.relations(in: rows[0])
        let known = Set(relations.filter { $0.areFriends && turn.settings.hasFriends }.map { $0.other(than: owner) })
        for friend in try friends(in: turn) where !known.contains(friend) { throw notFriends(turn.name(of: friend)) }
        return [.hand(request, .realm(turn.newIdentifier()))]
    }

    private func create(_ id: RealmID, _ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let owner = request.sender.account
        let facts = facts(id, owner: owner, in: turn)
        turn.keep(facts)
        var effects: [Effect] = [.write(facts.insertion), .count("realms"), .list(id, as: facts.listed)]
        for account in [owner] + (try friends(in: turn)) {
            let member = RealmMember(account: account, since: turn.now)
            turn.keep(member)
            effects += [.write(member.insertion(into: id)), .admit(account, to: .members(of: turn.home))]
            if account != owner {
                effects.append(turn.notification(to: account, .realmAdded, of: facts, person: owner))
            }
        }
        return effects + [.answer(request, .success(turn.result(facts, for: request.sender)))]
    }

    private func facts(_ id: RealmID, owner: AccountID, in turn: Turn) -> RealmFacts {
        RealmFacts(
            id: id, name: body.name, description: body.description_p, isOpen: body.open, asksApproval: body.approval,
            owner: owner, version: 1, created: turn.now)
    }

    /// The friends that the request names, each once.
    /// - Throws: `not_friends` for a text that cannot name an account.
    private func friends(in turn: Turn) throws(Refusal) -> [AccountID] {
        var friends: [AccountID] = []
        for name in body.friends {
            guard let friend = turn.identifier(named: name, AccountTag.self) else { throw notFriends(name) }
            if !friends.contains(friend) { friends.append(friend) }
        }
        return friends
    }

    private func notFriends(_ name: String) -> Refusal {
        Realms.refusal(.notFriends, details: ["account": String(name.prefix(32))])
    }
}

extension Realms {
    /// The queries for what `checkRoom` counts.
    static func roomQueries(for account: AccountID) -> [Query] {
        [RealmMember.query(of: account), RealmCandidate.query(of: account)]
    }

    /// Refuses a sub-realm beyond `perPersonMax`, by the store: the scopes that a request came with may be older than
    /// the last change.
    ///
    /// A sub-realm whose owner has yet to approve the person counts as well: owners approve without regard to one
    /// another.
    /// - Parameters:
    ///   - rows: the answers to `roomQueries(for:)`.
    ///   - own: the sub-realm that the request is about, which counts once it is joined; nil = a new one.
    static func checkRoom(
        _ rows: ArraySlice<[Row]>, joining own: RealmID? = nil, in turn: inout Turn
    ) throws(Refusal) {
        guard let memberships = rows.first, let candidacies = rows.last else { return }
        let now = turn.lasting
        let pending = turn.read(candidacies, of: RealmCandidate.table) { row throws(ColumnFault) in
            (realm: try row.integer(0), candidate: try RealmCandidate(stored: row))
        }
        .count { realm, candidate in
            candidate.state == .pending && candidate.ends > now && realm != own.map { Int64(bitPattern: $0.rawValue) }
        }
        let (count, limit) = (memberships.count + pending, turn.settings.realms.perPersonMax)
        guard count >= limit else { return }
        throw refusal(
            .limitReached, "you are in \(count) sub-realms, or wait for approval",
            details: ["count": "\(count)", "limit": "\(limit)"])
    }
}
