internal import CairnWire

/// A draft of a tour has changed; its topic holds no instances.
enum TourEvents: EventFold {
    static func fold(
        _ change: WireEvent.OneOf_Change, into replica: inout TopicReplica, violations: inout [Violation]
    ) -> FoldedEvent? {
        guard case .tourChanged = change else { return nil }
        return FoldedEvent(instance: nil)
    }

    static func event(of change: WireEvent.OneOf_Change) -> ClientEvent? {
        guard case .tourChanged(let changed) = change else { return nil }
        return .tourChanged(id: changed.tour, part: changed.part, version: changed.version)
    }
}
