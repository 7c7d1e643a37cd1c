import CairnClient
import CairnTime
import CairnWire

/// A feature of the server as a crowd knows it: what people do of it, and the rules that it has to keep. A folder and a
/// line in `CrowdFeatures`.
protocol CrowdFeature: Sendable {
    /// Keys of a scenario, which are settings of `CrowdPlan`.
    static var keys: [ScenarioKey] { get }
    /// Those that are about it and come with the tool.
    static var scenarios: [Scenario.Shipped] { get }
    /// What people do again and again.
    static var activities: [Activity] { get }
    /// The requests that they make for it.
    static var exchanges: [Exchange] { get }
    /// What the oracle holds it to.
    static var rule: any FeatureRule { get }
    /// `key=value` for `cairn serve --set`, so that the plan is what limits the crowd.
    static func settings(_ plan: CrowdPlan) -> [String]
    /// Of a plan, for people.
    static func summary(_ plan: CrowdPlan) -> [String]
    /// Figures of the report that are made of others, by key.
    static func figures(_ report: CrowdReport) -> [String: Double]
    /// Whether an instance is one of its own, which bots of other features leave alone.
    static func owns(_ instance: WireInstance) -> Bool
    /// Whether every follower of a topic is told of an instance, and not its author alone.
    static func isForAll(_ instance: WireInstance) -> Bool
    /// Once a second: what somebody holds and should not, say.
    static func look(at bot: Bot, now: MonotonicTime) -> [any Deed]
    /// Sends a request that undoes one thing the bot has done.
    /// - Returns: false when nothing is left, or the bot cannot send the request.
    static func takeBack(_ bot: Bot, now: MonotonicTime) -> Bool
    /// How many things the bot still has to take back, by its own count.
    static func leftCount(of bot: Bot) -> Int
}

extension CrowdFeature {
    static var scenarios: [Scenario.Shipped] { [] }

    static func summary(_ plan: CrowdPlan) -> [String] {
        activities.compactMap { activity in
            guard case .every(let seconds) = activity.pace(plan) else { return nil }
            return "\(activity.name) every \(seconds.plain) s"
        }
    }

    static func figures(_ report: CrowdReport) -> [String: Double] { [:] }
    static func owns(_ instance: WireInstance) -> Bool { false }
    static func isForAll(_ instance: WireInstance) -> Bool { true }
    static func look(at bot: Bot, now: MonotonicTime) -> [any Deed] { [] }
    static func takeBack(_ bot: Bot, now: MonotonicTime) -> Bool { false }
    static func leftCount(of bot: Bot) -> Int { 0 }
}

/// Something that people do again and again.
struct Activity: Sendable {
    /// How often a person does it.
    enum Pace: Equatable, Sendable {
        case never
        /// Seconds between two times.
        case every(Double)
        /// A closed loop of this many requests: each answer is followed by the next request.
        case inFlight(Int)

        /// Seconds, as a scenario has them; 0 = never.
        static func seconds(_ seconds: Double) -> Pace { seconds > 0 ? .every(seconds) : .never }
    }

    /// A verb, unique: `react`.
    let name: String
    let pace: @Sendable (CrowdPlan) -> Pace
    /// Requests that one act makes, for a bot that keeps to the quotas.
    var requestsAtOnce: @Sendable (CrowdPlan) -> Int = { _ in 1 }
    /// Whether it is one of the gestures that share a rate limit of the server.
    var isGesture = false
    /// Sends the bot's request, if there is one to send.
    /// - Returns: what the oracle has to know before the answer comes.
    let act: @Sendable (Bot, _ due: MonotonicTime, _ now: MonotonicTime) -> [any Deed]
}

/// A request that bots make, and what its answer means.
struct Exchange: Sendable {
    /// A verb, unique: `react`. Names its errands.
    let name: String
    /// The report's key for how often it was acknowledged: `reacted`.
    let count: String
    /// What the oracle is told of an acknowledgement; nil = it is of another kind than the request.
    let acknowledged: @Sendable (Bot, Bot.Errand, WireReply.OneOf_Result, _ now: MonotonicTime) -> (any Deed)?
    /// What the oracle is told of a refusal.
    var refused: @Sendable (Bot, Bot.Errand, Refusal, _ now: MonotonicTime) -> [any Deed] = { _, _, _, _ in [] }
}

/// What a feature keeps with a bot: nothing, when it is made. A class, so that it changes in its place.
protocol BotPart: AnyObject {
    init()
}

/// What somebody did or saw of a feature. The feature's rule knows it by its type.
protocol Deed: Sendable {
    /// What an answer told of an instance; nil = nothing.
    var telling: Telling? { get }
}

extension Deed {
    var telling: Telling? { nil }
}

/// What an answer tells of an instance, beside what events and snapshots tell of it.
enum Telling {
    case whole(WireInstance)
    /// Without its text and data.
    case withoutWords(WireInstance)
    /// There is no such instance any more.
    case removed(InstanceID)
}
