internal import CairnCore
internal import CairnText
internal import CairnWire

/// Creates a sub-realm, with friends as members (SUB-1).
///
/// It passes the owner's account and then the account of each friend, which know in how many sub-realms they are.
struct CreateRealm: Change {
    private let body: WireCreateRealm
    /// The sub-realm to come; nil until the owner's account has named it.
    private var id: RealmID?

    init(_ body: WireCreateRealm) {
        var body = body
        body.name = body.name.withoutBlanksAround
        self.body = body
    }

    static func shortened(_ result: Request.Result) -> Request.Result { result.withoutLongTexts }

    func completed(_ result: Request.Result) -> Request.Result {
        result.withTexts(body.name, body.description_p)
    }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        try Realms.checkEnabled(settings)
        return .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let owner = request.sender.account
        if case .realm(let id) = turn.home { return try create(id, request, in: &turn) }
        if case .account(let friend) = turn.home, friend != owner {
            return [.ask(Realms.roomQueries(for: friend), request)]
        }
        // For its checks only: the number of the sub-realm is not known yet.
        _ = try facts(RealmID(rawValue: 0), owner: owner, in: turn).checked(turn.settings.realms)
        let friends = try friends(in: turn)
        guard friends.count < turn.settings.realms.membersMax else {
            throw Realms.full(turn.settings.realms.membersMax)
        }
        return [.ask([Relation.query(of: owner, among: friends)] + Realms.roomQueries(for: owner), request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let (owner, realm) = (request.sender.account, id ?? turn.newIdentifier())
        if case .account(let friend) = turn.home, friend != owner {
            try Realms.takeSeat(of: friend, in: realm, rows[...], by: owner, in: &turn)
            return try goOn(request, to: realm, after: friend, in: turn)
        }
        try Realms.takeSeat(of: owner, in: realm, rows.dropFirst(), by: owner, in: &turn)
        let relations = turn.relations(in: rows[0])
        let known = Set(relations.filter { $0.areFriends && turn.settings.hasFriends }.map { $0.other(than: owner) })
        for friend in try friends(in: turn) where !known.contains(friend) { throw notFriends(turn.name(of: friend)) }
        return try goOn(request, to: realm, after: nil, in: turn)
    }

    /// To the account of the next friend, behind the last one to the sub-realm.
    private func goOn(
        _ request: Request, to realm: RealmID, after friend: AccountID?, in turn: Turn
    ) throws(Refusal) -> [Effect] {
        var command = self
        command.id = realm
        let friends = try friends(in: turn)
        let next = friend.flatMap { friends.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        return [.hand(request.with(command), next < friends.count ? .account(friends[next]) : .realm(realm))]
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
