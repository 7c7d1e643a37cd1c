import CairnWire

/// Broadcasts of reactions.
extension Reacting {
    static func broadcast(of change: WireEvent.OneOf_Change) -> BroadcastMark? {
        guard case .reacted(let reacted) = change else { return nil }
        return mark(reacted.reactions, of: reacted.instance)
    }

    static func broadcast(of result: WireReply.OneOf_Result, to errand: Bot.Errand) -> Broadcast? {
        guard case .reactionSet(let set) = result else { return nil }
        return Broadcast(mark: mark(set.reactions, of: set.instance), own: set.reaction)
    }

    private static func mark(_ totals: [WireReactionCount], of instance: String) -> BroadcastMark {
        .passing(totals.map { "\($0.reaction) \($0.count)" }.joined(separator: ","), of: instance)
    }
}
