internal import CairnCore
internal import CairnStore
internal import CairnWebSocket

/// What operators read of answers in pieces: downloads, exports, large pages.
extension BulkLane.Figures {
    fileprivate typealias Row = Metric<BulkLane.Figures>

    static let metrics: [Metric<BulkLane.Figures>] = [
        Row("bulkAnswers", in: .queues, unit: "answers", "HTTP answers in pieces that are under way") {
            .level($0.running)
        }
        .family(.gauge, "cairn.http.bulk.answers"),
        Row("bulkJobs", in: .queues, unit: "jobs", "pieces of such answers that wait for the thread that makes them") {
            .level($0.waiting)
        }
        .family(.gauge, "cairn.http.bulk.waiting"),
        Row(unit: "answers", "HTTP answers in pieces that have ended, by whether they were sent whole") {
            .counts(["completed": $0.completed, "cut_off": $0.cutOff])
        }
        .family(.counter, "cairn.http.bulk.ended", by: "outcome"),
        Row(unit: "requests", "requests refused because too many answers in pieces were under way") {
            .count($0.refused)
        }
        .family(.counter, "cairn.http.bulk.refused"),
        Row(unit: "answers", "HTTP answers in pieces that were cut off for a client or an account that had fewer") {
            .count($0.displaced)
        }
        .family(.counter, "cairn.http.bulk.displaced"),
        Row(unit: "bytes", "bytes of HTTP answers in pieces") { .count($0.bytes) }
            .family(.counter, "cairn.http.bulk.sent"),
    ]
}
