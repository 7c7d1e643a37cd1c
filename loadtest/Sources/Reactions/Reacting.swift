import CairnClient
import CairnTime
import CairnWire

/// Reacting to instances of others.
enum Reacting: CrowdFeature {
    /// A part of the plan.
    struct Plan: PlanPart {
        /// Seconds between two reactions of a person; 0 = none.
        var every = 10.0
    }

    static let keys: [ScenarioKey] = [
        .interval("reactEvery", \.reactEvery, "Time between two reactions of a person.")
    ]

    static let activities = [
        Activity(
            name: name, pace: { .seconds($0.reactEvery) }, isGesture: true,
            act: { bot, due, now in
                bot.react(due: due, now: now)
                return []
            })
    ]

    static let exchanges = [
        Exchange(
            name: name, count: "reacted",
            acknowledged: { _, errand, result, _ in
                guard let id = errand.kind.instance, case .reactionSet(let set) = result else { return nil }
                return Reacted(instance: id, reaction: set.reaction)
            })
    ]

    fileprivate static let name = "react"

    static var rule: any FeatureRule { ReactionRule() }

    /// The limit that all gestures share.
    static func settings(_ plan: CrowdPlan) -> [String] {
        let perMinute = CrowdFeatures.activities.reduce(0) { sum, activity in
            guard activity.isGesture, case .every(let seconds) = activity.pace(plan) else { return sum }
            return sum + 60 / seconds
        }
        return perMinute > 24 ? ["reactions.perMinute=\(Int(perMinute.rounded(.up)) + 10)"] : []
    }

    static func takeBack(_ bot: Bot, now: MonotonicTime) -> Bool { bot.withdraw(now: now) }

    static func leftCount(of bot: Bot) -> Int { bot[Reactions.self].given.count }
}

/// The instances to which a bot has reacted, and whose reactions it can withdraw.
private final class Reactions: BotPart {
    var given: [InstanceID: WireInstance] = [:]
}

extension CrowdPlan {
    /// Time between two reactions of a person, seconds; 0 = none.
    var reactEvery: Double {
        get { self[Reacting.Plan.self].every }
        set { self[Reacting.Plan.self].every = newValue }
    }
}

extension Bot {
    func react(due: MonotonicTime, now: MonotonicTime) {
        var random = nextErrand()
        let withdraws = Double.random(in: 0..<1, using: &random) < 0.1
        guard let reaction = limits.reactions.randomElement(using: &random), let instance = anyInView(using: &random),
            let id = InstanceID(instance.id),
            let ticket = try? core.react(to: instance, with: withdraws ? "" : reaction, now: now)
        else { return }
        self[Reactions.self].given[id] = withdraws ? nil : instance
        _ = note(ticket, Errand.Kind(Reacting.name, id), due: due, now: now)
    }

    /// Withdraws one reaction.
    fileprivate func withdraw(now: MonotonicTime) -> Bool {
        guard let (id, instance) = self[Reactions.self].given.first,
            let ticket = try? core.react(to: instance, with: "", now: now)
        else { return false }
        self[Reactions.self].given[id] = nil
        _ = note(ticket, Errand.Kind(Reacting.name, id), due: now, now: now)
        return true
    }
}
