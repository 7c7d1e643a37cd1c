public import CairnCore
public import CairnWire

/// Feedback from users to the developers of the app (STA-5).
public enum Feedback: Feature {
    public static let name = "feedback"
    public static let commands: [any Command.Type] = [SendFeedback.self]
    /// Limits the entries of one person per hour, over all devices and across restarts.
    public static let quotas = [
        Quota(
            "entries", of: name, code: .rateLimited, counting: [SendFeedback.self],
            windows: [Quota.Window(.hour) { $0.feedback.perHour }],
            stored: Quota.Stored(
                query: { account, now in times(of: account, after: now - Quota.Span.hour.length) },
                times: times))
    ]
    public static let settings: (any FeatureSettings.Type)? = FeedbackSettings.self
    public static let counts = [EngagementCount("feedback", unit: "entries", "written")]

    public static func describe(_ settings: Settings, into limits: inout WireLimits) {
        limits.feedbackCharacters = UInt32(settings.feedback.charactersMax)
        limits.feedbackCategories = settings.feedback.categories
    }
}
