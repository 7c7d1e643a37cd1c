public import CairnCore
public import CairnWire

extension Reactions {
    /// Takes back a person's reactions in the cell; the totals follow.
    public static func erase(_ account: AccountID, in turn: inout Turn) -> [Effect] {
        let reacted = turn.erasable(.object) { $0.attachments[ReactionTally.self]?[account] != nil }
        var effects: [Effect] = []
        for var record in reacted {
            guard var tally = record.attachments[ReactionTally.self] else { continue }
            tally[account] = nil
            record.attachments[ReactionTally.self] = tally.isEmpty ? nil : tally
            turn.objects[record.id] = record
            var event = WireReacted()
            event.instance = record.wire.id
            event.reactions = tally.counts(names: turn.settings.reactions.names)
            effects += [
                .write(withdrawal(record.id, account)),
                .publish(Publication(of: record, .reacted(event), state: turn.described(record))),
            ]
        }
        return effects
    }
}
