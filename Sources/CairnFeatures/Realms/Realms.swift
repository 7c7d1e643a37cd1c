public import CairnCore
public import CairnWire

/// Sub-realms: what a group of people shares wherever they are (SUB-1 to SUB-9, SUB-11 to SUB-13).
///
/// The home of a sub-realm decides about its members. A request first passes its sender's account: a sender who is not
/// a member is refused there with `not_found`, so that a sub-realm answers as if it did not exist, in code and in time
/// (SUB-9, B20). The store says, for any id alike, whether the sender waits for its owner's approval (SUB-3). Instances
/// live in cells; a sub-realm holds none of them.
public enum Realms: Feature {
    public static let name = "realms"
    public static let commands: [any Command.Type] = [
        CreateRealm.self, EditRealm.self, DeleteRealm.self, Invite.self, AnswerInvitation.self, JoinRealm.self,
        AnswerJoin.self, AddMember.self, RemoveMember.self, LeaveRealm.self, ListRealms.self, ListMembers.self,
        FindRealms.self, TakeOut.self,
    ]
    /// Who is a member may change during a tour.
    public static let groundChanges: [any Command.Type] = [EditRealm.self, DeleteRealm.self, TakeOut.self]
    public static let timers: [any HomeTimer.Type] = [RealmClearing.self]
    public static let publishes: Set<HomeKind> = [.realm]
    public static let settings: (any FeatureSettings.Type)? = RealmSettings.self
    public static let refusals: [Refusal.Code] = [.tooManyMembers, .inviteNotFound, .alreadyMember, .joinPending]
    public static let quotas = [
        Quota(
            "invitations", of: name, code: .rateLimited, counting: [Invite.self, AddMember.self],
            windows: [Quota.Window(.hour) { $0.realms.invitationsPerHour }],
            stored: .answers(to: [Invite.self, AddMember.self], within: .hour)),
        Quota(
            "sub-realms created or joined", of: name, code: .rateLimited,
            counting: [CreateRealm.self, JoinRealm.self, AnswerInvitation.self],
            windows: [Quota.Window(.hour) { $0.realms.joinsPerHour }],
            stored: .answers(to: [CreateRealm.self, JoinRealm.self, AnswerInvitation.self], within: .hour)),
        Quota(
            "searches", of: name, code: .rateLimited, counting: [FindRealms.self],
            windows: [Quota.Window(.minute) { $0.realms.searchesPerMinute }]),
        Quota.oneAfterAnother([CreateRealm.self, JoinRealm.self, AnswerInvitation.self], of: name),
    ]
    public static let counts = [EngagementCount("realms", unit: "sub-realms", "created")]
    public static let membership: Membership? = RealmMember.membership

    public static func describe(_ settings: Settings, into limits: inout WireLimits) {
        let realms = settings.realms
        limits.realmName = UInt32(realms.nameCharactersMax)
        limits.realmDescription = UInt32(realms.descriptionCharactersMax)
        limits.realmMembers = realms.enabled ? UInt32(realms.membersMax) : 0
        limits.invitationDays = UInt32(realms.invitationDays)
    }

    static func refusal(_ code: Refusal.Code, _ text: Refusal.Text? = nil, details: [String: String] = [:]) -> Refusal {
        Refusal(code, text, component: name, details: details)
    }

    /// The answer about a sub-realm that does not exist, and about one that the sender is not in (SUB-9).
    static let absent = refusal(.notFound)
    /// The answer to who waits for the owner's approval, whatever they ask of the sub-realm (SUB-3).
    static let pending = refusal(.joinPending)
    /// The answer about a person who does not exist, and about one with a block between them and the sender.
    static let unknownPerson = refusal(.userNotFound)

    static func full(_ limit: Int) -> Refusal {
        refusal(.tooManyMembers, "the limit is \(limit) members", details: ["limit": "\(limit)"])
    }

    static func checkEnabled(_ settings: Settings) throws(Refusal) {
        guard settings.realms.enabled else { throw refusal(.forbidden, "sub-realms are switched off here") }
    }
}
