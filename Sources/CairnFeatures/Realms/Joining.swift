internal import CairnCore
internal import CairnWire

/// Accepts or declines an invitation (SUB-2). Who waits for approval, also added by a member, declines in the same way.
struct AnswerInvitation: Change {
    private let realm: String
    private let accepts: Bool

    init(_ body: WireAnswerInvitation) { (realm, accepts) = (body.realm, body.accept) }

    static func shortened(_ result: Request.Result) -> Request.Result { result.withoutLongTexts }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        try Realms.checkEnabled(settings)
        return .account(sender.account)
    }

    /// The account asks whether there is an invitation: without one no sub-realm is woken, whether it exists or not.
    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let account = request.sender.account
        guard let id = turn.identifier(named: realm, RealmTag.self) else { throw Self.absent }
        if case .account = turn.home {
            return [.ask([RealmCandidate.query(of: account, in: id)] + Realms.roomQueries(for: account), request)]
        }
        guard turn.realm != nil, let candidate = turn.candidate(account) else { throw Self.absent }
        guard candidate.state == .invited || !accepts else { throw Realms.pending }
        let told = candidate.state == .pending ? turn.realm.map { [Realms.joinRequests(to: $0)] } ?? [] : []
        return [.ask([Relation.query(account, candidate.by)] + told, request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let account = request.sender.account
        if case .account = turn.home {
            guard let id = turn.identifier(named: realm, RealmTag.self) else { throw Self.absent }
            if accepts { try Realms.takeSeat(of: account, in: id, rows.dropFirst(), by: account, in: &turn) }
            guard !rows[0].isEmpty else { throw Self.absent }
            return [.hand(request, .realm(id))]
        }
        guard let facts = turn.realm, let candidate = turn.candidate(account) else { throw Self.absent }
        // Of who waits the wish ends, whatever the two are to each other by now.
        guard candidate.state == .pending || candidate.holds(turn.relation(in: rows[0], account, candidate.by)) else {
            throw Self.absent
        }
        guard accepts else {
            return turn.stopWaiting(account, for: facts, told: rows.count > 1 ? rows[1] : [])
                + [.answer(request, .success(.done(WireDone())))]
        }
        guard candidate.state == .invited else { throw Realms.pending }
        return try turn.join(request, facts)
    }

    private static let absent = Realms.refusal(.inviteNotFound)
}

/// Joins an open sub-realm (SUB-12).
struct JoinRealm: Change {
    private let realm: String

    init(_ body: WireJoinRealm) { realm = body.realm }

    static func shortened(_ result: Request.Result) -> Request.Result { result.withoutLongTexts }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        try Realms.checkEnabled(settings)
        return .account(sender.account)
    }

    /// The account looks into the list of open ones: a closed sub-realm is not woken, nor one that does not exist. The
    /// store is asked for any.
    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard let id = turn.identifier(named: realm, RealmTag.self) else { throw Realms.absent }
        let account = request.sender.account
        if case .account = turn.home {
            guard !Realms.isMember(request.sender, of: id) else { throw Realms.refusal(.alreadyMember) }
            return [.ask([RealmCandidate.query(of: account, in: id)] + Realms.roomQueries(for: account), request)]
        }
        // Whom a member has added asks on their own behalf from here on.
        guard turn.candidate(account).map({ $0.state == .invited || $0.isProposed }) ?? true else {
            throw Realms.pending
        }
        guard let facts = turn.realm, facts.isOpen else { throw Realms.absent }
        return try turn.join(request, facts)
    }

    /// In the account.
    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard let id = turn.identifier(named: realm, RealmTag.self) else { throw Realms.absent }
        let account = request.sender.account
        guard turn.names.openRealms.name(of: id) != nil else { throw turn.refusal(toCandidate: rows[0]) }
        try Realms.takeSeat(of: account, in: id, rows.dropFirst(), by: account, in: &turn)
        return [.hand(request, .realm(id))]
    }
}
