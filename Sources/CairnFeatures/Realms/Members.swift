internal import CairnCore
internal import CairnWire

/// Invites a person (SUB-2).
struct Invite: Change, RealmRequest {
    let realm: String
    let person: String?

    init(_ body: WireInvite) { (realm, person) = (body.realm, body.account) }

    func carryOut(
        _ request: Request, about other: AccountID, _ relation: Relation, in realm: RealmFacts, _ turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        guard !relation.isBlocked, turn.names.people.name(of: other) != nil, !turn.names.isAdmin(other) else {
            throw Realms.unknownPerson
        }
        guard turn.member(other) == nil else { throw Realms.refusal(.alreadyMember) }
        let answer = Request.Result.done(WireDone())
        // An invitation that stands is not sent again, and a person who waits for approval needs none.
        guard turn.candidate(other) == nil else { return [.answer(request, .unchanged(answer))] }
        let sender = request.sender.account
        return [
            try turn.invite(other, .invited, by: sender, to: realm),
            turn.notification(to: other, .realmInvitation, of: realm, person: sender),
            .answer(request, .success(answer)),
        ]
    }
}

/// Adds a friend of the sender (SUB-4). Where the sub-realm asks for approval, whom a member other than the owner adds
/// waits for the owner (SUB-3).
struct AddMember: Change, RealmRequest {
    static let seatsFriend = true

    let realm: String
    let person: String?

    init(_ body: WireAddMember) { (realm, person) = (body.realm, body.account) }

    static func shortened(_ result: Request.Result) -> Request.Result { result.withoutLongTexts }

    func carryOut(
        _ request: Request, about other: AccountID, _ relation: Relation, in realm: RealmFacts, _ turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        let sender = request.sender.account
        guard relation.areFriends, turn.settings.hasFriends else { throw Realms.refusal(.notFriends) }
        guard sender == realm.owner || !realm.asksApproval else { return try propose(request, other, to: realm, &turn) }
        return try turn.admit(other, to: realm) + [
            turn.notification(to: other, .realmAdded, of: realm, person: sender),
            .answer(request, .success(turn.result(realm, for: request.sender))),
        ]
    }

    private func propose(
        _ request: Request, _ other: AccountID, to realm: RealmFacts, _ turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        guard turn.member(other) == nil else { throw Realms.refusal(.alreadyMember) }
        let answer = turn.result(realm, for: request.sender)
        // Who waits already is not added to the owner's notifications again, and an invitation stays the person's to
        // answer.
        guard turn.candidate(other) == nil else { return [.answer(request, .unchanged(answer))] }
        return try turn.propose(other, by: request.sender.account, to: realm) + [.answer(request, .success(answer))]
    }
}

/// Removes a member: an own friend, or as the owner any member (SUB-5).
struct RemoveMember: Change, RealmRequest {
    let realm: String
    let person: String?

    init(_ body: WireRemoveMember) { (realm, person) = (body.realm, body.account) }

    func carryOut(
        _ request: Request, about other: AccountID, _ relation: Relation, in realm: RealmFacts, _ turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        let isOwner = request.sender.account == realm.owner
        // A person with a block between them and the sender is absent, for the owner as well (FRD-7).
        guard let member = turn.member(other), !relation.isBlocked else { throw Realms.refusal(.notMember) }
        guard other != request.sender.account, other != realm.owner, isOwner || relation.areFriends else {
            throw Realms.refusal(.forbidden, "a member removes own friends, the owner anybody else")
        }
        return turn.expel(member, from: realm) + [
            turn.notification(to: other, .realmRemoved, of: realm), .answer(request, .success(.done(WireDone()))),
        ]
    }
}

/// Approves or refuses a person who wants to join; owner only (SUB-3).
struct AnswerJoin: Change, RealmRequest {
    static let seatsProposed = true

    let realm: String
    let person: String?
    private let approves: Bool

    init(_ body: WireAnswerJoin) { (realm, person, approves) = (body.realm, body.account, body.approve) }

    func carryOut(
        _ request: Request, about other: AccountID, _ relation: Relation, in realm: RealmFacts, _ turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        guard request.sender.account == realm.owner else { throw Realms.refusal(.forbidden) }
        guard !relation.isBlocked, turn.candidate(other)?.state == .pending else {
            throw Realms.refusal(.requestNotFound)
        }
        let answer = Effect.answer(request, .success(.done(WireDone())))
        guard approves else {
            return [turn.disinvite(other, from: realm), turn.notification(to: other, .realmRefused, of: realm), answer]
        }
        return try turn.admit(other, to: realm) + [turn.notification(to: other, .realmApproved, of: realm), answer]
    }

    func checkRoom(
        _ request: Request, for other: AccountID, _ rows: ArraySlice<[Row]>, in realm: RealmFacts, _ turn: inout Turn
    ) throws(Refusal) {
        guard approves, request.sender.account == realm.owner, turn.candidate(other)?.isProposed == true else { return }
        try Realms.checkRoom(of: other, rows, in: &turn)
    }
}

/// Lists the members (SUB-11).
struct ListMembers: Question, RealmRequest {
    let realm: String

    init(_ body: WireListMembers) { realm = body.realm }

    func carryOut(_ request: Request, in realm: RealmFacts, _ turn: inout Turn) -> [Effect] {
        let people = turn.members.map(\.account) + turn.candidates.map(\.account)
        var queries = [Relation.query(of: request.sender.account, among: people)]
        if request.sender.account == realm.owner {
            let proposed = turn.candidates.filter(\.isProposed)
            queries.append(Relation.query(pairs: proposed.map { (one: $0.by, other: $0.account) }))
        }
        return [.ask(queries, request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        if case .account(let account) = turn.home { return try handOn(request, by: account, rows, in: &turn) }
        let facts = try facts(for: request, in: turn)
        let viewer = request.sender.account
        let relations = turn.relations(in: rows[0])
        let hidden = Set(relations.filter(\.isBlocked).map { $0.other(than: viewer) })
        var list = WireMemberList()
        list.members = turn.members.filter { !hidden.contains($0.account) }.compactMap { member in
            turn.user(member.account).map { user in
                var wire = WireMember()
                wire.user = user
                wire.owner = member.account == facts.owner
                wire.since = member.since.milliseconds
                return wire
            }
        }
        if viewer == facts.owner {
            let others = rows.count > 1 ? turn.relations(in: rows[1]) : []
            let known = Dictionary(others.map { ([$0.low, $0.high], $0) }) { first, _ in first }
            let pending = turn.candidates.filter { candidate in
                let pair = Relation(candidate.account, candidate.by)
                return candidate.state == .pending && !hidden.contains(candidate.account)
                    && candidate.holds(known[[pair.low, pair.high]] ?? pair)
            }
            list.pending = pending.compactMap { turn.user($0.account) }
        }
        return [.answer(request, .success(.memberList(list)))]
    }
}
