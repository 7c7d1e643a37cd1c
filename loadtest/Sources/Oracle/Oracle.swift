import CairnClient
import CairnWire

/// Judges a run: is told everything that bots do and see, and names every rule that the server broke (ENG-3).
///
/// It knows nothing of sockets and clocks, so a doctored log shows whether it would notice.
struct Oracle {
    private(set) var ledger = PlacementLedger()
    private var completeness: CompletenessRule
    private var sameness = SamenessRule()
    var quotas = QuotaRule()
    /// Of the features, in the order of the register.
    private var rules: [any FeatureRule] = CrowdFeatures.all.map { $0.rule }
    /// How far people see; infinite until the server has said so.
    var viewRadiusMetres = Double.infinity
    var graceMicroseconds: UInt64 {
        get { completeness.graceMicroseconds }
        set { completeness.graceMicroseconds = newValue }
    }
    /// Rules of the protocol, broken as it went along.
    private(set) var broken = Broken()

    init(bots: Int) {
        completeness = CompletenessRule(bots: bots)
    }

    mutating func take(_ observation: Observation) {
        ledger.take(observation)
        completeness.take(observation)
        sameness.take(observation, &broken)
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
        case .refusedWithinQuota(let bot, let code): broken.add("refused_within_quota", "bot \(bot): \(code)")
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
        default: break
        }
    }

    /// The furthest that a cell in view may be.
    private var sightMetres: Double { viewRadiusMetres * Self.viewSlack + Self.viewEdgeMetres }

    /// What keeps a view from flickering: a cell stays in it a little longer than it would come into it.
    private static let viewSlack = 1.25
    /// And how far somebody may be from where the server has them.
    private static let viewEdgeMetres = 10.0

    /// The verdict when everything has come to rest.
    func judge(_ topics: [FinalTopic]) -> Broken {
        var verdict = broken
        completeness.judge(ledger.placements, &verdict)
        ConvergenceRule { id, held, name, broken in
            for rule in rules { rule.judge(id, held, in: name, &broken) }
        }.judge(topics, ledger.placements, &verdict)
        quotas.judge(ledger.placements, &verdict)
        for rule in rules { rule.judge(topics, &verdict) }
        return verdict
    }
}
