internal import CairnWire

/// The client's register: the features whose events it understands, a line each.
enum ClientFeatures {
    static let folds: [any EventFold.Type] = [
        PlacementEvents.self,
        ReactionEvents.self,
        PostEvents.self,
    ]

    /// The user's own instance that a success tells of.
    static func own(in result: WireReply.OneOf_Result) -> WireInstance? {
        folds.lazy.compactMap { $0.own(in: result) }.first
    }
}
