public import CairnCore
public import CairnWire

/// Groups on tours: a guide, and people who follow with runs of their own (TRM-11).
///
/// A group is a home of the kind space. A member on a run is in the run's space and learns of the group there, by
/// messages between the two homes; a guide without a run is in the group's own. So the bytes of a group go by topics
/// that one person each may follow, and what each is told obeys blocks and privacy.
public enum Groups: Feature {
    public static let name = "groups"
    public static let commands: [any Command.Type] = [
        OpenGroup.self, JoinGroup.self, LeaveGroup.self, GetGroup.self, ShareGroupPlace.self, SetGroupTarget.self,
    ]
    public static let timers: [any HomeTimer.Type] = [GroupIdle.self, GroupTelling.self]
    public static let messages: [any HomeMessage.Type] = [
        GroupStep.self, GroupSeclusion.self, GroupLeft.self, GroupNews.self, GroupOver.self,
    ]
    public static let publishes: Set<HomeKind> = [.space]
    public static let settings: (any FeatureSettings.Type)? = GroupSettings.self
    public static let counts = [
        EngagementCount("groups_opened", unit: "groups", "on tours that were opened"),
        EngagementCount("groups_followed", unit: "people", "who have joined a group on a tour"),
    ]
    public static let membership: Membership? = GroupMember.membership

    static func refusal(_ code: Refusal.Code, _ text: Refusal.Text? = nil, details: [String: String] = [:]) -> Refusal {
        Refusal(code, text, component: name, details: details)
    }

    /// The answer to a person who is in no group, and to a code that does not admit, whatever the reason.
    static let absent = refusal(.notFound)
    /// The answer where the store does not say what it has taken.
    static let undecided = Refusal(
        .tryAgain, "the store cannot be read now", component: name, retryAfter: .seconds(1))

    public static func seclusion(_ seclusion: Seclusion, of account: AccountID) -> (any HomeMessage)? {
        GroupSeclusion(seclusion, of: account)
    }

    /// A guide changes nothing on the ground (TRT-6).
    public static func groundRefusal(in turn: Turn) -> Refusal? {
        turn.group == nil ? nil : refusal(.readOnlyTour)
    }

    /// A device that begins to follow learns of the group, as it was shown last.
    public static func addendum(for account: AccountID, in turn: Turn) -> [WireItem] {
        var item = WireItem()
        if turn.group != nil, turn.groupMember(account)?.run == nil, turn.groupMember(account) != nil {
            item.group = turn.view(of: account)
            return [item]
        }
        guard turn.keptRun?.facts.account == account, let shown = (turn.motion as? RunMotion)?.group else { return [] }
        item.group = shown
        return [item]
    }

    /// The runs of a person end by themselves, and their membership with them.
    public static func erase(_ account: AccountID, in turn: inout Turn) -> [Effect] {
        if let group = turn.group, let member = turn.groupMember(account) { return turn.remove(member, from: group) }
        // A membership that is damaged, or whose group is.
        guard turn.run == nil, let id = turn.spaceID else { return [] }
        return [.write(GroupMember.deletion(of: account, in: id))]
    }
}

extension GroupSettings {
    var codeLife: Duration { .milliseconds(Int64(self.codeHours * 3_600_000)) }
}
