public import CairnCore

/// The operators' settings of feedback (STA-5).
public struct FeedbackSettings: FeatureSettings {
    /// The categories that users can choose from.
    public var categories = ["bug", "idea", "praise", "other"]
    /// Longest text, in characters.
    public var charactersMax = 2_000
    /// Entries of one user in an hour.
    public var perHour = 10
    /// How long an entry is kept, in days.
    public var days = 365
    /// Address that gets each entry as a mail; nil = none.
    public var mailTo: String?

    public init() {}

    public static let section = "feedback"
    public static let meaning = "Feedback that users write to the developers of the apps."
    public static let keys: [SettingKey<Self>] = [
        .list(
            "categories", \.categories, 1...64, of: .name, .live,
            "Categories of feedback. Any other is refused with invalid_field."),
        .integer(
            "charactersMax", \.charactersMax, 1...10_000, unit: "characters", .live,
            "Longest text of feedback. A longer one is refused with text_too_long."),
        .integer(
            "perHour", \.perHour, 1...1_000_000, unit: "entries", .live,
            "Feedback of one user in any hour. The next is refused with rate_limited."),
        .integer(
            "days", \.days, 1...36_500, unit: "days", .live,
            "How long feedback is kept, handled or not."),
        .optionalText(
            "mailTo", \.mailTo, .mailAddress, .live,
            "Address that gets each entry as a mail, without its author. Empty: none."),
    ]
}

extension Settings {
    /// The operators' settings of feedback.
    public var feedback: FeedbackSettings {
        get { self[FeedbackSettings.self] }
        set { self[FeedbackSettings.self] = newValue }
    }
}
