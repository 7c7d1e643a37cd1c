/// The rule for checkpoints: when the writer copies the write-ahead log into the database.
struct CheckpointRule: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        /// Copy the pages that no reader needs any more.
        case copy
        /// Copy everything and empty the log, waiting for readers.
        case empty
    }

    /// Pages at which the log is copied even while changes wait.
    let pagesBusy: Int
    /// Pages at which it is copied when the writer has been idle for `pause`.
    let pagesIdle: Int
    /// A busy server also has short idle times between two turns. A copy in such a time would delay the next turn.
    let pause = Duration.milliseconds(20)
    /// Pages at which the log is emptied (S3).
    let pagesMax: Int
    /// Pages in the log when it was last copied.
    private var pagesDone = 0

    init(pages: Int, walBytesMax: Int, pageSize: Int) {
        pagesBusy = max(pages, 1)
        pagesIdle = max(pages / 16, 1)
        pagesMax = max(walBytesMax / pageSize, pagesBusy)
    }

    /// The step to take between two batches, for a log of `pages` pages and a writer that has been idle for `idle`.
    mutating func due(pages: Int, idle: Duration) -> Step? {
        // Fewer pages than before: the log was restarted, and nothing of it has been copied.
        if pages < pagesDone { pagesDone = 0 }
        guard pages - pagesDone >= (idle >= pause ? pagesIdle : pagesBusy) else { return nil }
        return pages >= pagesMax ? .empty : .copy
    }

    /// How long an idle writer waits before it asks again; nil = a copy is not worthwhile.
    func recheck(pages: Int) -> Duration? {
        pages - pagesDone >= pagesIdle ? pause : nil
    }

    /// The log was copied.
    mutating func done(pages: Int) {
        pagesDone = pages
    }
}
