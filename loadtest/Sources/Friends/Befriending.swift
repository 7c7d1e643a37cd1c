import CairnClient
import CairnTime
import CairnWire

/// Making friends, and ending friendships.
enum Befriending: CrowdFeature {
    /// A part of the plan.
    struct Plan: PlanPart {
        /// Seconds between two actions of a person on friends; 0 = none.
        var every = 0.0
    }

    static let list = "list_friends"

    static let keys: [ScenarioKey] = [
        .interval(
            "friendEvery", \.friendEvery,
            "Time between two actions of a person on friends: asking, answering, withdrawing, ending a friendship.")
    ]

    static let activities = [
        Activity(
            name: "befriend", pace: { .seconds($0.friendEvery) },
            act: { bot, due, now in bot.befriend(due: due, now: now) })
    ]

    static let exchanges: [Exchange] = changes + [listing]

    private static let changes: [Exchange] = FriendMatter.Action.allCases.map { action in
        Exchange(
            name: action.rawValue, count: action.count,
            acknowledged: { bot, errand, result, now in acknowledged(bot, errand, result, now) },
            refused: { bot, errand, _, _ in
                guard let matter = errand.matter as? FriendMatter else { return [] }
                bot.friendBook.end(matter.pair)
                return [FriendDeed(change: matter.change(requestedAt: errand.at, .refused))]
            })
    }

    private static let listing = Exchange(
        name: list, count: "friends_listed",
        acknowledged: { bot, errand, result, now in
            guard case .friendList(let list) = result else { return nil }
            let friends = Set(list.friends.map { bot.company.bot(of: $0.account) ?? stranger })
            return FriendDeed(
                listing: FriendDeed.Listing(friends: friends, requestedAt: errand.at, acknowledgedAt: now))
        })

    /// The index of a person who is not of the crowd.
    private static let stranger = -1

    private static func acknowledged(
        _ bot: Bot, _ errand: Bot.Errand, _ result: WireReply.OneOf_Result, _ now: MonotonicTime
    ) -> FriendDeed? {
        guard let matter = errand.matter as? FriendMatter else { return nil }
        var areFriends = matter.action == .befriend
        switch (matter.action, result) {
        case (.ask, .friendRequested(let requested)): areFriends = requested.friends
        case (.ask, _): return nil
        case (_, .done): break
        default: return nil
        }
        bot.friendBook.end(matter.pair)
        let isOpen = matter.action == .ask && !areFriends
        bot.friendBook.set(matter.pair, to: areFriends ? .friends : isOpen ? .asked(by: bot.index) : nil)
        let hasChanged = areFriends || matter.action == .unfriend
        return FriendDeed(
            change: matter.change(requestedAt: errand.at, hasChanged ? .acknowledged(at: now) : .refused))
    }

    static var rule: any FeatureRule { FriendRule() }

    static func settings(_ plan: CrowdPlan) -> [String] {
        guard plan.friendEvery > 0 else { return [] }
        return ["friends.requestsPerHour=1000000", "friends.requestsPerDay=1000000"]
    }

    static func takeBack(_ bot: Bot, now: MonotonicTime) -> Bool { bot.endFriendship(now: now) }

    static func leftCount(of bot: Bot) -> Int {
        bot.friendBook.friends(of: bot.index).count + bot.friendBook.asked(by: bot.index).count
    }
}

extension CrowdPlan {
    /// Time between two actions of a person on friends, seconds; 0 = none.
    var friendEvery: Double {
        get { self[Befriending.Plan.self].every }
        set { self[Befriending.Plan.self].every = newValue }
    }
}
