import CairnClient
import CairnTime
import CairnWire

/// Sub-realms: founding them, who is in them, and what is shared in them.
enum Gathering: CrowdFeature {
    /// A part of the plan.
    struct Plan: PlanPart {
        /// Most sub-realms at a time; 0 = none.
        var realms = 0
        /// Seconds between two changes of a person; 0 = none.
        var every = 0.0
        /// Share of the sub-realms that anybody may join.
        var openShare = 0.5
        /// Seconds between two selections of a person; 0 = none.
        var selectEvery = 0.0
        /// Share of the people that leave things in sub-realms.
        var scopedShare = 0.0
    }

    static let select = "select"
    static let list = "list"
    static let members = "members"

    static let keys: [ScenarioKey] = [
        .integer("realms", \.realms, 0...1_000, unit: "sub-realms", "Most sub-realms at a time. 0 = none."),
        .interval(
            "realmEvery", \.realmEvery,
            "Time between two actions of a person on sub-realms: founding, inviting, answering, joining, approving, "
                + "adding friends, leaving, removing people."),
        .number(
            "openShare", \.openShare, 0...1, unit: "share",
            "How many sub-realms are found by anybody and joined; the others are by invitation."),
        .interval(
            "selectEvery", \.selectEvery,
            "Time between two selections of a person: one of their sub-realms, or what is everyone's."),
        .number(
            "scopedShare", \.scopedShare, 0...1, unit: "share",
            "How many place into sub-realms while they are in any."),
    ]

    static let activities = [
        Activity(
            name: "gather", pace: { $0.realms > 0 ? .seconds($0.realmEvery) : .never },
            act: { bot, due, now in bot.gather(due: due, now: now) }),
        Activity(
            name: select, pace: { $0.realms > 0 ? .seconds($0.selectEvery) : .never },
            act: { bot, due, now in
                bot.selectRealm(due: due, now: now)
                return []
            }),
    ]

    static let exchanges: [Exchange] = changes + looks

    private static let changes: [Exchange] = RealmMatter.Action.allCases.map { action in
        Exchange(
            name: action.rawValue, count: action.count,
            acknowledged: { bot, errand, result, now in acknowledged(bot, errand, result, now) },
            refused: { bot, errand, refusal, _ in
                guard let matter = errand.matter as? RealmMatter else { return [] }
                bot.realmBook.refused(matter, refusal.code)
                let change = matter.change(of: matter.realm, requestedAt: errand.at, .refused)
                return [RealmDeed(rightChanges: change.map { [$0] } ?? [])]
            })
    }

    private static let looks: [Exchange] = [
        Exchange(
            name: select, count: "selected",
            acknowledged: { _, errand, result, now in
                guard case .realmSelected(let selected) = result else { return nil }
                guard !selected.realm.isEmpty else { return RealmDeed() }
                let use = RightUse(realm: selected.realm, requestedAt: errand.at, acknowledgedAt: now)
                return RealmDeed(rightUses: [use])
            }),
        Exchange(
            name: list, count: "realms_listed",
            acknowledged: { _, errand, result, now in
                guard case .realmList(let list) = result else { return nil }
                let own = list.realms.filter { $0.standing == "owner" || $0.standing == "member" }.map(\.id)
                return deed(.own(Set(own)), errand, now)
            }),
        Exchange(
            name: members, count: "members_listed",
            acknowledged: { bot, errand, result, now in
                guard case .memberList(let list) = result, let realm = errand.matter as? String else { return nil }
                let owner = list.members.first(where: \.owner).flatMap { bot.company.bot(of: $0.user.account) }
                if let owner { bot.realmBook.learn(owner, of: realm) }
                let people = list.members.map { bot.company.bot(of: $0.user.account) ?? stranger }
                return deed(.members(of: realm, Set(people)), errand, now)
            }),
    ]

    /// The index of a person who is not of the crowd.
    private static let stranger = -1

    private static func deed(
        _ subject: RealmListing.Subject, _ errand: Bot.Errand, _ now: MonotonicTime
    ) -> RealmDeed {
        RealmDeed(listing: RealmListing(subject: subject, requestedAt: errand.at, acknowledgedAt: now))
    }

    private static func acknowledged(
        _ bot: Bot, _ errand: Bot.Errand, _ result: WireReply.OneOf_Result, _ now: MonotonicTime
    ) -> RealmDeed? {
        guard let matter = errand.matter as? RealmMatter, matter.isAnswered(by: result) else { return nil }
        bot.realmBook.acknowledged(matter, result, by: bot.index, at: now)
        var (realm, progress) = (matter.realm, RightChange.Progress.acknowledged(at: now))
        if case .realm(let told) = result { realm = told.id }
        // The owner decides later.
        if matter.waits(after: result) { progress = .refused }
        let change = matter.change(of: realm, requestedAt: errand.at, progress)
        return RealmDeed(rightChanges: change.map { [$0] } ?? [])
    }

    static var rule: any FeatureRule { MemberRule() }

    static func settings(_ plan: CrowdPlan) -> [String] {
        guard plan.realms > 0 else { return [] }
        return ["realms.invitationsPerHour=1000000", "realms.joinsPerHour=1000000", "realms.membersMax=1000"]
    }

    static func summary(_ plan: CrowdPlan) -> [String] {
        guard plan.realms > 0 else { return [] }
        var parts = ["\(plan.realms) sub-realms"]
        if plan.realmEvery > 0 { parts.append("gather every \(plan.realmEvery.plain) s") }
        if plan.selectEvery > 0 { parts.append("select every \(plan.selectEvery.plain) s") }
        if plan.scopedShare > 0 { parts.append("\((plan.scopedShare * 100).plain) % place into them") }
        return parts
    }

    static func audience(of bot: Bot, using random: inout SeededGenerator) -> [String] {
        bot.realmsToShareIn(using: &random)
    }

    static func look(at bot: Bot, now: MonotonicTime) -> [any Deed] {
        bot.lookAtRealms(now: now)
        return []
    }

    static func takeBack(_ bot: Bot, now: MonotonicTime) -> Bool { bot.leaveRealm(now: now) }

    static func leftCount(of bot: Bot) -> Int { bot.realmBook.entries.count { $0.members.contains(bot.index) } }
}

extension CrowdPlan {
    private var gathering: Gathering.Plan {
        get { self[Gathering.Plan.self] }
        set { self[Gathering.Plan.self] = newValue }
    }

    /// Most sub-realms at a time; 0 = none.
    var realms: Int {
        get { gathering.realms }
        set { gathering.realms = newValue }
    }

    /// Time between two actions of a person on sub-realms, seconds; 0 = none.
    var realmEvery: Double {
        get { gathering.every }
        set { gathering.every = newValue }
    }

    /// Share of the sub-realms that anybody may join.
    var openShare: Double {
        get { gathering.openShare }
        set { gathering.openShare = newValue }
    }

    /// Time between two selections of a person, seconds; 0 = none.
    var selectEvery: Double {
        get { gathering.selectEvery }
        set { gathering.selectEvery = newValue }
    }

    /// Share of the people that place into sub-realms while they are in any: the first ones.
    var scopedShare: Double {
        get { gathering.scopedShare }
        set { gathering.scopedShare = newValue }
    }
}
