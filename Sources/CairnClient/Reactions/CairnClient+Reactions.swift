public import CairnWire

/// Reacting to things.
extension CairnClient {
    /// Reacts to an instance in view; an empty reaction withdraws.
    /// - Returns: the totals.
    @discardableResult
    public func react(to instance: WireInstance, with reaction: String) async throws(Refusal) -> [WireReactionCount] {
        let result = try await answer { (core, now) throws(Refusal) in
            try core.react(to: instance, with: reaction, now: now)
        }
        guard case .reactionSet(let set) = result else { throw Self.otherAnswer }
        return set.reactions
    }
}
