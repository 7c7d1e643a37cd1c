internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// Takes another member's instance out of the sub-realm; owner only (SUB-13).
///
/// It passes three homes: the sender's account, the sub-realm, which knows its owner, and the cell of the instance.
struct TakeOut: Change {
    private let body: WireTakeOut

    init(_ body: WireTakeOut) { self.body = body }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        try Realms.checkEnabled(settings)
        _ = try settings.cell(named: body.cell, component: Realms.name)
        return .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard let id = turn.identifier(named: body.realm, RealmTag.self) else { throw Realms.absent }
        let scope = Scope.members(of: .realm(id))
        switch turn.home {
        case .account(let account):
            guard request.sender.scopes.contains(scope) else {
                return [.ask([RealmCandidate.query(of: account, in: id)], request)]
            }
            return [.hand(request, .realm(id))]
        case .realm:
            guard let facts = turn.realm, turn.member(request.sender.account) != nil else {
                throw turn.candidate(request.sender.account)?.state == .pending ? Realms.pending : Realms.absent
            }
            guard facts.owner == request.sender.account else { throw Realms.refusal(.forbidden) }
            return [.hand(request, .cell(try turn.settings.cell(named: body.cell, component: Realms.name)))]
        case .cell, .space, .tour:
            return try takeOut(request, of: id, scope, in: &turn)
        }
    }

    /// In the account of a sender who is not in the sub-realm.
    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        throw turn.refusal(toCandidate: rows[0])
    }

    // MARK: Whether it is open (VIS-7)

    /// The sub-realms in which another's instance is shared and of which the sender is a member: who owns one of them
    /// may take it out.
    static func realms(with record: ObjectRecord, for sender: Sender, in turn: Turn) -> [RealmID] {
        guard turn.settings.realms.enabled, record.owner != sender.account else { return [] }
        return record.audience.scopes.compactMap { scope in
            guard sender.scopes.contains(scope), case .realm(let id)? = scope.home else { return nil }
            return id
        }
    }

    /// Whether the sender owns one of them.
    /// - Parameter rows: the answer to `RealmFacts.query` about `realms(with:)`.
    static func isOpen(to sender: Sender, on record: ObjectRecord, realms rows: [Row], in turn: inout Turn) -> Bool {
        guard !rows.isEmpty else { return false }
        let realms = realms(with: record, for: sender, in: turn)
        return turn.read(rows, of: RealmFacts.table, RealmFacts.init(stored:))
            .contains { $0.owner == sender.account && realms.contains($0.id) }
    }

    private func takeOut(
        _ request: Request, of realm: RealmID, _ scope: Scope, in turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        guard let id = turn.instance(named: body.instance), let record = turn.objects[id],
            record.audience.scopes.contains(scope), !request.sender.scopes.contains(.absence(of: record.owner))
        else { throw ObjectTable.absence(component: Realms.name) }
        guard !record.isMoving else {
            throw Refusal(
                .tryAgain, "the instance is on its way to another cell", component: Realms.name,
                retryAfter: .milliseconds(50))
        }
        let effects = turn.unshare(record, from: scope)
        let notification = Notification.Draft(
            to: record.owner, kind: .instanceTakenOut, realm: realm, instance: record.id)
        return effects + [.notify(notification), .answer(request, .success(.done(WireDone())))]
    }
}
