public import CairnCore

/// What operators set of reacting to things (RCT-1, RCT-5).
public struct ReactionSettings: FeatureSettings {
    /// Names of the reactions on offer.
    public var names = ["like", "love", "laugh", "wow", "sad", "angry"]
    /// Reactions of one user in a minute.
    public var perMinute = 30

    public init() {}
}

extension Settings {
    /// What operators set of reacting to things.
    public var reactions: ReactionSettings {
        get { self[ReactionSettings.self] }
        set { self[ReactionSettings.self] = newValue }
    }
}
