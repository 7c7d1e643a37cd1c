internal import CairnCore
internal import CairnWire

/// Lists friends and open requests (FRD-5).
struct ListFriends: Question {
    private let account: String

    init(_ body: WireListFriends) { account = body.account }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        try Friends.checkEnabled(settings)
        return .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let (subject, viewer) = (try subject(of: request, in: turn), request.sender.account)
        return [.ask([subject, viewer].map { Relation.query(of: $0) }, request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let (subject, viewer) = (try subject(of: request, in: turn), request.sender.account)
        let relations = turn.relations(in: rows[0])
        if subject != viewer {
            guard !turn.names.isAdmin(subject) else { throw Friends.absent }
            let own = relations.first { $0.other(than: subject) == viewer }
            guard own?.isBlocked != true else { throw Friends.absent }
            guard turn.names.privacy(of: subject).friends.admits(own?.areFriends == true) else {
                throw Friends.refusal(.profileHidden)
            }
        }
        var list = WireFriendList()
        // A friend of both may be absent for the viewer.
        let hidden = Set(turn.relations(in: rows[1]).filter(\.isBlocked).map { $0.other(than: viewer) })
        list.friends = turn.users(
            relations.filter(\.areFriends).map { $0.other(than: subject) }.filter { !hidden.contains($0) })
        if subject == viewer {
            list.received = turn.requests(relations) { $0.by != viewer }
            list.sent = turn.requests(relations) { $0.by == viewer }
        }
        return [.answer(request, .success(.friendList(list)))]
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
