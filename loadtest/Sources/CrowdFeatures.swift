/// The crowd's register: the features that it knows, a line each.
enum CrowdFeatures {
    static let all: [any CrowdFeature.Type] = [
        Reacting.self,
        Square.self,
    ]

    static let keys: [ScenarioKey] = all.flatMap { $0.keys }

    /// By their number, as beats name them.
    static let activities: [Activity] = all.flatMap { $0.activities }

    static func activity(of kind: Bot.Errand.Kind) -> Activity? { activities.first { $0.name == kind.name } }
}
