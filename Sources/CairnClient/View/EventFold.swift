internal import CairnWire

/// What one feature's events do to the instances of a topic.
protocol EventFold {
    /// - Returns: nil when the change is another feature's.
    static func fold(
        _ change: WireEvent.OneOf_Change, into replica: inout TopicReplica, violations: inout [Violation]
    ) -> FoldedEvent?
}

/// The instance that an event was about, if it is one that the topic holds or held.
struct FoldedEvent {
    let instance: InstanceID?
}
