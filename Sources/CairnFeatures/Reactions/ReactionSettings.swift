public import CairnCore

/// The operators' settings of reactions (RCT-1, RCT-5).
public struct ReactionSettings: FeatureSettings {
    /// Names of the reactions on offer.
    public var names = ["like", "love", "laugh", "wow", "sad", "angry"]
    /// Reactions and votes of one user in a minute.
    public var perMinute = 30

    public init() {}

    public static let section = "reactions"
    public static let meaning = "Reacting to things."
    public static let keys: [SettingKey<Self>] = [
        .list(
            "names", \.names, 1...64, of: .name, .restart,
            "Names of the reactions on offer. Others are refused with unknown_reaction."),
        .integer(
            "perMinute", \.perMinute, 1...1_000_000, unit: "reactions", .live,
            "Reactions and votes of one user in a minute. The next is refused with rate_limited."),
    ]
}

extension Settings {
    /// The operators' settings of reactions.
    public var reactions: ReactionSettings {
        get { self[ReactionSettings.self] }
        set { self[ReactionSettings.self] = newValue }
    }
}
