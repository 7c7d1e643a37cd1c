public import CairnCore

/// What operators set of feedback (STA-5).
public struct FeedbackSettings: FeatureSettings {
    /// What it may be about.
    public var categories = ["bug", "idea", "praise", "other"]
    /// Longest text, in characters.
    public var charactersMax = 2_000
    /// Entries of one user in an hour.
    public var perHour = 10
    /// How long an entry is kept, in days.
    public var days = 365

    public init() {}
}

extension Settings {
    /// What operators set of feedback.
    public var feedback: FeedbackSettings {
        get { self[FeedbackSettings.self] }
        set { self[FeedbackSettings.self] = newValue }
    }
}
