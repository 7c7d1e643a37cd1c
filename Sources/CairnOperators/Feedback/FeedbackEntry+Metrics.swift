internal import CairnCore
internal import CairnFeatures
internal import CairnWire

extension MetricSection {
    static let feedback = MetricSection(
        "feedback", heading: "Feedback (`feedback`, for admins)",
        preface: """
            Users' feedback, without its authors; `open` counts all open entries. Sealed on disk, and in no figure \
            and no log.
            """)
}

/// What operators read of one entry.
extension FeedbackEntry {
    fileprivate typealias Row = Metric<FeedbackEntry>

    static let metrics: [Metric<FeedbackEntry>] = [
        Row("id", in: .feedback, unit: "id", "names the entry, for handle") { .text($0.id.description) },
        Row("at", in: .feedback, unit: "milliseconds", "time of writing, since 1970-01-01 UTC") {
            .level(Int($0.at.milliseconds))
        },
        Row("category", in: .feedback, "what it is about") { .text($0.category) },
        Row("text", in: .feedback, "what it says") { .text($0.text) },
        Row("appVersion", in: .feedback, "of the app; empty = not said") { .text($0.appVersion) },
        Row("rating", in: .feedback, unit: "1 to 5", "how good it is in all; null = not said") { .optional($0.rating) },
        Row("intuitive", in: .feedback, unit: "1 to 5", "how intuitive it is; null = not said") {
            .optional($0.intuitive)
        },
        Row("satisfying", in: .feedback, unit: "1 to 5", "how satisfying it is; null = not said") {
            .optional($0.satisfying)
        },
        Row("undistracting", in: .feedback, unit: "1 to 5", "how little it distracts; null = not said") {
            .optional($0.undistracting)
        },
        Row("handledAt", in: .feedback, unit: "milliseconds", "when it was marked as handled; null = it is open") {
            .optional($0.handledAt?.milliseconds)
        },
    ]
}

extension MetricValue {
    fileprivate static func optional(_ number: Int64?) -> MetricValue { number.map { .level(Int($0)) } ?? .nothing }
}
