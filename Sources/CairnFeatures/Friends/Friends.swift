public import CairnCore
public import CairnWire

/// Friends and blocks: what two people are to each other (FRD-2 to FRD-7, CMP-8).
///
/// All changes of a pair are decided by one home, the account with the lower number (`Relation.home`). A change first
/// passes its sender's account, which knows how many friends, requests and blocks the sender has.
public enum Friends: Feature {
    public static let name = "friends"
    public static let commands: [any Command.Type] = [
        RequestFriend.self, AnswerFriendRequest.self, WithdrawFriendRequest.self, Unfriend.self, ListFriends.self,
        Block.self, Unblock.self, ListBlocks.self,
    ]
    public static let timers: [any HomeTimer.Type] = [EndedBlocks.self]
    public static let settings: (any FeatureSettings.Type)? = FriendSettings.self
    public static let refusals: [Refusal.Code] = [.selfRequest, .alreadyFriends]
    /// Limits the requests of one person, and of one network address, so that others are not flooded with them.
    public static let quotas = [
        Quota(
            "friend requests", of: name, code: .rateLimited, counting: [RequestFriend.self],
            windows: [
                Quota.Window(.hour) { $0.friends.requestsPerHour }, Quota.Window(.day) { $0.friends.requestsPerDay },
            ], stored: .answers(to: [RequestFriend.self], within: .day)),
        Quota.ofAddress(
            Refusal.Text("friend requests from this address"), of: name, counting: [RequestFriend.self],
            windows: [Quota.Window(.hour) { $0.friends.requestsPerHour }]),
        Quota(
            "blocks", of: name, code: .rateLimited, counting: [Block.self, Unblock.self],
            windows: [Quota.Window(.hour) { $0.friends.blocksPerHour }],
            stored: .answers(to: [Block.self, Unblock.self], within: .hour)),
        // Each of them reads all that a person is to others.
        Quota(
            "looks at friends", of: name, code: .rateLimited,
            counting: [
                ListFriends.self, ListBlocks.self, RequestFriend.self, AnswerFriendRequest.self, Block.self,
                Unblock.self,
            ],
            windows: [Quota.Window(.minute) { $0.friends.looksPerMinute }], countsRefusals: true),
        Quota.oneAfterAnother([RequestFriend.self, AnswerFriendRequest.self, Block.self], of: name),
    ]
    public static let counts = [EngagementCount("friendships", unit: "friendships", "made")]
    public static let migrations: [Migration] = []
    public static let membership: Membership? = Relation.absences

    public static func stored(in home: HomeAddress) -> [Query] {
        guard case .account(let account) = home else { return [] }
        return [Relation.query(in: account)]
    }

    public static func restore(_ answers: [[Row]], in turn: inout Turn) {
        guard case .account = turn.home, let rows = answers.first else { return }
        for relation in turn.relations(in: rows) { turn.keep(relation) }
    }

    /// Ends what a person and others are to each other: all pairs of the person's own home, or the one in another's.
    public static func erase(_ account: AccountID, in turn: inout Turn) -> [Effect] {
        guard case .account(let home) = turn.home else { return [] }
        let pairs = turn.pairs.filter { home == account || $0.high == account }
        return pairs.prefix(PersonErased.atOnce).map { turn.end($0) }
    }

    static func refusal(_ code: Refusal.Code, _ text: Refusal.Text? = nil, details: [String: String] = [:]) -> Refusal {
        Refusal(code, text, component: name, details: details)
    }

    /// The person whom a request names; nil = there is none.
    static func person(named name: String, in turn: Turn) -> AccountID? {
        turn.identifier(named: name, AccountTag.self).flatMap { turn.names.people.name(of: $0) == nil ? nil : $0 }
    }

    /// The person whom a request names; nil = there is none, or there is a block between them and the sender.
    ///
    /// The sender's scopes name the blocks. The store is not read, so that the answer about a blocked person takes as
    /// long as the answer about a deleted account (FRD-7). The scopes may lack a block that was made just now. The
    /// store has it.
    static func present(named name: String, for sender: Sender, in turn: Turn) -> AccountID? {
        person(named: name, in: turn).flatMap { sender.scopes.contains(.absence(of: $0)) ? nil : $0 }
    }

    /// The answer about a person who does not exist, and about one who has blocked the sender or whom the sender has
    /// blocked: the blocked person cannot tell a block from absence (FRD-7).
    static let absent = refusal(.userNotFound)

    /// - Throws: `forbidden` where friends are switched off.
    static func checkEnabled(_ settings: Settings) throws(Refusal) {
        guard settings.hasFriends else { throw refusal(.forbidden, "friends are switched off here") }
    }
}

// MARK: - Pairs in a home

/// The relation of the home's person to another one, kept with a record that stands for the other person.
private struct Pair: Attachment {
    let relation: Relation
}

extension ObjectKind {
    fileprivate static let person = ObjectKind("friends.person")
}

extension Turn {
    /// The relation between two people, in the home of the pair.
    func relation(_ one: AccountID, _ other: AccountID) -> Relation {
        let fresh = Relation(one, other)
        return objects.record(fresh.record, .person)?.attachments[Pair.self]?.relation ?? fresh
    }

    /// Keeps a relation in memory; forgets it when it says nothing.
    fileprivate mutating func keep(_ relation: Relation) {
        guard !relation.isNothing else {
            objects[relation.record] = nil
            return
        }
        var record = ObjectRecord(
            id: relation.record, kind: .person, owner: relation.low, ownerName: "", audience: .owner(relation.low),
            wire: WireInstance())
        record.attachments[Pair.self] = Pair(relation: relation)
        objects[relation.record] = record
    }

    /// The relations of this home's person to people with higher account numbers; other relations are in other homes.
    var pairs: [Relation] {
        objects.ids.compactMap { objects.record($0, .person)?.attachments[Pair.self]?.relation }
    }

    /// Ends a relation, in memory and on disk.
    mutating func end(_ relation: Relation) -> Effect {
        objects[relation.record] = nil
        return .write(Relation(relation.low, relation.high).saving)
    }

    /// Keeps a relation in memory and on disk.
    mutating func change(_ relation: Relation) -> Effect {
        keep(relation)
        return .write(relation.saving)
    }
}

extension Relation {
    /// Numbers of accounts and instances come from one source, so none is both.
    fileprivate var record: InstanceID { InstanceID(rawValue: high.rawValue) }
}
