internal import CairnFeatures
internal import CairnLogging
internal import CairnServer
internal import CairnStore
internal import CairnWebSocket
internal import Logging
internal import Synchronization

/// The export of all feedback, for other programs (STA-6).
extension Route {
    static let feedback: [Route] = [
        .getLater(.exact("/v1/operator/feedback.jsonl"), for: .admin) { pages, request in
            pages.context.logger.notice("an operator exports feedback")
            let context = pages.context
            return HTTPContent(
                contentType: "application/jsonl; charset=utf-8",
                headers: [
                    "Cache-Control: no-store", "Content-Disposition: attachment; filename=\"feedback.jsonl\"",
                ]
            ) { FeedbackExport.body(context) }.response(to: request.head)
        }
    ]
}

/// Feedback as lines of JSON, newest first, with the members that the command `feedback` answers. Read page by page
/// while it goes out, so an entry that is deleted meanwhile may be missing, and a new one is.
private enum FeedbackExport {
    private static let entriesPerPage = 100

    static func body(_ context: ServerContext) -> ProducedBody {
        var first = FeedbackEntry.Filter()
        first.state = "all"
        first.top = entriesPerPage
        // The filter of the next page; nil = there is none.
        let next = Mutex<FeedbackEntry.Filter?>(first)
        return ProducedBody {
            guard let filter = next.withLock({ $0 }) else { return nil }
            let rows = try await context.store.read([FeedbackEntry.query(filter)])[0]
            let (entries, following, damage) = FeedbackEntry.page(filter, in: rows)
            context.store.report(damage)
            next.withLock { $0 = following }
            return entries.flatMap { entry in JSONLine.object { $0.members(FeedbackEntry.metrics, of: entry) } }
        }
    }
}
