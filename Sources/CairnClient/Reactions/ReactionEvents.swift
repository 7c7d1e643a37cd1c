internal import CairnWire

/// The totals of an instance change.
enum ReactionEvents: EventFold {
    static func fold(
        _ change: WireEvent.OneOf_Change, into replica: inout TopicReplica, violations: inout [Violation]
    ) -> FoldedEvent? {
        guard case .reacted(let reacted) = change else { return nil }
        let id = replica.alter(reacted.instance, violations: &violations) { instance, _ in
            instance.reactions = reacted.reactions
        }
        return FoldedEvent(instance: id)
    }
}
