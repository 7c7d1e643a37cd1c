public import CairnWire

/// Reacting to things.
extension CairnClient {
    /// Reacts to an instance in view; an empty reaction withdraws.
    /// - Returns: the totals.
    @discardableResult
    public func react(to instance: WireInstance, with reaction: String) async throws(Refusal) -> [WireReactionCount] {
        try await ask(WireReact(to: instance, with: reaction)).reactions
    }

    /// Lists the people who have reacted to an instance in view, as far as their privacy settings allow (RCT-2).
    /// - Parameter reaction: this one only; empty = any.
    public func reactions(to instance: WireInstance, only reaction: String = "") async throws(Refusal)
        -> [WireNamedReaction]
    {
        var body = WireListReactions()
        body.instance = instance.id
        body.cell = instance.cell
        body.reaction = reaction
        return try await ask(body).reactions
    }
}
