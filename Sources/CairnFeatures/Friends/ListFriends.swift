internal import CairnCore
internal import CairnWire

/// Lists friends and open requests (FRD-5).
struct ListFriends: Question {
    private let account: String
    /// Whether the privacy of the person whose friends are asked for admits the sender. It is decided by the row of the
    /// two alone, before all rows of that person are read.
    private var isAdmitted = false

    init(_ body: WireListFriends) { account = body.account }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        try Friends.checkEnabled(settings)
        return .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let (subject, viewer) = (try subject(of: request, in: turn), request.sender.account)
        guard subject == viewer else { return [.ask([Relation.query(viewer, subject)], request)] }
        return [.ask([Relation.query(of: viewer)], request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let (subject, viewer) = (try subject(of: request, in: turn), request.sender.account)
        guard subject == viewer || isAdmitted else {
            try check(turn.relation(in: rows[0], viewer, subject), subject, in: turn)
            var command = self
            command.isAdmitted = true
            return [.ask([subject, viewer].map { Relation.query(of: $0) }, request.with(command))]
        }
        let relations = turn.relations(in: rows[0])
        if subject != viewer {
            // What the two are to each other may have changed since.
            let own = relations.first { $0.other(than: subject) == viewer }
            try check(own ?? Relation(viewer, subject), subject, in: turn)
        }
        var list = WireFriendList()
        // A friend of both may be absent for the viewer.
        let others = rows.count > 1 ? turn.relations(in: rows[1]) : relations
        let hidden = Set(others.filter(\.isBlocked).map { $0.other(than: viewer) })
        list.friends = turn.users(
            relations.filter(\.areFriends).map { $0.other(than: subject) }.filter { !hidden.contains($0) })
        if subject == viewer {
            list.received = turn.requests(relations) { $0.by != viewer }
            list.sent = turn.requests(relations) { $0.by == viewer }
        }
        return [.answer(request, .success(.friendList(list)))]
    }

    /// - Throws: `user_not_found`, `profile_hidden`.
    private func check(_ relation: Relation, _ subject: AccountID, in turn: Turn) throws(Refusal) {
        guard !turn.names.isAdmin(subject), !relation.isBlocked else { throw Friends.absent }
        guard turn.names.privacy(of: subject).friends.admits(relation.areFriends) else {
            throw Friends.refusal(.profileHidden)
        }
    }

    private func subject(of request: Request, in turn: Turn) throws(Refusal) -> AccountID {
        guard !account.isEmpty else { return request.sender.account }
        guard let subject = Friends.present(named: account, for: request.sender, in: turn) else { throw Friends.absent }
        return subject
    }
}

extension Turn {
    fileprivate func requests(
        _ relations: [Relation], where isWanted: (Relation.Request) -> Bool
    ) -> [WireFriendRequest] {
        relations.compactMap { relation in
            guard let open = relation.request, isWanted(open) else { return nil }
            let person = home == .account(open.by) ? relation.other(than: open.by) : open.by
            return user(person).map { user in
                var request = WireFriendRequest()
                request.user = user
                request.at = open.at.milliseconds
                return request
            }
        }
        .sorted { ($0.at, $0.user.account) < ($1.at, $1.user.account) }
    }
}
