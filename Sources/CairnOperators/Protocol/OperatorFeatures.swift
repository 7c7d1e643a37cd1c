internal import CairnCore
internal import CairnFeatures

/// What operators may ask of features: a line each, with commands, pages and the figures of what they answer.
enum OperatorFeatures {
    static var commands: [StatsCommand] { StatsCommand.feedback + StatsCommand.tours }

    static var routes: [Route] { Route.feedback }

    static let reasons: [OperatorReason] = OperatorReason.ofFeatures + OperatorReason.ofReactions
    /// How their things are found by id.
    static let seekers: [Seeker] = [.tours, .feedback]

    static let metrics: [MetricDescription] = FeedbackEntry.metrics.map(\.description)
}
