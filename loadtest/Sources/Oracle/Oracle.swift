import CairnClient
import CairnWire

/// Judges a run: is told everything that bots do and see, and names every rule that the server broke (ENG-3).
///
/// It knows nothing of sockets and clocks, so a doctored log shows whether it would notice.
struct Oracle {
    private(set) var ledger = PlacementLedger()
    private var completeness: CompletenessRule
    var quotas = QuotaRule()
    /// Account ids of the crowd's people: what they have placed must have been acknowledged.
    var accounts: Set<String> = []
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
        switch observation {
        case .violation(let bot, let violation):
            broken.add(violation.rule.rawValue, "bot \(bot): \(violation)")
        case .poseFaults(let bot, let faults):
            broken.add("pose_unknown_slot", times: faults.unknownSlot, "bot \(bot)")
            broken.add("pose_reordered", times: faults.reordered, "bot \(bot)")
            broken.add("pose_repeated", times: faults.repeated, "bot \(bot)")
        case .wrongAnswer(let bot, let what): broken.add("wrong_answer", "bot \(bot): \(what)")
        case .unanswered(let bot, let count): broken.add("unanswered", times: count, "bot \(bot)")
        case .cut(let bot, let code, let reason): broken.add("connection_lost", "bot \(bot): \(code) \(reason)")
        case .stalePose(let bot, let person, let what): broken.add("pose_stale", "bot \(bot) of \(person): \(what)")
        case .unseen(let bot, let person, let cell): broken.add("person_not_seen", "bot \(bot): \(person) in \(cell)")
        case .ghost(let bot, let person, let cell): broken.add("ghost", "bot \(bot): \(person) in \(cell)")
        default: break
        }
    }

    /// The verdict when everything has come to rest.
    func judge(_ topics: [FinalTopic]) -> Broken {
        var verdict = broken
        completeness.judge(ledger.placements, &verdict)
        ConvergenceRule().judge(topics, ledger, accounts: accounts, &verdict)
        quotas.judge(ledger.placements, &verdict)
        return verdict
    }
}
