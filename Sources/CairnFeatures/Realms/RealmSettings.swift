public import CairnCore

/// The operators' settings of sub-realms (SUB-1 to SUB-13).
public struct RealmSettings: FeatureSettings {
    /// Whether there are sub-realms.
    public var enabled = true
    /// Longest name, in user-perceived characters.
    public var nameCharactersMax = 50
    /// Longest description, in user-perceived characters.
    public var descriptionCharactersMax = 500
    /// Most members of a sub-realm.
    public var membersMax = 200
    /// Most invitations and requests to join of a sub-realm that are not answered.
    public var invitationsMax = 500
    /// Days after which an invitation or a request to join lapses.
    public var invitationDays = 14
    /// Most sub-realms that one person is in by own doing.
    public var perPersonMax = 100
    /// Invitations of one person in any hour.
    public var invitationsPerHour = 100
    /// Sub-realms that one person creates or joins in any hour.
    public var joinsPerHour = 60
    /// Who may edit a sub-realm.
    public var editors = RealmRight.owner
    /// Who may delete a sub-realm.
    public var deleters = RealmRight.owner
    /// Whether a sub-realm is deleted when its last member leaves.
    public var deletesEmpty = true
    /// Searches of one person in any minute.
    public var searchesPerMinute = 30

    public init() {}

    public static let section = "realms"
    public static let meaning = "Sub-realms: things that only a group of people sees."
    public static let keys: [SettingKey<Self>] = [
        .flag("enabled", \.enabled, .restart, "Whether there are sub-realms. Without them everything is public."),
        .integer(
            "nameCharactersMax", \.nameCharactersMax, 1...200, unit: "characters", .live,
            "Longest name of a sub-realm, in characters as people count them."),
        .integer(
            "descriptionCharactersMax", \.descriptionCharactersMax, 0...5_000, unit: "characters", .live,
            "Longest description of a sub-realm, in characters as people count them."),
        .integer(
            "membersMax", \.membersMax, 1...1_000, unit: "people", .live,
            "Most members of a sub-realm. The next is refused with too_many_members."),
        .integer(
            "invitationsMax", \.invitationsMax, 1...10_000, unit: "people", .live,
            "Most unanswered invitations and requests to join of a sub-realm. The next is refused with limit_reached."),
        .integer(
            "invitationDays", \.invitationDays, 1...365, unit: "days", .live,
            "Days after which an invitation or a request to join lapses."),
        .integer(
            "perPersonMax", \.perPersonMax, 1...1_000, unit: "sub-realms", .live,
            "Most sub-realms that one person is a member of or has asked to join. The next is refused with "
                + "limit_reached."),
        .integer(
            "invitationsPerHour", \.invitationsPerHour, 1...1_000_000, unit: "invitations", .live,
            "Invitations of one person in any hour. The next is refused with rate_limited."),
        .integer(
            "joinsPerHour", \.joinsPerHour, 1...1_000_000, unit: "sub-realms", .live,
            "Sub-realms that one person creates or joins in any hour. The next is refused with rate_limited."),
        .choice("editors", \.editors, .live, "People who may edit a sub-realm."),
        .choice("deleters", \.deleters, .live, "People who may delete a sub-realm."),
        .flag(
            "deletesEmpty", \.deletesEmpty, .live,
            "Whether a sub-realm is deleted when its last member leaves. Otherwise the last member cannot leave."),
        .integer(
            "searchesPerMinute", \.searchesPerMinute, 1...1_000_000, unit: "searches", .live,
            "Searches for sub-realms of one person in any minute. The next is refused with rate_limited."),
    ]
}

/// The people who have a right in a sub-realm.
public enum RealmRight: String, CaseIterable, Sendable {
    case owner, members
}

extension Settings {
    /// The operators' settings of sub-realms.
    public var realms: RealmSettings {
        get { self[RealmSettings.self] }
        set { self[RealmSettings.self] = newValue }
    }
}
