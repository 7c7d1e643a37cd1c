internal import CairnWire

/// Applies one feature's events to the instances of a topic.
protocol EventFold: Sendable {
    /// - Returns: nil when the change is another feature's.
    static func fold(
        _ change: WireEvent.OneOf_Change, into replica: inout TopicReplica, violations: inout [Violation]
    ) -> FoldedEvent?
    /// The user's own instance that a success tells of; nil = none.
    static func own(in result: WireReply.OneOf_Result) -> WireInstance?
    /// The meaning of a change for apps, beside the instances that it changes; nil = none.
    static func event(of change: WireEvent.OneOf_Change) -> ClientEvent?
}

extension EventFold {
    static func own(in result: WireReply.OneOf_Result) -> WireInstance? { nil }
    static func event(of change: WireEvent.OneOf_Change) -> ClientEvent? { nil }
}

/// The subject of an event.
struct FoldedEvent {
    /// If it is one that the topic holds or held.
    let instance: InstanceID?
    var holding = Holding.stays

    /// Whether the topic has the instance after the event.
    enum Holding {
        /// As it was.
        case stays
        case begins
        case ends
        /// Another topic has it, at this version.
        case movesOut(version: UInt32)
    }
}
