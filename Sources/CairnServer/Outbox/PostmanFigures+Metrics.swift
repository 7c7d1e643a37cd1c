package import CairnCore

/// What operators read of the outbox.
extension PostmanFigures {
    fileprivate typealias Row = Metric<PostmanFigures>

    /// Of mails.
    /// - Parameter queues: the section of the stats socket that holds queues.
    package static func mailMetrics(in queues: MetricSection) -> [Metric<PostmanFigures>] {
        [
            Row("mails", in: queues, unit: "mails", "mails that wait; given up after adaptors.mailHours") {
                .level($0.waiting)
            }
            .family(.gauge, "cairn.mails.waiting"),
            Row(unit: "mails", "mails that were sent or given up, by outcome") { .counts($0.outcomes) }
                .family(.counter, "cairn.mails.ended", by: "outcome"),
            Row(unit: "attempts", "attempts to send a mail that failed and are tried again") {
                .count($0.failedAttempts)
            }
            .family(.counter, "cairn.mails.failed_attempts"),
        ]
    }

    /// Of pushes.
    package static func pushMetrics(in queues: MetricSection) -> [Metric<PostmanFigures>] {
        [
            Row("pushes", in: queues, unit: "pushes", "pushes that wait; given up after adaptors.mailHours") {
                .level($0.waiting)
            }
            .family(.gauge, "cairn.pushes.waiting"),
            Row(unit: "pushes", "pushes that were sent or given up, by outcome") { .counts($0.outcomes) }
                .family(.counter, "cairn.pushes.ended", by: "outcome"),
            Row(unit: "attempts", "attempts to send a push that failed and are tried again") {
                .count($0.failedAttempts)
            }
            .family(.counter, "cairn.pushes.failed_attempts"),
            Row(unit: "notifications", "notifications that were deleted because their account had too many") {
                .count($0.dropped)
            }
            .family(.counter, "cairn.notifications.dropped"),
        ]
    }

    private var outcomes: [String: UInt64] { ["sent": sent, "refused": refused, "given_up": givenUp] }
}
