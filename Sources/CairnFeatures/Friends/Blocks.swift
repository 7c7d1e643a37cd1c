internal import CairnCore
internal import CairnWire

/// Blocks a person (FRD-7).
struct Block: PairChange {
    static let needsFriends = false
    static let looksUp = true

    let other: String
    let isCounted = true

    init(_ body: WireBlock) { other = body.account }

    func check(_ own: OwnRelations, _ others: OwnRelations, _ settings: FriendSettings) throws(Refusal) {
        try OwnRelations.check(own.blocks, settings.blocksMax, "blocked people")
    }

    /// The rights are asked for even if they hold: the answer leaves when every loop goes by them, whoever has caused
    /// them and however lately.
    func change(
        _ relation: inout Relation, by sender: AccountID, _ other: AccountID, in turn: Turn
    ) throws(Refusal) -> PairChanged {
        guard relation.mayBeBlocked(by: sender) else { throw Friends.absent }
        let isNew = relation.blocked(by: sender) == nil
        if isNew { relation.block(by: sender, at: turn.now, seeing: turn.names.people.name(of: other) ?? "") }
        return PairChanged(
            result: PairChanged.done, hasChanged: isNew,
            effects: [.admit(sender, to: .absence(of: other)), .admit(other, to: .absence(of: sender))])
    }
}

/// Ends a block (FRD-7).
struct Unblock: PairChange {
    static let needsFriends = false
    static let looksUp = true

    let other: String

    init(_ body: WireUnblock) { other = body.account }

    func change(
        _ relation: inout Relation, by sender: AccountID, _ other: AccountID, in turn: Turn
    ) throws(Refusal) -> PairChanged {
        guard relation.mayBeBlocked(by: sender) else { throw Friends.absent }
        let wasBlocked = relation.blocked(by: sender) != nil
        relation.unblock(by: sender)
        let isOver = wasBlocked && !relation.isBlocked
        return PairChanged(
            result: PairChanged.done, hasChanged: wasBlocked,
            effects: isOver
                ? [.expel(sender, from: .absence(of: other)), .expel(other, from: .absence(of: sender))] : [])
    }
}

/// Lists the people whom the sender has blocked (FRD-7), by the names that they had when they were blocked: who is
/// absent is not seen to take another.
struct ListBlocks: Question {
    init(_ body: WireListBlocks) {}

    func home(for sender: Sender, settings: Settings) -> HomeAddress { .account(sender.account) }

    func decide(_ request: Request, in turn: inout Turn) -> [Effect] {
        [.ask([Relation.query(of: request.sender.account)], request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) -> [Effect] {
        let own = request.sender.account
        let blocked = turn.relations(in: rows[0]).filter { $0.blocked(by: own) != nil }
        var list = WireUserList()
        list.users = blocked.compactMap { relation in
            turn.user(relation.other(than: own)).map { user in
                var user = user
                user.name = relation.nameSeen(by: own) ?? user.name
                return user
            }
        }
        .sorted { ($0.name, $0.account) < ($1.name, $1.account) }
        return [.answer(request, .success(.userList(list)))]
    }
}
