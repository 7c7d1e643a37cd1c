internal import CairnWire

/// A run has gone on; its topic holds no instances.
enum RunEvents: EventFold {
    static func fold(
        _ change: WireEvent.OneOf_Change, into replica: inout TopicReplica, violations: inout [Violation]
    ) -> FoldedEvent? {
        event(of: change).map { _ in FoldedEvent(instance: nil) }
    }

    static func event(of change: WireEvent.OneOf_Change) -> ClientEvent? {
        switch change {
        case .stopReached(let reached): .run(reached.run)
        case .runChanged(let changed): .run(changed.run)
        case .popupShown(let shown): .popupShown(shown.popup)
        case .groupEnded(let ended): .groupEnded(id: ended.group)
        default: nil
        }
    }
}
