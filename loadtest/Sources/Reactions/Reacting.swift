import CairnClient
import CairnWire

/// Reacting to what others have left.
enum Reacting: CrowdFeature {
    /// A part of the plan.
    struct Plan: PlanPart {
        /// Seconds between two of a person; 0 = none.
        var every = 10.0
    }

    static let keys: [ScenarioKey] = [
        .interval("reactEvery", \.reactEvery, "Time between two reactions of a person.")
    ]

    static let activities = [
        Activity(
            name: "react", count: "reacted", every: \.reactEvery, act: { $0.react(due: $1, now: $2) },
            deed: { errand, result in
                guard let id = errand.kind.instance, case .reactionSet(let set) = result else { return nil }
                return Reacted(instance: id, reaction: set.reaction)
            })
    ]

    static var rule: any FeatureRule { ReactionRule() }

    /// Reactions and votes share a limit.
    static func settings(_ plan: CrowdPlan) -> [String] {
        let perMinute = [plan.reactEvery, plan.voteEvery].filter { $0 > 0 }.reduce(0) { $0 + 60 / $1 }
        return perMinute > 24 ? ["reactions.perMinute=\(Int(perMinute.rounded(.up)) + 10)"] : []
    }

    static func takeBack(_ bot: Bot, now: UInt64) -> Bool { bot.withdraw(now: now) }
}

extension CrowdPlan {
    /// Time between two reactions of a person, seconds; 0 = none.
    var reactEvery: Double {
        get { self[Reacting.Plan.self].every }
        set { self[Reacting.Plan.self].every = newValue }
    }
}

extension Bot {
    private static let react = "react"

    func react(due: UInt64, now: UInt64) {
        var random = nextErrand()
        let withdraws = Double.random(in: 0..<1, using: &random) < 0.1
        guard let reaction = limits.reactions.randomElement(using: &random), let instance = anyInView(using: &random),
            let id = InstanceID(instance.id),
            let ticket = try? core.react(to: instance, with: withdraws ? "" : reaction, now: now)
        else { return }
        touched[Self.react, default: [:]][id] = withdraws ? nil : instance
        _ = note(ticket, Errand.Kind(Self.react, id), due: due, now: now)
    }

    /// Takes one reaction back.
    fileprivate func withdraw(now: UInt64) -> Bool {
        guard let (id, instance) = touched[Self.react]?.first,
            let ticket = try? core.react(to: instance, with: "", now: now)
        else { return false }
        touched[Self.react]?[id] = nil
        _ = note(ticket, Errand.Kind(Self.react, id), due: now, now: now)
        return true
    }
}
