internal import CairnCore
internal import CairnText
internal import CairnWire

/// Lists the sender's sub-realms, invitations and requests to join (SUB-11, PRF-11).
struct ListRealms: Question {
    private let cursor: String
    /// What the store has answered before it was asked what the sender and those who have invited them are to each
    /// other; nil = it has not answered yet.
    private var answers: [[Row]]?

    init(_ body: WireListRealms) { cursor = body.cursor }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        try Realms.checkEnabled(settings)
        return .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        guard cursor.isEmpty || turn.place(named: cursor, sortedBy: 1) != nil else {
            throw Realms.refusal(.invalidField, "cursor: as a list gave it", details: ["field": "cursor"])
        }
        let account = request.sender.account
        let queries = [
            RealmFacts.query(ofMember: account),
            RealmMember.query(together: account, without: request.sender.absentees),
            RealmFacts.query(ofCandidate: account), RealmCandidate.query(of: account), RealmMember.query(of: account),
        ]
        return [.ask(queries, request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) -> [Effect] {
        let account = request.sender.account
        if let answers { return answer(request, answers, relations: turn.relations(in: rows[0]), in: &turn) }
        let inviting = Set(candidacies(in: rows, of: &turn).map(\.candidate.by))
        guard !inviting.isEmpty else { return answer(request, rows, relations: [], in: &turn) }
        var command = self
        command.answers = rows
        return [.ask([Relation.query(of: account, among: inviting)], request.with(command))]
    }

    /// - Parameter relations: of the sender and those who have invited them.
    private func answer(
        _ request: Request, _ rows: [[Row]], relations: [Relation], in turn: inout Turn
    ) -> [Effect] {
        let account = request.sender.account
        var counts: [RealmID: Int] = [:]
        for realm in turn.memberships(in: rows[1]) { counts[realm, default: 0] += 1 }
        let joined = turn.realms(in: rows[4])
        let memberships = turn.read(rows[0], of: RealmFacts.table, RealmFacts.init(stored:)).filter {
            joined.contains($0.id)
        }
        let own = memberships.map { facts in
            Listed(facts.wire(for: account, members: counts[facts.id] ?? 0, in: turn), facts.id, isMember: true)
        }
        // Own sub-realms come first, so that invitations move none of them to a later page.
        let listed = (own + candidacies(of: account, rows, relations, in: &turn)).page(
            after: turn.place(named: cursor, sortedBy: 1), count: .max, by: \.rank
        ).entries
        let room = ListBytes.count(of: listed.map(\.realm))
        var list = WireRealmList()
        list.realms = listed.prefix(room).map(\.realm).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        if room < listed.count { list.next = turn.name(of: listed[room - 1].rank) }
        return [.answer(request, .success(.realmList(list)))]
    }

    /// A sub-realm with its place in the list.
    private struct Listed {
        let realm: WireRealm
        let rank: ListPlace

        init(_ realm: WireRealm, _ id: RealmID, isMember: Bool) {
            self.realm = realm
            rank = ListPlace([isMember ? 1 : 0, Int64(bitPattern: id.rawValue)])
        }
    }

    /// The sub-realms into which the person is invited, or wants to come.
    private func candidacies(
        of account: AccountID, _ rows: [[Row]], _ relations: [Relation], in turn: inout Turn
    ) -> [Listed] {
        var standings: [RealmID: String] = [:]
        for (realm, candidate) in candidacies(in: rows, of: &turn) {
            let relation = relations.first { $0.other(than: account) == candidate.by }
            guard candidate.holds(relation ?? Relation(account, candidate.by)) else { continue }
            standings[realm] = candidate.state == .pending ? "pending" : "invited"
        }
        return turn.read(rows[2], of: RealmFacts.table, RealmFacts.init(stored:)).compactMap { facts in
            standings[facts.id].map { Listed(facts.wire(standing: $0, in: turn), facts.id, isMember: false) }
        }
    }

    /// The invitations and requests to join that have not lapsed.
    private func candidacies(
        in rows: [[Row]], of turn: inout Turn
    ) -> [(realm: RealmID, candidate: RealmCandidate)] {
        let candidacies = turn.read(rows[3], of: RealmCandidate.table) { row throws(ColumnFault) in
            let realm = RealmID(rawValue: UInt64(bitPattern: try row.integer(0)))
            return (realm: realm, candidate: try RealmCandidate(stored: row))
        }
        return candidacies.filter { $0.candidate.ends > turn.lasting }
    }
}

/// Searches open sub-realms by the beginning of their names (SUB-12).
struct FindRealms: Question {
    private let prefix: String

    init(_ body: WireFindRealms) throws(Refusal) {
        prefix = body.prefix.withoutBlanksAround
        guard !prefix.isEmpty, prefix.utf8.count <= 256 else {
            throw Realms.refusal(.missingField, "prefix: 1 to 256 bytes", details: ["field": "prefix"])
        }
    }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        try Realms.checkEnabled(settings)
        return .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) -> [Effect] {
        let found = turn.names.openRealms.entries(beginningWith: prefix, max: turn.settings.searchResultsMax)
        return [.ask([RealmFacts.query(found.map(\.id))], request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) -> [Effect] {
        let found = turn.read(rows[0], of: RealmFacts.table, RealmFacts.init(stored:)).filter(\.isOpen)
        var list = WireRealmList()
        list.realms = found.map { $0.wire(in: turn) }.withRoomInAnAnswer
            .sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
        return [.answer(request, .success(.realmList(list)))]
    }
}

extension [WireRealm] {
    /// What a sub-realm has beside name and description.
    private static var headBytes: Int { 64 }

    /// Sub-realms of others, whose descriptions are shortened where all together have no room in one answer
    /// (`ListBytes`). Members read the whole ones. Where even the names have no room the last ones are left out: more
    /// letters find them.
    fileprivate var withRoomInAnAnswer: Self {
        guard ListBytes.count(of: self) < count else { return self }
        let bytesMax = ListBytes.max / count - Self.headBytes
        let short = map { realm in
            var short = realm
            let room = Swift.max(0, bytesMax - realm.name.utf8.count)
            short.description_p = realm.description_p.shortened(toBytes: room)
            return short
        }
        return Array(short.prefix(ListBytes.count(of: short)))
    }
}
