public import CairnCore
internal import CairnText
public import CairnWire

/// Changes name, description, openness or the rule of approval (SUB-7, SUB-12).
struct EditRealm: Change, RealmRequest {
    private let body: WireEditRealm
    var realm: String { body.realm }

    init(_ body: WireEditRealm) {
        var body = body
        if body.hasName { body.name = body.name.withoutBlanksAround }
        self.body = body
    }

    static func shortened(_ result: Request.Result) -> Request.Result { result.withoutLongTexts }

    func completed(_ result: Request.Result) -> Request.Result {
        result.withTexts(body.hasName ? body.name : nil, body.hasDescription_p ? body.description_p : nil)
    }

    func carryOut(_ request: Request, in realm: RealmFacts, _ turn: inout Turn) throws(Refusal) -> [Effect] {
        let (sender, settings) = (request.sender.account, turn.settings.realms)
        // Openness is the owner's alone, whoever else may edit (SUB-12).
        let mayEdit = sender == realm.owner || (settings.editors == .members && !body.hasOpen)
        guard mayEdit else { throw Realms.refusal(.forbidden, "the owner alone may change this") }
        var facts = realm
        if body.hasName { facts.name = body.name }
        if body.hasDescription_p { facts.description = body.description_p }
        if body.hasOpen { facts.isOpen = body.open }
        if body.hasApproval { facts.asksApproval = body.approval }
        guard facts != realm else { return [.answer(request, .unchanged(turn.result(facts, for: request.sender)))] }
        facts.version += 1
        turn.keep(try facts.checked(settings, after: realm))
        return [
            .write(facts.update), .list(facts.id, as: facts.listed), turn.settingsChanged(facts),
            .answer(request, .success(turn.result(facts, for: request.sender))),
        ]
    }
}

/// Deletes a sub-realm with all that belongs to it (SUB-8).
struct DeleteRealm: Change, RealmRequest {
    let realm: String

    init(_ body: WireDeleteRealm) { realm = body.realm }

    func carryOut(_ request: Request, in realm: RealmFacts, _ turn: inout Turn) throws(Refusal) -> [Effect] {
        let sender = request.sender.account
        guard sender == realm.owner || turn.settings.realms.deleters == .members else {
            throw Realms.refusal(.forbidden, "the owner alone may delete it")
        }
        let others = turn.members.map(\.account).filter { $0 != sender }
        let notifications = others.map { turn.notification(to: $0, .realmDeleted, of: realm) }
        return turn.deleteRealm(realm) + notifications + [.answer(request, .success(.done(WireDone())))]
    }
}

/// Leaves a sub-realm (SUB-6), also one of before sub-realms were switched off. Who waits for approval waits no longer,
/// and what the owner was told of it is taken back.
struct LeaveRealm: Change, RealmRequest {
    static let needsRealms = false
    static let isForCandidates = true

    let realm: String

    init(_ body: WireLeaveRealm) { realm = body.realm }

    func carryOut(_ request: Request, in realm: RealmFacts, _ turn: inout Turn) throws(Refusal) -> [Effect] {
        guard let member = turn.member(request.sender.account) else {
            return [.ask([Realms.joinRequests(to: realm)], request)]
        }
        guard turn.memberCount > 1 || turn.settings.realms.deletesEmpty else {
            throw Realms.refusal(.forbidden, "the last member cannot leave")
        }
        return turn.leave(member, realm) + [.answer(request, .success(.done(WireDone())))]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        if case .account(let account) = turn.home { return try handOn(request, by: account, rows, in: &turn) }
        let (facts, account) = (try facts(for: request, in: turn), request.sender.account)
        // The owner may have approved meanwhile.
        guard turn.member(account) == nil else { return try carryOut(request, in: facts, &turn) }
        return turn.stopWaiting(account, for: facts, told: rows[0])
            + [.answer(request, .success(.done(WireDone())))]
    }
}

extension Turn {
    /// A member leaves: the next owner is the longest-standing member, and without a member the sub-realm is deleted.
    fileprivate mutating func leave(_ member: RealmMember, _ realm: RealmFacts) -> [Effect] {
        guard let next = members.first(where: { $0.account != member.account }) else { return deleteRealm(realm) }
        var (facts, effects) = (realm, [Effect]())
        if member.account == realm.owner {
            facts.owner = next.account
            facts.version += 1
            keep(facts)
            effects = [.write(facts.update), settingsChanged(facts)]
        }
        return effects + expel(member, from: facts)
    }
}

extension Realms {
    /// The person leaves, as a member or as a candidate, and the invitations that they made end.
    public static func erase(_ account: AccountID, in turn: inout Turn) -> [Effect] {
        guard let realm = turn.realm else { return [] }
        let candidates = turn.candidates.filter { $0.account == account || $0.by == account }
        let effects = candidates.prefix(PersonErased.atOnce).map { turn.disinvite($0.account, from: realm) }
        guard let member = turn.member(account) else { return effects }
        return effects + turn.leave(member, realm)
    }
}
