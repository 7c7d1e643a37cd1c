import CairnClient
import CairnWire

/// A feature of the server as a crowd knows it: what people do of it, and the rules that it has to keep. A folder and a
/// line in `CrowdFeatures`.
protocol CrowdFeature: Sendable {
    /// Keys of a scenario, which are settings of `CrowdPlan`.
    static var keys: [ScenarioKey] { get }
    /// What people do again and again.
    static var activities: [Activity] { get }
    /// What the oracle holds it to.
    static var rule: any FeatureRule { get }
    /// `key=value` for `cairn serve --set`, so that the plan is what limits the crowd.
    static func settings(_ plan: CrowdPlan) -> [String]
    /// Of a plan, for people.
    static func summary(_ plan: CrowdPlan) -> [String]
    /// Once a second: what somebody holds and should not, say.
    static func look(at bot: Bot, now: UInt64) -> [any Deed]
    /// Asks to take back one thing that somebody has done to what is not theirs. False when there is none, or it cannot
    /// be asked for now.
    static func takeBack(_ bot: Bot, now: UInt64) -> Bool
}

extension CrowdFeature {
    static func summary(_ plan: CrowdPlan) -> [String] {
        activities.compactMap { activity in
            let every = activity.every(plan)
            return every > 0 ? "\(activity.name) every \(every.plain) s" : nil
        }
    }

    static func look(at bot: Bot, now: UInt64) -> [any Deed] { [] }
    static func takeBack(_ bot: Bot, now: UInt64) -> Bool { false }
}

/// Something that people do again and again.
struct Activity: Sendable {
    /// A verb, unique: `react`. Names its errands.
    let name: String
    /// The report's key for how often it was acknowledged: `reacted`.
    let count: String
    /// Seconds between two of one person; 0 = nobody does it.
    let every: @Sendable (CrowdPlan) -> Double
    /// Has somebody ask for it once, if there is anything to ask for.
    let act: @Sendable (Bot, _ due: UInt64, _ now: UInt64) -> Void
    /// What the oracle is told when an errand is acknowledged; nil = the answer is of another kind than the request.
    let deed: @Sendable (Bot.Errand, WireReply.OneOf_Result) -> (any Deed)?
}

/// What somebody did or saw of a feature. The feature's rule knows it by its type.
protocol Deed: Sendable {}

/// What the oracle holds a feature to.
protocol FeatureRule: Sendable {
    mutating func take(_ deed: any Deed, of bot: Int, _ broken: inout Broken)
    /// When everything has come to rest: what each bot holds.
    func judge(_ topics: [FinalTopic], _ broken: inout Broken)
    /// When everything has come to rest: an instance that is as it was acknowledged to be.
    /// - Parameters:
    ///   - held: as all followers of its topic hold it.
    ///   - name: of the topic.
    func judge(_ id: InstanceID, _ held: WireInstance, in name: String, _ broken: inout Broken)
}

extension FeatureRule {
    func judge(_ topics: [FinalTopic], _ broken: inout Broken) {}
    func judge(_ id: InstanceID, _ held: WireInstance, in name: String, _ broken: inout Broken) {}
}
