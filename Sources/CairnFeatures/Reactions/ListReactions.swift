internal import CairnCore
internal import CairnWire

/// Lists who has reacted to an instance in view, as far as their privacy settings show it (RCT-2, PRF-5).
struct ListReactions: Question {
    /// Most people in an answer.
    private static let namedMax = 100
    /// Most reactions of strangers that one question looks through for people who may be named.
    private static let lookedAtMax = 4_096

    private let body: WireListReactions

    init(_ body: WireListReactions) {
        self.body = body
    }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        let cell = try settings.cell(named: body.cell, component: Reactions.name)
        try sender.checkView(of: cell, component: Reactions.name)
        _ = try Reactions.index(of: body.reaction, in: settings.reactions.names)
        return .cell(cell)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let people = try tally(for: request, in: turn).all.map(\.key)
        return [.ask([Relation.query(of: request.sender.account, among: people)], request)]
    }

    func resume(_ request: Request, rows: [[Row]], in turn: inout Turn) throws(Refusal) -> [Effect] {
        let tally = try tally(for: request, in: turn)
        let (viewer, names) = (request.sender.account, turn.settings.reactions.names)
        let wanted = try Reactions.index(of: body.reaction, in: names)
        let relations = turn.relations(in: rows[0])
        let friends = Set(relations.filter(\.areFriends).map { $0.other(than: viewer) })
        // The rows are as new as a block; the sender's rights may be older.
        let absent = Set(relations.filter(\.isBlocked).map { $0.other(than: viewer) })

        func isNamed(_ person: AccountID) -> Bool {
            guard let choice = tally[person], wanted == nil || choice == wanted, !absent.contains(person) else {
                return false
            }
            return turn.shownName(of: person, to: viewer, areFriends: friends.contains(person)) != ""
        }
        var others: [AccountID] = []
        for (person, _) in tally.all.prefix(Self.lookedAtMax) where others.count < Self.namedMax {
            if person != viewer, !friends.contains(person), isNamed(person) { others.append(person) }
        }
        let people =
            turn.users([viewer].filter(isNamed)) + turn.users(friends.filter(isNamed)) + turn.users(others)

        var list = WireReactionList()
        list.reactions = people.prefix(Self.namedMax).compactMap { user in
            guard let person = turn.identifier(named: user.account, AccountTag.self), let choice = tally[person],
                Int(choice) < names.count
            else { return nil }
            var reaction = WireNamedReaction()
            reaction.user = user
            reaction.reaction = names[Int(choice)]
            return reaction
        }
        return [.answer(request, .success(.reactionList(list)))]
    }

    private func tally(for request: Request, in turn: Turn) throws(Refusal) -> ReactionTally {
        let id = turn.instance(named: body.instance)
        guard let record = turn.objects.kept(id, .object), record.isSeen(by: request.sender) else {
            throw turn.objects.absence(of: id, for: request.sender.account, component: Reactions.name)
        }
        return record.attachments[ReactionTally.self] ?? ReactionTally()
    }
}
