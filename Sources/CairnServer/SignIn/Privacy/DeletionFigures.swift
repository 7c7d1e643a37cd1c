package import CairnCore

/// The metrics of deletions of accounts.
package struct DeletionFigures: Sendable {
    /// Deletions that are acknowledged and not done, at most 100 of them.
    var waiting = 0
    /// For how long the oldest of them has waited.
    var oldestSeconds = 0
    var done: UInt64 = 0
    /// Parts of deletions that failed and are tried again.
    var failed: UInt64 = 0
    /// Rows that their homes did not give up and that were deleted past them: damaged ones, and those of things that
    /// had ended.
    var rowsPastHomes: UInt64 = 0

    fileprivate typealias Row = Metric<DeletionFigures>

    /// - Parameter queues: the section of the stats socket that holds queues.
    package static func metrics(in queues: MetricSection) -> [Metric<DeletionFigures>] {
        [
            Row("deletions", in: queues, unit: "accounts", "accounts whose deletion is not done") {
                .level($0.waiting)
            }
            .family(.gauge, "cairn.deletions.waiting"),
            Row(unit: "seconds", "for how long the oldest deletion of an account has waited") {
                .level($0.oldestSeconds)
            }
            .family(.gauge, "cairn.deletions.oldest"),
            Row(unit: "accounts", "accounts whose deletion is done") { .count($0.done) }
                .family(.counter, "cairn.deletions"),
            Row(unit: "attempts", "parts of deletions that failed and are tried again") { .count($0.failed) }
                .family(.counter, "cairn.deletions.failed_attempts"),
            Row(unit: "rows", "rows of deleted accounts that no home gave up, such as damaged ones") {
                .count($0.rowsPastHomes)
            }
            .family(.counter, "cairn.deletions.rows_past_homes"),
        ]
    }
}
