internal import CairnWire

/// A sub-realm has changed; its topic holds no instances.
enum RealmEvents: EventFold {
    static func fold(
        _ change: WireEvent.OneOf_Change, into replica: inout TopicReplica, violations: inout [Violation]
    ) -> FoldedEvent? {
        guard case .realmChanged = change else { return nil }
        return FoldedEvent(instance: nil)
    }

    static func event(of change: WireEvent.OneOf_Change) -> ClientEvent? {
        guard case .realmChanged(let changed) = change else { return nil }
        return .realmChanged(id: changed.realm)
    }
}
