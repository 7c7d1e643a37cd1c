internal import CairnWire

/// The client's register: the features whose events it understands, a line each.
enum ClientFeatures {
    static let folds: [any EventFold.Type] = [
        PlacementEvents.self,
        ReactionEvents.self,
        PostEvents.self,
        RealmEvents.self,
        RunEvents.self,
        TourEvents.self,
    ]

    /// The meaning of a change for apps, beside the instances that it changes.
    static func event(of change: WireEvent.OneOf_Change?) -> ClientEvent? {
        change.flatMap { change in folds.lazy.compactMap { $0.event(of: change) }.first }
    }

    /// The user's own instance that a success tells of.
    static func own(in result: WireReply.OneOf_Result) -> WireInstance? {
        folds.lazy.compactMap { $0.own(in: result) }.first
    }
}
