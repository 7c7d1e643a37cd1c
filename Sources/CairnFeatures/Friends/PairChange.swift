internal import CairnCore
internal import CairnWire

/// A change of what two people are to each other.
protocol PairChange: Change {
    /// The other person, as the client names them.
    var other: String { get }
    /// Whether it is refused where friends are switched off.
    static var needsFriends: Bool { get }
    /// The answer about a person who does not exist, and about one with a block between the two.
    static var absent: Refusal { get }
    /// Whether the sender's own blocks decide who is absent: the sender's account then reads the sender's relations,
    /// whomever the request names, and answers from them alone about somebody who has blocked the sender and about
    /// nobody (FRD-7).
    static var looksUp: Bool { get }
    /// Whether the sender's account counts the relations of both people first, and calls `check`.
    var isCounted: Bool { get }
    /// Refuses a change that would exceed a limit.
    /// - Parameters:
    ///   - own: the sender's relations.
    ///   - others: the other person's relations, which have limits as well; none where it `looksUp`.
    /// - Throws: `limit_reached`.
    func check(_ own: OwnRelations, _ others: OwnRelations, _ settings: FriendSettings) throws(Refusal)
    /// Decides in the home of the pair.
    func change(
        _ relation: inout Relation, by sender: AccountID, _ other: AccountID, in turn: Turn
    ) throws(Refusal) -> PairChanged
}

/// The outcome of a change of a pair.
struct PairChanged {
    let result: Request.Result
    /// False = it was so before.
    var hasChanged = true
    /// The notification for the other person; nil = none.
    var notification: NotificationKind?
    /// Further effects.
    var effects: [Effect] = []

    /// A success that says nothing more.
    static let done = Request.Result.done(WireDone())
}

/// The relations of one person, counted for the limits.
struct OwnRelations {
    let friends: Int
    let requests: Int
    let blocks: Int
    /// The people whom the person has asked to become a friend.
    let asked: Set<AccountID>
    let account: AccountID

    init(_ relations: [Relation], of account: AccountID) {
        friends = relations.count { $0.areFriends }
        requests = relations.count { $0.request?.by == account }
        blocks = relations.count { $0.blocked(by: account) != nil }
        asked = Set(relations.filter { $0.request?.by == account }.map { $0.other(than: account) })
        self.account = account
    }

    /// Refuses a change after which the person could have more friends than the limit.
    ///
    /// An own request that is not answered counts as a friend. Several people may accept at once, and each answer
    /// changes another pair. So the limit is checked when the person asks, for the case that all accept.
    func checkFriends(_ settings: FriendSettings) throws(Refusal) {
        try OwnRelations.check(friends + requests, settings.friendsMax, "friends and unanswered requests")
    }

    static func check(_ count: Int, _ limit: Int, _ what: Refusal.Text) throws(Refusal) {
        guard count >= limit else { return }
        throw Friends.refusal(
            .limitReached, "\(count) \(what), the limit is \(limit)",
            details: ["count": "\(count)", "limit": "\(limit)"])
    }
}

extension PairChange {
    static var needsFriends: Bool { true }
    static var absent: Refusal { Friends.absent }
    static var looksUp: Bool { false }
    var isCounted: Bool { false }
    func check(_ own: OwnRelations, _ others: OwnRelations, _ settings: FriendSettings) throws(Refusal) {}

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        if Self.needsFriends { try Friends.checkEnabled(settings) }
        return .account(sender.account)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let sender = request.sender.account
        let other = try other(of: request, in: turn)
        // The home of the pair decides what another home has passed.
        guard turn.home == .account(sender), Self.looksUp || isCounted else {
            return try pass(request, about: other, in: &turn)
        }
        return [.ask((Self.looksUp ? [sender] : [sender, other]).map { Relation.query(of: $0) }, request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let other = try other(of: request, in: turn)
        let relations = turn.relations(in: rows[0])
        if Self.looksUp { try checkPresent(other, relations, for: request.sender, in: turn) }
        let own = OwnRelations(relations, of: request.sender.account)
        let others = OwnRelations(rows.count > 1 ? turn.relations(in: rows[1]) : [], of: other)
        try check(own, others, turn.settings.friends)
        return try pass(request, about: other, in: &turn)
    }

    /// The other person.
    /// - Throws: the answer about an absent person, `self_request`.
    func other(of request: Request, in turn: Turn) throws(Refusal) -> AccountID {
        let found =
            Self.looksUp
            ? turn.identifier(named: other, AccountTag.self)
            : Friends.present(named: other, for: request.sender, in: turn)
        guard let found else { throw Self.absent }
        guard found != request.sender.account else { throw Friends.refusal(.selfRequest) }
        return found
    }

    /// Decides by the sender's relations whether a person is there for the sender. A person whom the sender has blocked
    /// is.
    private func checkPresent(
        _ other: AccountID, _ relations: [Relation], for sender: Sender, in turn: Turn
    ) throws(Refusal) {
        let relation = relations.first { $0.other(than: sender.account) == other }
        guard relation?.blocked(by: sender.account) == nil else { return }
        // The scopes may know of a block that the answer of the store does not have, and the other way round.
        guard turn.names.people.name(of: other) != nil, !turn.names.isAdmin(other), relation?.isBlocked != true,
            !sender.scopes.contains(.absence(of: other))
        else { throw Self.absent }
    }

    /// Decides here, or has the home of the pair decide.
    func pass(_ request: Request, about other: AccountID, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let sender = request.sender.account
        let home = Relation.home(of: sender, other)
        guard turn.home == home else { return [.hand(request, home)] }
        var relation = turn.relation(sender, other)
        let outcome = try change(&relation, by: sender, other, in: turn)
        guard outcome.hasChanged else { return outcome.effects + [.answer(request, .unchanged(outcome.result))] }
        relation = turn.forgettingEndedBlock(relation)
        var effects = [turn.change(relation)] + turn.wakeForEndedBlock(of: relation)
        if let kind = outcome.notification {
            effects.append(.notify(Notification.Draft(to: other, kind: kind, person: sender)))
        }
        return effects + outcome.effects + [.answer(request, .success(outcome.result))]
    }
}
