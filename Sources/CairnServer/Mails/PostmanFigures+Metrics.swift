package import CairnCore

/// What operators read of the outbox.
extension PostmanFigures {
    fileprivate typealias Row = Metric<PostmanFigures>

    /// - Parameter queues: the section of the stats socket that holds queues.
    package static func metrics(in queues: MetricSection) -> [Metric<PostmanFigures>] {
        [
            Row("mails", in: queues, unit: "mails", "mails that wait; given up after adaptors.mailHours") {
                .level($0.waiting)
            }
            .family(.gauge, "cairn.mails.waiting"),
            Row(unit: "mails", "mails that are over, by what became of them") {
                .counts(["sent": $0.sent, "refused": $0.refused, "given_up": $0.givenUp])
            }
            .family(.counter, "cairn.mails.ended", by: "outcome"),
            Row(unit: "attempts", "attempts to send a mail that failed and are tried again") {
                .count($0.failedAttempts)
            }
            .family(.counter, "cairn.mails.failed_attempts"),
        ]
    }
}
