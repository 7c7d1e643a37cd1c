internal import CairnCore
internal import CairnGeo
internal import CairnStore
internal import CairnWebSocket
internal import CairnWire

/// What a connection's live view shows: the public instances, or those of one sub-realm (VIS-5, VIS-6).
extension Shard {
    private static let component = "selection"

    func selectRealm(_ envelope: ClientEnvelope, from session: Session) throws(Refusal) {
        guard case .user = session.stage else { throw session.refusalWithoutAccount(component: Self.component) }
        try require(Role.inWorld, session, component: Self.component)
        let message = try WireBody.decode(WireSelectRealm.self, from: envelope.payload)
        guard let scope = scope(ofRealm: message.realm) else { throw Self.foreign }
        guard session.holds(scope) else { return try refuseSelection(of: scope, envelope, session) }
        // All items that the client gets after the answer are of the new selection.
        if scope != session.selection, session.showsObjects { unfollowShown(session) }
        if envelope.id != 0 { reply(session, id: envelope.id, .realmSelected(Self.selected(message.realm))) }
        select(scope, session)
    }

    private static let foreign = Refusal(.notMember, component: component)

    /// Refuses a sub-realm that the person is not in. The store says, for any id alike, whether they wait for its
    /// owner's approval (SUB-3). Until then it is one of the connection's requests under way.
    private func refuseSelection(
        of scope: Scope, _ envelope: ClientEnvelope, _ session: Session
    ) throws(Refusal) {
        guard let account = session.user?.account else { throw Self.foreign }
        let queries = context.register.candidacies(of: account, for: scope, context.settings)
        guard !queries.isEmpty else { throw Self.foreign }
        let (participant, id) = (session.participant, envelope.id)
        startRequest(envelope, of: session)
        context.store.read(queries) { [self] result in
            let answers = try? result.get()
            post { shard in
                guard let session = shard.session(of: participant) else { return }
                let message = shard.endRequest(id, of: session)
                let refusal = shard.refusal(ofSelecting: scope, by: account, in: answers)
                shard.refuse(session, id: id, shard.explained(refusal, by: message))
            }
        }
    }

    /// Why an account gets no selection of a scope.
    /// - Parameter answers: the store's about `FeatureRegister.candidacies`; nil = it cannot be read.
    private func refusal(ofSelecting scope: Scope, by account: AccountID, in answers: [[Row]]?) -> Refusal {
        guard let answers else { return HomeQueue.unreadable }
        var damage: [DamagedRow] = []
        let waits = context.register.waits(
            account, for: scope, in: answers, at: context.clock.lasting, context.settings, &damage)
        context.store.report(damage)
        return waits ? Refusal(.joinPending, component: Self.component) : Self.foreign
    }

    /// The scope that a selection names; nil = no name of a sub-realm.
    private func scope(ofRealm name: String) -> Scope? {
        if name.isEmpty { return .everyone }
        let realm: RealmID? = context.identifiers.identifier(named: name)
        return realm.map { .members(of: .realm($0)) }
    }

    /// What `hello` wants to see, now that it is known who it is.
    func selectFirst(_ realm: String, _ session: Session) {
        guard !realm.isEmpty else { return }
        if let scope = scope(ofRealm: realm), session.holds(scope) {
            session.selection = scope
        } else {
            tellNoSelection(session)
        }
    }

    /// The person is no longer in the sub-realm that they looked at.
    func resetSelection(of session: Session) {
        tellNoSelection(session)
        select(.everyone, session)
    }

    /// Follows another selection; nothing of the former one is followed any more.
    private func select(_ scope: Scope, _ session: Session) {
        guard scope != session.selection else { return }
        session.selection = scope
        followShown(session)
    }

    /// Shows instances in the live view, or none (PRF-7). The people stay.
    func show(objects: Bool, _ session: Session) {
        guard objects != session.showsObjects else { return }
        unfollowShown(session)
        session.showsObjects = objects
        followShown(session)
    }

    private func unfollowShown(_ session: Session) {
        unfollow(session.tracker.view.map { Topic(.cell($0), session.shown) }, session)
    }

    private func followShown(_ session: Session) {
        for cell in session.tracker.view where session.follows[Topic(.cell(cell), session.shown)] == nil {
            follow(Topic(.cell(cell), session.shown), session)
        }
    }

    private func tellNoSelection(_ session: Session) {
        var item = WireItem()
        item.realmSelected = Self.selected("")
        send(item, to: session)
    }

    private static func selected(_ realm: String) -> WireRealmSelected {
        var selected = WireRealmSelected()
        selected.realm = realm
        return selected
    }

    /// Where the person stands decides which poses of a crowd they get.
    func setGroup(_ group: UInt16, in cell: CellID, of participant: Participant) {
        guard let session = session(of: participant) else { return }
        let topic = Topic(.cell(cell), session.shown)
        loop.setGroup(session.key(of: topic, session.follows[topic]), participant.connection, group)
    }
}
