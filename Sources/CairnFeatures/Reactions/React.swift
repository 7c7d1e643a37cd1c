internal import CairnCore
internal import CairnWire

/// Reacts to an instance in view, changes the reaction or takes it back (RCT-1, RCT-2).
struct React: Change {
    private let body: WireReact

    init(_ body: WireReact) {
        self.body = body
    }

    func home(for sender: Sender, settings: Settings) throws(Refusal) -> HomeAddress {
        let cell = try settings.cell(named: body.cell, component: Reactions.name)
        try sender.checkView(of: cell, component: Reactions.name)
        return .cell(cell)
    }

    func decide(_ request: Request, in turn: inout Turn) throws(Refusal) -> [Effect] {
        let names = turn.settings.reactions.names
        let chosen = try Reactions.index(of: body.reaction, in: names)
        let id = turn.instance(named: body.instance)
        let account = request.sender.account
        guard let id, var record = turn.objects.record(id, .object), record.isSeen(by: request.sender) else {
            throw turn.objects.absence(of: id, for: account, component: Reactions.name)
        }
        guard !record.isMoving else {
            throw Refusal(
                .tryAgain, "the instance is on its way to another cell", component: Reactions.name,
                retryAfter: .milliseconds(50))
        }
        var tally = record.attachments[ReactionTally.self] ?? ReactionTally()
        let before = tally[account]
        tally[account] = chosen

        var answer = WireReactionSet()
        answer.instance = record.wire.id
        answer.reaction = body.reaction
        answer.reactions = tally.counts(names: names)
        let reply = Effect.answer(request, .success(.reactionSet(answer)))
        // Repeating the same reaction changes nothing (RCT-1).
        guard before != chosen else { return [reply] }

        record.attachments[ReactionTally.self] = tally.isEmpty ? nil : tally
        turn.objects[id] = record
        var reacted = WireReacted()
        reacted.instance = record.wire.id
        reacted.reactions = answer.reactions
        var effects = [
            Effect.write(
                chosen.map { Reactions.setting(id, account, to: names[Int($0)]) } ?? Reactions.withdrawal(id, account)),
            reply,
            .publish(Publication(of: record, .reacted(reacted), state: turn.described(record))),
        ]
        // A withdrawal does not count as a reaction.
        if chosen != nil { effects.append(.count("reactions")) }
        return effects
    }
}
