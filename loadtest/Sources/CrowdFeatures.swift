import CairnClient
import CairnWire

/// The crowd's register of features, a line each.
enum CrowdFeatures {
    static let all: [any CrowdFeature.Type] = [
        Placing.self,
        Reacting.self,
        Square.self,
        Gathering.self,
        Befriending.self,
        Touring.self,
        Asking.self,
        Looking.self,
    ]

    static let keys: [ScenarioKey] = all.flatMap { $0.keys }

    /// The activities, whose indices beats refer to.
    static let activities: [Activity] = all.flatMap { $0.activities }

    static let exchanges: [Exchange] = all.flatMap { $0.exchanges }

    /// The requests of all features that change nothing.
    static let questions: [Question] = all.flatMap { $0.questions }

    private static let exchangesByName = Dictionary(uniqueKeysWithValues: exchanges.map { ($0.name, $0) })

    static func exchange(of kind: Bot.Errand.Kind) -> Exchange? { exchangesByName[kind.name] }

    /// Whether a feature reserves the instance for itself.
    static func isOwned(_ instance: WireInstance) -> Bool { all.contains { $0.owns(instance) } }

    /// The sub-realms in which a bot shares what it leaves next.
    static func audience(of bot: Bot, using random: inout SeededGenerator) -> [String] {
        all.flatMap { $0.audience(of: bot, using: &random) }
    }

    /// The mark of an event; nil = nothing that people ask for leads to it.
    static func broadcast(of change: WireEvent.OneOf_Change) -> BroadcastMark? {
        first { $0.broadcast(of: change) }
    }

    /// What followers are told after a success; nil = nothing.
    static func broadcast(of result: WireReply.OneOf_Result, to errand: Bot.Errand) -> Broadcast? {
        first { $0.broadcast(of: result, to: errand) }
    }

    private static func first<Found>(_ look: (any CrowdFeature.Type) -> Found?) -> Found? {
        for feature in all {
            if let found = look(feature) { return found }
        }
        return nil
    }

    static func isForAll(_ instance: WireInstance) -> Bool { all.allSatisfy { $0.isForAll(instance) } }
}
