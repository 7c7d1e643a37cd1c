internal import CairnCore
internal import CairnWire

/// A request of a member about a sub-realm.
///
/// The sender's account refuses it unless the sender is a member, without a look at the sub-realm. The sub-realm's home
/// then decides, and asks first what sender and the named person are to each other, if a person is named.
protocol RealmRequest: Command {
    /// The sub-realm, as the client names it.
    var realm: String { get }
    /// Another person, as the client names them; nil = the request names none.
    var person: String? { get }
    /// Whether it is refused where sub-realms are switched off.
    static var needsRealms: Bool { get }
    /// Whether the named person becomes a member by it, if they are a friend: it then passes that person's account,
    /// which knows in how many sub-realms they are.
    static var seatsFriend: Bool { get }
    /// Whether a person who waits for the owner's approval may ask it, too.
    static var isForCandidates: Bool { get }
    /// Whether the named person becomes a member by it whom a member has proposed: the sub-realm then asks in how many
    /// the person is.
    static var seatsProposed: Bool { get }
    /// Decides in the home of the sub-realm; the sender is a member.
    func carryOut(_ request: Request, in realm: RealmFacts, _ turn: inout Turn) throws(Refusal) -> [Effect]
    /// Decides about the person.
    func carryOut(
        _ request: Request, about other: AccountID, _ relation: Relation, in realm: RealmFacts, _ turn: inout Turn
    ) throws(Refusal) -> [Effect]
    /// Checks whether there is room for the named person, whom a member has proposed.
    /// - Parameter rows: the answers to `Realms.roomQueries(for:)`.
    func checkRoom(
        _ request: Request, for other: AccountID, _ rows: ArraySlice<[Row]>, in realm: RealmFacts, _ turn: inout Turn
    ) throws(Refusal)
}

extension RealmRequest {
    var person: String? { nil }
    static var needsRealms: Bool { true }
    static var seatsFriend: Bool { false }
    static var isForCandidates: Bool { false }
    static var seatsProposed: Bool { false }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        if Self.needsRealms { try Realms.checkEnabled(settings) }
        return .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard let id = turn.identifier(named: realm, RealmTag.self) else { throw Realms.absent }
        if case .account(let account) = turn.home {
            guard account == request.sender.account else { return [.ask(Realms.roomQueries(for: account), request)] }
            // Switched off, a membership gives no right: the rows say where the sender is a member.
            guard turn.settings.realms.enabled else { return [.ask([RealmMember.query(of: account)], request)] }
            guard Realms.isMember(request.sender, of: id) else {
                return [.ask([RealmCandidate.query(of: account, in: id)], request)]
            }
            if request.isChange { turn.endSeat(in: id) }
            guard let friend = seatedFriend(in: turn) else { return [.hand(request, .realm(id))] }
            return [.ask([Relation.query(account, friend)], request)]
        }
        let facts = try facts(for: request, in: turn)
        guard let person else { return try carryOut(request, in: facts, &turn) }
        guard let other = turn.identifier(named: person, AccountTag.self) else { throw Realms.unknownPerson }
        var queries = [Relation.query(request.sender.account, other)]
        if var candidate = turn.candidate(other), candidate.by != other {
            candidate.isAskedAbout = true
            turn.keep(candidate)
            queries.append(Relation.query(candidate.by, other))
            if Self.seatsProposed, candidate.isProposed { queries += Realms.roomQueries(for: other) }
        }
        return [.ask(queries, request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        if case .account(let account) = turn.home { return try handOn(request, by: account, rows, in: &turn) }
        let facts = try facts(for: request, in: turn)
        guard let person, let other = turn.identifier(named: person, AccountTag.self) else {
            throw Realms.unknownPerson
        }
        if let candidate = turn.candidate(other), candidate.by != other, !candidate.isAskedAbout {
            throw Refusal(
                .tryAgain, "the person was invited or added at this moment", component: Realms.name,
                retryAfter: .milliseconds(50))
        }
        let relation = turn.relation(in: rows[0], request.sender.account, other)
        guard rows.count > 1 else { return try carryOut(request, about: other, relation, in: facts, &turn) }
        let ended = turn.endVoidCandidacy(of: other, in: facts, after: turn.relations(in: rows[1]))
        do throws(Refusal) {
            if rows.count > 2 { try checkRoom(request, for: other, rows[2...], in: facts, &turn) }
            return ended + (try carryOut(request, about: other, relation, in: facts, &turn))
        } catch {
            return ended + [.answer(request, .refusal(error))]
        }
    }

    /// Continues in an account that has asked the store.
    func handOn(
        _ request: Request, by account: AccountID, _ rows: [[Row]], in turn: inout Turn
    ) throws(Refusal) -> [Effect] {
        guard let id = turn.identifier(named: realm, RealmTag.self) else { throw Realms.absent }
        return [.hand(request, try next(request, by: account, to: id, rows, in: &turn))]
    }

    /// Where a request goes from an account that has asked the store.
    private func next(
        _ request: Request, by account: AccountID, to id: RealmID, _ rows: [[Row]], in turn: inout Turn
    ) throws(Refusal) -> HomeAddress {
        let sender = request.sender.account
        guard account == sender else {
            try Realms.takeSeat(of: account, in: id, rows[...], by: sender, in: &turn)
            return .realm(id)
        }
        guard !turn.settings.realms.enabled || Realms.isMember(request.sender, of: id) else {
            let refusal = turn.refusal(toCandidate: rows[0])
            guard Self.isForCandidates, refusal.code == .joinPending else { throw refusal }
            return .realm(id)
        }
        if turn.settings.realms.enabled, let friend = seatedFriend(in: turn) {
            // The sub-realm refuses whoever is no friend.
            let areFriends = turn.settings.hasFriends && turn.relation(in: rows[0], sender, friend).areFriends
            return areFriends ? .account(friend) : .realm(id)
        }
        guard turn.realms(in: rows[0]).contains(id) else { throw Realms.absent }
        return .realm(id)
    }

    private func seatedFriend(in turn: Turn) -> AccountID? {
        Self.seatsFriend ? person.flatMap { turn.identifier(named: $0, AccountTag.self) } : nil
    }

    /// The sub-realm, if the sender is still in it.
    func facts(for request: Request, in turn: Turn) throws(Refusal) -> RealmFacts {
        let waits = turn.candidate(request.sender.account)?.state == .pending
        guard let facts = turn.realm,
            turn.member(request.sender.account) != nil || (waits && Self.isForCandidates)
        else { throw waits ? Realms.pending : Realms.absent }
        return facts
    }

    func carryOut(_ request: Request, in realm: RealmFacts, _ turn: inout Turn) throws(Refusal) -> [Effect] { [] }

    func carryOut(
        _ request: Request, about other: AccountID, _ relation: Relation, in realm: RealmFacts, _ turn: inout Turn
    ) throws(Refusal) -> [Effect] { [] }

    func checkRoom(
        _ request: Request, for other: AccountID, _ rows: ArraySlice<[Row]>, in realm: RealmFacts, _ turn: inout Turn
    ) throws(Refusal) {}
}

// MARK: - Who is not in a sub-realm

extension Realms {
    /// Query for what the owner was told of people who want to join, or whom members have added. Which person and which
    /// sub-realm it is about is sealed: all of the kind are looked through.
    static func joinRequests(to facts: RealmFacts) -> Query {
        StoredNotification.query(of: facts.owner, kind: .realmJoinRequest)
    }

    /// Whether the sender was a member when the request came.
    static func isMember(_ sender: Sender, of realm: RealmID) -> Bool {
        sender.scopes.contains(.members(of: .realm(realm)))
    }
}

extension Turn {
    /// Why a request about a sub-realm is refused to somebody who is not in it: who waits for its owner's approval is
    /// told so (SUB-3), and everybody else learns nothing of it (SUB-9).
    /// - Parameters:
    ///   - rows: the answer to `RealmCandidate.query(of:in:)`, which is asked for any id alike.
    ///   - absence: the refusal of everybody else.
    mutating func refusal(toCandidate rows: [Row], otherwise absence: Refusal = Realms.absent) -> Refusal {
        let now = lasting
        let pending = read(rows, of: RealmCandidate.table) { row throws(ColumnFault) in
            try RealmCandidate.isPending(row, at: now)
        }
        return settings.realms.enabled && pending.contains(true) ? Realms.pending : absence
    }
}

// MARK: - What changes in a sub-realm

extension Turn {
    /// The sub-realm as its sender sees it, a member, as the success of a request. People who are absent for the sender
    /// are not counted, as they are not listed (FRD-7).
    func result(_ facts: RealmFacts, for sender: Sender) -> Request.Result {
        let absent = sender.absentees.count { member($0) != nil }
        return .realm(facts.wire(for: sender.account, members: memberCount - absent, in: self))
    }

    /// Publishes to the members that the settings have changed.
    func settingsChanged(_ facts: RealmFacts) -> Effect {
        var changed = WireRealmChanged()
        changed.realm = name(of: facts.id)
        changed.version = facts.version
        changed.settings = true
        return .publish(Publication(ofHome: facts.id, .realmChanged(changed), to: Audience(.members(of: home))))
    }

    /// Publishes that a member has come or gone, to the members whose list changes by it: not to those for whom the
    /// member is absent (FRD-7).
    private func membersChanged(_ facts: RealmFacts, by member: AccountID) -> Effect {
        var changed = WireRealmChanged()
        changed.realm = name(of: facts.id)
        changed.version = facts.version
        changed.members = true
        return .publish(
            Publication(
                ofHome: facts.id, .realmChanged(changed), to: Audience(.members(of: home)), about: member))
    }

    /// A person becomes a member, with the right to all that is shared in the sub-realm.
    /// - Throws: `already_member`, `too_many_members`.
    mutating func admit(_ account: AccountID, to facts: RealmFacts) throws(Refusal) -> [Effect] {
        guard member(account) == nil else { throw Realms.refusal(.alreadyMember) }
        let limit = settings.realms.membersMax
        guard memberCount < limit else { throw Realms.full(limit) }
        let wasCandidate = candidate(account) != nil
        let member = RealmMember(account: account, since: now)
        keep(member)
        var effects: [Effect] = [
            .write(member.insertion(into: facts.id)), .admit(account, to: .members(of: home)),
            membersChanged(facts, by: account),
        ]
        if wasCandidate { effects.append(.write(RealmCandidate.deletion(of: account, in: facts.id))) }
        return effects
    }

    /// Ends a membership, and with it the right to all that is shared in the sub-realm.
    mutating func expel(_ member: RealmMember, from facts: RealmFacts) -> [Effect] {
        forget(member.account)
        return [
            .write(member.deletion(from: facts.id)), .expel(member.account, from: .members(of: home)),
            membersChanged(facts, by: member.account),
        ]
    }

    /// A person is invited, or waits for approval, for `invitationDays`.
    /// - Throws: `limit_reached` beyond `invitationsMax` candidates.
    mutating func invite(
        _ account: AccountID, _ state: RealmCandidate.State, by inviter: AccountID, to facts: RealmFacts
    ) throws(Refusal) -> Effect {
        let (count, limit) = (candidateCount, settings.realms.invitationsMax)
        guard candidate(account) != nil || count < limit else {
            throw Realms.refusal(
                .limitReached, "\(count) people are invited or wait for approval",
                details: ["count": "\(count)", "limit": "\(limit)"])
        }
        let candidate = RealmCandidate(
            account: account, state: state, by: inviter, at: now,
            ends: lasting + .seconds(settings.realms.invitationDays * 86_400))
        keep(candidate)
        return .write(candidate.saving(in: facts.id))
    }

    /// A person is no longer invited, or waits no longer.
    mutating func disinvite(_ account: AccountID, from facts: RealmFacts) -> Effect {
        forget(account)
        return .write(RealmCandidate.deletion(of: account, in: facts.id))
    }

    /// A person no longer wants to come, and the owner's notification of it goes with the wish.
    /// - Parameter rows: the answer to `Realms.joinRequests(to:)`.
    mutating func stopWaiting(_ account: AccountID, for facts: RealmFacts, told rows: [Row]) -> [Effect] {
        let told = notifications(in: rows).filter { $0.person == account && $0.realm == facts.id }
        return [disinvite(account, from: facts)] + told.map { .takeBack($0) }
    }

    /// Notifies a person of something about the sub-realm.
    func notification(
        to account: AccountID, _ kind: NotificationKind, of facts: RealmFacts, person: AccountID? = nil
    ) -> Effect {
        .notify(Notification.Draft(to: account, kind: kind, person: person, realm: facts.id, label: facts.name))
    }

    /// Ends an invitation that a block has made void, and what a member proposed who is a friend no longer: it stands
    /// in the way of no other.
    /// - Parameter relations: of the person and of who invited or proposed them.
    fileprivate mutating func endVoidCandidacy(
        of account: AccountID, in facts: RealmFacts, after relations: [Relation]
    ) -> [Effect] {
        guard let candidate = candidate(account) else { return [] }
        // Two people who are nothing to each other have no row.
        let pair = Relation(account, candidate.by)
        let relation = relations.first ?? pair
        guard relation.low == pair.low, relation.high == pair.high, !candidate.holds(relation) else { return [] }
        return [disinvite(account, from: facts)]
    }

    /// The person wants to join: they become a member at once, or wait for the owner's approval (SUB-3).
    /// - Throws: `already_member`, `too_many_members`, `limit_reached`.
    mutating func join(_ request: Request, _ facts: RealmFacts) throws(Refusal) -> [Effect] {
        let account = request.sender.account
        guard facts.asksApproval, account != facts.owner else {
            let effects = try admit(account, to: facts)
            return effects + [.answer(request, .success(result(facts, for: request.sender)))]
        }
        let answer = Request.Result.realm(facts.wire(standing: "pending", in: self))
        return try propose(account, by: account, to: facts) + [.answer(request, .success(answer))]
    }

    /// A person waits for the owner's approval: who wants to join, and whom a member adds (SUB-3).
    /// - Parameter proposer: the member who adds them; the person themselves if they want to join.
    /// - Throws: `too_many_members`, `limit_reached`.
    mutating func propose(
        _ account: AccountID, by proposer: AccountID, to facts: RealmFacts
    ) throws(Refusal) -> [Effect] {
        guard memberCount < settings.realms.membersMax else { throw Realms.full(settings.realms.membersMax) }
        return [
            try invite(account, .pending, by: proposer, to: facts),
            notification(to: facts.owner, .realmJoinRequest, of: facts, person: account),
        ]
    }

    /// The sub-realm is deleted: no person has a right to it any more. Its instances are taken away afterwards.
    mutating func deleteRealm(_ facts: RealmFacts) -> [Effect] {
        let members = members
        forgetRealm()
        return [.write(facts.deletion), .list(facts.id, as: nil)]
            + members.map { .expel($0.account, from: .members(of: home)) }
            + [.wake(at: lasting, RealmClearing())]
    }
}
