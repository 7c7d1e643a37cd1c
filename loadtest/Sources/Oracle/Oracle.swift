import CairnClient
import CairnWire

/// Judges a run: receives everything that bots do and see, and names every rule that the server broke (ENG-3).
///
/// It uses no sockets and no clocks, so tests feed it doctored logs to see whether it detects faults.
struct Oracle {
    private var sameness = SamenessRule()
    private var scopes = ScopeRule()
    /// The rules of features, in the order of the register.
    private var rules: [any FeatureRule] = CrowdFeatures.all.map { $0.rule }
    /// The view radius; infinite until the server has sent it.
    var viewRadiusMetres = Double.infinity
    /// Longest accepted delay of an event.
    var grace: Duration = .seconds(2)
    /// Rules that were broken during the run.
    private(set) var broken = Broken()

    /// Takes the server's limits.
    mutating func learn(_ limits: WireLimits) {
        for index in rules.indices { rules[index].learn(limits) }
    }

    mutating func take(_ observation: Observation) {
        sameness.take(observation, &broken)
        scopes.take(observation, &broken)
        switch observation {
        case .violation(let bot, let violation):
            broken.add(violation.rule.rawValue, "bot \(bot): \(violation)")
        case .poseFaults(let bot, let faults):
            broken.add("pose_unknown_slot", times: faults.unknownSlot, "bot \(bot)")
            broken.add("pose_reordered", times: faults.reordered, "bot \(bot)")
            broken.add("pose_repeated", times: faults.repeated, "bot \(bot)")
            broken.add("pose_unsent", times: faults.unsent, "bot \(bot)")
        case .posesLost(let count): broken.add("pose_lost", times: count, "over all receivers")
        case .notReturned(let bot): broken.add("not_returned", "bot \(bot)")
        case .presenceOutOfView(let bot, let cell): broken.add("presence_out_of_view", "bot \(bot): \(cell)")
        case .wrongAnswer(let bot, let what): broken.add("wrong_answer", "bot \(bot): \(what)")
        case .unanswered(let bot, let count): broken.add("unanswered", times: count, "bot \(bot)")
        case .cut(let bot, let code, let reason): broken.add("connection_lost", "bot \(bot): \(code) \(reason)")
        case .stalePose(let bot, let person, let what): broken.add("pose_stale", "bot \(bot) of \(person): \(what)")
        case .unseen(let bot, let person, let cell): broken.add("person_not_seen", "bot \(bot): \(person) in \(cell)")
        case .ghost(let bot, let person, let cell): broken.add("ghost", "bot \(bot): \(person) in \(cell)")
        case .hiddenSeen(let bot, let person, let cell):
            broken.add("hidden_person_seen", "bot \(bot): \(person) in \(cell)")
        case .seen(let bot, let cell, let metres) where metres > sightMetres:
            broken.add("out_of_view", "bot \(bot): \(cell), \(Int(metres)) m away")
        case .did(let bot, let deed): for index in rules.indices { rules[index].take(deed, of: bot, &broken) }
        case .notFollowed(let bot, let cell): broken.add("not_followed", "bot \(bot): \(cell)")
        default: for index in rules.indices { rules[index].take(observation) }
        }
    }

    /// The greatest distance of a cell in view.
    private var sightMetres: Double { viewRadiusMetres * Self.viewSlack + Self.viewEdgeMetres }

    /// Hysteresis of the view: a cell leaves it at a greater distance than it enters.
    private static let viewSlack = 1.25
    /// Greatest distance between a bot and its position at the server.
    private static let viewEdgeMetres = 10.0

    /// The verdict at the end of the run.
    func judge(_ topics: [FinalTopic]) -> Broken {
        var verdict = broken
        let views = FinalViews(topics, grace: grace, rights: scopes.rights)
        ConvergenceRule().judge(views, &verdict)
        scopes.judge(views, &verdict)
        let held = rules.flatMap { $0.judge(views, &verdict) }
        for rule in rules {
            for instance in held { rule.judge(instance, &verdict) }
        }
        return verdict
    }
}
