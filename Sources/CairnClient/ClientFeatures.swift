/// The client's register: the features whose events it understands, a line each.
enum ClientFeatures {
    static let folds: [any EventFold.Type] = [
        PlacementEvents.self,
        ReactionEvents.self,
    ]
}
