import CairnClient
import CairnGeo
import CairnWire

/// The rule by which the oracle judges a feature.
protocol FeatureRule: Sendable {
    /// Takes the server's limits.
    mutating func learn(_ limits: WireLimits)
    /// Takes an observation that is no deed, for instance a change of a bot's view.
    mutating func take(_ observation: Observation)
    mutating func take(_ deed: any Deed, of bot: Int, _ broken: inout Broken)
    /// Judges the views at the end of the run.
    /// - Returns: the instances in their acknowledged state, which the rules of other features judge further.
    func judge(_ views: FinalViews, _ broken: inout Broken) -> [HeldInstance]
    /// Judges an instance at the end of the run that the rule of another feature has found in order.
    func judge(_ held: HeldInstance, _ broken: inout Broken)
}

extension FeatureRule {
    mutating func learn(_ limits: WireLimits) {}
    mutating func take(_ observation: Observation) {}
    func judge(_ views: FinalViews, _ broken: inout Broken) -> [HeldInstance] { [] }
    func judge(_ held: HeldInstance, _ broken: inout Broken) {}
}

/// A bot's replica of a topic at the end of the run.
struct FinalTopic {
    let bot: Int
    let replica: TopicReplica
    /// As in observations: `TopicName.view(of:shown:)`.
    let name: String
    /// Whether the bot has no account.
    let isOfGuest: Bool

    /// - Parameter shown: the sub-realm that the bot has selected; empty = it is shown what is everyone's.
    init(bot: Int, replica: TopicReplica, shown: String = "", isOfGuest: Bool = false) {
        self.bot = bot
        self.replica = replica
        self.isOfGuest = isOfGuest
        let isOfRealm = !shown.isEmpty && CellID(token: replica.cellToken) != nil
        name = isOfRealm ? TopicName.view(of: replica.cellToken, shown: shown) : replica.name
    }
}

/// All bots' replicas at the end of the run.
struct FinalViews {
    let topics: [FinalTopic]
    /// One complete view of each topic, with which the others are compared.
    let references: [String: FinalTopic]
    /// Who may see what.
    let rights: RightHistory
    /// Longest accepted time from an acknowledgement to its event, for a bot that then leaves. It is longer than any
    /// delay in this run, so that a starved machine is not reported as a fault.
    let grace: Duration

    init(_ topics: [FinalTopic], grace: Duration, rights: RightHistory = RightHistory()) {
        self.topics = topics
        self.grace = grace
        self.rights = rights
        references = Dictionary(
            topics.lazy.filter(\.replica.isComplete).map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first })
    }
}

/// An instance that all followers of its topic hold in the same state.
struct HeldInstance {
    let id: InstanceID
    let instance: WireInstance
    let topic: String
}
