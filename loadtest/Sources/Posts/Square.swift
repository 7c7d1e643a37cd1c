import CairnClient
import CairnTime
import CairnWire

/// The actions of people on posts.
enum Square: CrowdFeature {
    /// A part of the plan.
    struct Plan: PlanPart {
        /// Seconds between two posts of a person; 0 = none.
        var postEvery = 0.0
        /// Seconds between two votes of a person; 0 = none.
        var voteEvery = 0.0
        /// How long posts live.
        var postSeconds = 86_400
    }

    static let keys: [ScenarioKey] = [
        .interval("postEvery", \.postEvery, "Time between two posts of a person."),
        .interval("voteEvery", \.voteEvery, "Time between two votes of a person."),
        .integer(
            "postSeconds", \.postSeconds, 1...86_400, unit: "seconds",
            "How long posts live; the server's posts.lifeSeconds."),
    ]

    static let activities = [
        Activity(
            name: "post", pace: { .seconds($0.postEvery) },
            act: { bot, due, now in
                bot.post(due: due, now: now)
                return []
            }),
        Activity(
            name: "vote", pace: { .seconds($0.voteEvery) }, isGesture: true,
            act: { bot, due, now in
                bot.vote(due: due, now: now)
                return []
            }),
    ]

    static let exchanges = [
        Exchange(
            name: "post", count: "posted",
            acknowledged: { _, _, result, _ in
                guard case .postCreated(let created) = result else { return nil }
                return PostObservation.posted(created.post)
            }),
        Exchange(
            name: "vote", count: "voted",
            acknowledged: { _, errand, result, _ in
                guard let id = errand.kind.instance, case .voteSet(let set) = result else { return nil }
                return PostObservation.voted(id, set)
            }),
    ]

    static var rule: any FeatureRule { PostRule() }

    static func settings(_ plan: CrowdPlan) -> [String] {
        guard plan.postEvery > 0 else { return [] }
        let perMinute = Int((60 / plan.postEvery).rounded(.up)) + 2
        return [
            "posts.perMinute=\(perMinute)", "posts.perDay=\(perMinute * 60)", "posts.lifeSeconds=\(plan.postSeconds)",
            "posts.perCellMax=100000",
        ]
    }

    static func summary(_ plan: CrowdPlan) -> [String] {
        var parts: [String] = []
        if plan.postEvery > 0 { parts.append("post every \(plan.postEvery.plain) s for \(plan.postSeconds) s") }
        if plan.voteEvery > 0 { parts.append("vote every \(plan.voteEvery.plain) s") }
        return parts
    }

    static func owns(_ instance: WireInstance) -> Bool { instance.hasPost }

    /// Only its author sees a hidden post.
    static func isForAll(_ instance: WireInstance) -> Bool { !instance.post.hidden }

    /// Checks that no post is held long after its end.
    static func look(at bot: Bot, now: MonotonicTime) -> [any Deed] {
        bot.endedPosts(at: now).map { PostObservation.heldAfterItsEnd($0.id, milliseconds: $0.milliseconds) }
    }
}

extension CrowdPlan {
    private var square: Square.Plan {
        get { self[Square.Plan.self] }
        set { self[Square.Plan.self] = newValue }
    }

    /// Time between two posts of a person, seconds; 0 = none.
    var postEvery: Double {
        get { square.postEvery }
        set { square.postEvery = newValue }
    }

    /// Time between two votes of a person, seconds; 0 = none.
    var voteEvery: Double {
        get { square.voteEvery }
        set { square.voteEvery = newValue }
    }

    /// How long posts live, seconds.
    var postSeconds: Int {
        get { square.postSeconds }
        set { square.postSeconds = newValue }
    }
}
