import CairnWire

/// The crowd's register: the features that it knows, a line each.
enum CrowdFeatures {
    static let all: [any CrowdFeature.Type] = [
        Placing.self,
        Reacting.self,
        Square.self,
    ]

    static let keys: [ScenarioKey] = all.flatMap { $0.keys }

    /// By their number, as beats name them.
    static let activities: [Activity] = all.flatMap { $0.activities }

    static let exchanges: [Exchange] = all.flatMap { $0.exchanges }

    private static let exchangesByName = Dictionary(uniqueKeysWithValues: exchanges.map { ($0.name, $0) })

    static func exchange(of kind: Bot.Errand.Kind) -> Exchange? { exchangesByName[kind.name] }

    /// Whether an instance is of a feature that keeps its instances to itself.
    static func isOwned(_ instance: WireInstance) -> Bool { all.contains { $0.owns(instance) } }

    static func isForAll(_ instance: WireInstance) -> Bool { all.allSatisfy { $0.isForAll(instance) } }
}
