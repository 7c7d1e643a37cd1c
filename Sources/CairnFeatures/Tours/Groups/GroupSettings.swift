public import CairnCore

/// The operators' settings of groups on tours (TRM-11).
public struct GroupSettings: FeatureSettings {
    /// Most people who follow one guide.
    public var followersMax = 50
    /// Hours for which a code admits others.
    public var codeHours = 12.0
    /// Codes that one person tries in any hour.
    public var codesPerHour = 20

    public init() {}

    public static let section = "tours"
    public static let meaning = "Tours: guided walks that organisations make."
    public static let keys: [SettingKey<Self>] = [
        .integer(
            "followersMax", \.followersMax, 1...500, unit: "people", .live,
            "Most people who follow the guide of a group. The next is refused with limit_reached."),
        .number(
            "codeHours", \.codeHours, 0.0001...168, unit: "hours", .live,
            "Hours for which the code of a group admits others. The group continues after them."),
        .integer(
            "codesPerHour", \.codesPerHour, 1...1_000_000, unit: "codes", .live,
            "Codes of groups that one person tries in any hour, right or wrong; a restart forgets them. More are "
                + "refused with too_many_attempts."),
    ]
}

extension Settings {
    /// The operators' settings of groups on tours.
    public var groups: GroupSettings {
        get { self[GroupSettings.self] }
        set { self[GroupSettings.self] = newValue }
    }
}
