import CairnClient
import CairnTime
import CairnWire

/// A feature of the server, as a crowd uses and judges it: the actions of people, and the rules that the server has to
/// keep. It is a folder and a line in `CrowdFeatures`.
protocol CrowdFeature: Sendable {
    /// Keys of a scenario, which are settings of `CrowdPlan`.
    static var keys: [ScenarioKey] { get }
    /// The repeated actions of people.
    static var activities: [Activity] { get }
    /// The requests that these actions send.
    static var exchanges: [Exchange] { get }
    /// Its requests that change nothing (`askEvery`).
    static var questions: [Question] { get }
    /// The rule by which the oracle judges the feature.
    static var rule: any FeatureRule { get }
    /// Settings for the server, as `key=value` for `cairn serve --set`, so that only the plan limits the crowd.
    static func settings(_ plan: CrowdPlan) -> [String]
    /// The feature's part of a plan, as text for people.
    static func summary(_ plan: CrowdPlan) -> [String]
    /// Figures that are derived from others of the report, by key.
    static func figures(_ report: CrowdReport) -> [String: Double]
    /// Whether the feature reserves an instance for itself: actions of other features leave it alone.
    static func owns(_ instance: WireInstance) -> Bool
    /// Whether every follower of a topic gets an instance, and not only its author.
    static func isForAll(_ instance: WireInstance) -> Bool
    /// The sub-realms in which a bot shares what it leaves next; none = it is everyone's.
    static func audience(of bot: Bot, using random: inout SeededGenerator) -> [String]
    /// The mark of an event that tells followers of a change for which people ask.
    static func broadcast(of change: WireEvent.OneOf_Change) -> BroadcastMark?
    /// What followers are told after a success; nil = nothing.
    static func broadcast(of result: WireReply.OneOf_Result, to errand: Bot.Errand) -> Broadcast?
    /// Checks a bot's view once a second, for instance for instances that should be gone. Requests of the bot are sent
    /// afterwards.
    static func look(at bot: Bot, now: MonotonicTime) -> [any Deed]
    /// Sends a request that undoes one thing the bot has done.
    /// - Returns: false when nothing is left, or the bot cannot send the request.
    static func takeBack(_ bot: Bot, now: MonotonicTime) -> Bool
    /// How many things the bot still has to take back, by its own count.
    static func leftCount(of bot: Bot) -> Int
}

extension CrowdFeature {
    static func summary(_ plan: CrowdPlan) -> [String] {
        activities.compactMap { activity in
            guard case .every(let seconds) = activity.pace(plan) else { return nil }
            return "\(activity.name) every \(seconds.plain) s"
        }
    }

    static func figures(_ report: CrowdReport) -> [String: Double] { [:] }
    static func owns(_ instance: WireInstance) -> Bool { false }
    static func isForAll(_ instance: WireInstance) -> Bool { true }
    static var questions: [Question] { [] }
    static func audience(of bot: Bot, using random: inout SeededGenerator) -> [String] { [] }
    static func broadcast(of change: WireEvent.OneOf_Change) -> BroadcastMark? { nil }
    static func broadcast(of result: WireReply.OneOf_Result, to errand: Bot.Errand) -> Broadcast? { nil }
    static func look(at bot: Bot, now: MonotonicTime) -> [any Deed] { [] }
    static func takeBack(_ bot: Bot, now: MonotonicTime) -> Bool { false }
    static func leftCount(of bot: Bot) -> Int { 0 }
}

/// A repeated action of people.
struct Activity: Sendable {
    /// How often a person does it.
    enum Pace: Equatable, Sendable {
        case never
        /// Seconds between two actions.
        case every(Double)
        /// A closed loop of this many requests: each answer is followed by the next request.
        case inFlight(Int)

        /// Seconds, as a scenario has them; 0 = never.
        static func seconds(_ seconds: Double) -> Pace { seconds > 0 ? .every(seconds) : .never }
    }

    /// A verb, unique: `react`.
    let name: String
    let pace: @Sendable (CrowdPlan) -> Pace
    /// Requests of one action, for a bot that keeps to the quotas.
    var requestsAtOnce: @Sendable (CrowdPlan) -> Int = { _ in 1 }
    /// Whether it is one of the gestures that share a rate limit of the server.
    var isGesture = false
    /// Whether guests do it, and nobody else.
    var isOfGuests = false
    /// Sends the bot's request, if there is one to send.
    /// - Returns: observations for the oracle from before the answer.
    let act: @Sendable (Bot, _ due: MonotonicTime, _ now: MonotonicTime) -> [any Deed]
}

/// A kind of request of bots, with the meaning of its answers.
struct Exchange: Sendable {
    /// A verb, unique: `react`. Names its errands.
    let name: String
    /// The report's key for the number of acknowledgements: `reacted`.
    let count: String
    /// The oracle's observation of an acknowledgement; nil = it does not belong to this kind of request.
    let acknowledged: @Sendable (Bot, Bot.Errand, WireReply.OneOf_Result, _ now: MonotonicTime) -> (any Deed)?
    /// The oracle's observations of a refusal.
    var refused: @Sendable (Bot, Bot.Errand, Refusal, _ now: MonotonicTime) -> [any Deed] = { _, _, _, _ in [] }
}

/// A feature's state of a bot, or of all bots together, created empty. A class, so that it is changed in place.
protocol BotPart: AnyObject {
    init()
}

/// The parts of features, created on first use.
struct BotParts {
    private var made: [ObjectIdentifier: any BotPart] = [:]

    mutating func part<Part: BotPart>(_ type: Part.Type) -> Part {
        if let known = made[ObjectIdentifier(type)] as? Part { return known }
        let new = Part()
        made[ObjectIdentifier(type)] = new
        return new
    }
}

/// A bot's action or observation of a feature. The feature's rule recognises it by its type.
protocol Deed: Sendable {
    /// The instance in an answer; nil = none.
    var telling: Telling? { get }
    /// The rights that a request or its answer changes.
    var rightChanges: [RightChange] { get }
    /// The rights without which the request would have been refused.
    var rightUses: [RightUse] { get }
}

extension Deed {
    var telling: Telling? { nil }
    var rightChanges: [RightChange] { [] }
    var rightUses: [RightUse] { [] }
}

/// The state of an instance in an answer, to compare with events and snapshots.
enum Telling {
    case whole(WireInstance)
    /// Without its text and data.
    case withoutWords(WireInstance)
    /// The instance no longer exists.
    case removed(InstanceID)
}
