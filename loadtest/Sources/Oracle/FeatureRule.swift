import CairnClient
import CairnWire

/// What the oracle holds a feature to.
protocol FeatureRule: Sendable {
    /// The server has said what it allows.
    mutating func learn(_ limits: WireLimits)
    /// An observation that is no deed: for instance that a bot's view has changed.
    mutating func take(_ observation: Observation)
    mutating func take(_ deed: any Deed, of bot: Int, _ broken: inout Broken)
    /// When everything has come to rest.
    /// - Returns: the instances that are as they were acknowledged to be. The rules of other features judge these.
    func judge(_ views: FinalViews, _ broken: inout Broken) -> [HeldInstance]
    /// When everything has come to rest: an instance that is as the rule of some feature wants it.
    func judge(_ held: HeldInstance, _ broken: inout Broken)
}

extension FeatureRule {
    mutating func learn(_ limits: WireLimits) {}
    mutating func take(_ observation: Observation) {}
    func judge(_ views: FinalViews, _ broken: inout Broken) -> [HeldInstance] { [] }
    func judge(_ held: HeldInstance, _ broken: inout Broken) {}
}

/// What one bot holds when everything has come to rest.
struct FinalTopic {
    let bot: Int
    let replica: TopicReplica
}

/// What all bots hold when everything has come to rest.
struct FinalViews {
    let topics: [FinalTopic]
    /// One complete view of each topic, with which the others are compared.
    let references: [String: FinalTopic]
    /// Time that an event may take after the acknowledgement, on its way to somebody who then leaves. Longer than
    /// anything took in this run, so that a starved machine is not taken for a fault.
    let grace: Duration

    init(_ topics: [FinalTopic], grace: Duration) {
        self.topics = topics
        self.grace = grace
        references = Dictionary(
            topics.lazy.filter(\.replica.isComplete).map { ($0.replica.name, $0) },
            uniquingKeysWith: { first, _ in first })
    }
}

/// An instance as all followers of its topic hold it.
struct HeldInstance {
    let id: InstanceID
    let instance: WireInstance
    let topic: String
}
