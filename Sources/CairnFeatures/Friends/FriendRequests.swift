internal import CairnCore
internal import CairnWire

/// Asks a person to become a friend (FRD-2).
struct RequestFriend: PairChange {
    let other: String
    let isCounted = true

    init(_ body: WireRequestFriend) { other = body.account }

    func check(_ own: OwnRelations, _ others: OwnRelations, _ settings: FriendSettings) throws(Refusal) {
        try own.checkFriends(settings)
        // Both have asked each other: they are to be friends at once.
        if others.asked.contains(own.account) {
            try OwnRelations.check(others.friends, settings.friendsMax, "friends")
        }
        try OwnRelations.check(own.requests, settings.requestsMax, "unanswered requests")
    }

    func change(
        _ relation: inout Relation, by sender: AccountID, _ other: AccountID, in turn: Turn
    ) throws(Refusal) -> PairChanged {
        guard !relation.isBlocked, !turn.names.isAdmin(other) else { throw Friends.absent }
        guard !relation.areFriends else { throw Friends.refusal(.alreadyFriends) }
        var requested = WireFriendRequested()
        guard let open = relation.request else {
            relation.request = Relation.Request(by: sender, at: turn.now)
            return PairChanged(result: .friendRequested(requested), notification: .friendRequest)
        }
        guard open.by == other else { throw Friends.refusal(.requestPending) }
        // Both have asked each other.
        relation.befriend(at: turn.now)
        requested.friends = true
        return PairChanged(
            result: .friendRequested(requested), notification: .friendAccepted, effects: [.count("friendships")])
    }
}

/// Accepts or rejects a friend request (FRD-3).
struct AnswerFriendRequest: PairChange {
    static let absent = Friends.refusal(.requestNotFound)

    let other: String
    private let accepts: Bool

    init(_ body: WireAnswerFriendRequest) { (other, accepts) = (body.account, body.accept) }

    var isCounted: Bool { accepts }

    func check(_ own: OwnRelations, _ others: OwnRelations, _ settings: FriendSettings) throws(Refusal) {
        try own.checkFriends(settings)
        guard others.asked.contains(own.account) else { return }
        try OwnRelations.check(others.friends, settings.friendsMax, "friends")
    }

    func change(
        _ relation: inout Relation, by sender: AccountID, _ other: AccountID, in turn: Turn
    ) throws(Refusal) -> PairChanged {
        guard relation.request?.by == other else { throw Friends.refusal(.requestNotFound) }
        guard accepts else {
            relation.request = nil
            return PairChanged(result: PairChanged.done, notification: .friendRejected)
        }
        relation.befriend(at: turn.now)
        return PairChanged(
            result: PairChanged.done, notification: .friendAccepted, effects: [.count("friendships")])
    }
}

/// Withdraws a friend request that is not answered, and its notification with it (FRD-4).
struct WithdrawFriendRequest: PairChange {
    static let absent = Friends.refusal(.requestNotFound)

    let other: String

    init(_ body: WireWithdrawFriendRequest) { other = body.account }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let other = try other(of: request, in: turn)
        let home = Relation.home(of: request.sender.account, other)
        guard turn.home == home else { return [.hand(request, home)] }
        guard turn.relation(request.sender.account, other).request?.by == request.sender.account else {
            throw Friends.refusal(.requestNotFound)
        }
        // Who has caused a notification is sealed in it: its recipient's are looked through.
        return [.ask([StoredNotification.query(of: other, kind: .friendRequest)], request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let other = try other(of: request, in: turn)
        let effects = try pass(request, about: other, in: &turn)
        let told = turn.notifications(in: rows[0]).filter { $0.person == request.sender.account }
        return effects + told.map { .takeBack($0) }
    }

    func change(
        _ relation: inout Relation, by sender: AccountID, _ other: AccountID, in turn: Turn
    ) throws(Refusal) -> PairChanged {
        guard relation.request?.by == sender else { throw Friends.refusal(.requestNotFound) }
        relation.request = nil
        return PairChanged(result: PairChanged.done)
    }
}

/// Ends a friendship (FRD-6).
struct Unfriend: PairChange {
    static let absent = Friends.refusal(.notFriends)
    static let needsFriends = false

    let other: String

    init(_ body: WireUnfriend) { other = body.account }

    func change(
        _ relation: inout Relation, by sender: AccountID, _ other: AccountID, in turn: Turn
    ) throws(Refusal) -> PairChanged {
        guard relation.areFriends else { throw Friends.refusal(.notFriends) }
        relation.friendsSince = nil
        return PairChanged(
            result: PairChanged.done, notification: turn.settings.friends.tellsUnfriended ? .friendRemoved : nil)
    }
}
