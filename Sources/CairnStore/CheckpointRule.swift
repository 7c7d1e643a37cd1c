/// The rule for checkpoints: when the writer copies the write-ahead log into the database.
///
/// A copy of more pages writes fewer of them twice and holds commits up for longer: 1,024 pages some 10 ms, 4,096 some
/// 25 ms. After large transactions, whose callers wait longer anyway, the log may grow to four times its usual size.
struct CheckpointRule: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        /// Copy the pages that no reader needs any more.
        case copy
        /// Copy everything and empty the log, waiting for readers.
        case empty
    }

    /// Pages at which the log is copied even while changes wait, if transactions are small.
    let pagesBusy: Int
    /// Pages at which it is copied when the writer has been idle for `pause`.
    let pagesIdle: Int
    /// A busy server also has short idle times between two turns. A copy in such a time would delay the next turn.
    let pause = Duration.milliseconds(20)
    /// Pages at which the log is emptied (S3).
    let pagesMax: Int
    /// Pages for each unit of the last transaction.
    private static let pagesPerUnit = 10
    /// Pages in the log when it was last copied.
    private var pagesDone = 0
    /// Units of the last transaction.
    private var units = 0

    init(pages: Int, walBytesMax: Int, pageSize: Int) {
        pagesBusy = max(pages, 1)
        pagesIdle = max(pages / 16, 1)
        pagesMax = max(walBytesMax / pageSize, pagesBusy)
    }

    /// The step to take between two batches, for a log of `pages` pages and a writer that has been idle for `idle`.
    mutating func due(pages: Int, idle: Duration) -> Step? {
        // Fewer pages than before: the log was restarted, and nothing of it has been copied.
        if pages < pagesDone { pagesDone = 0 }
        let busy = min(max(Self.pagesPerUnit * units, pagesBusy), 4 * pagesBusy)
        guard pages - pagesDone >= (idle >= pause ? pagesIdle : busy) else { return nil }
        return pages >= pagesMax ? .empty : .copy
    }

    /// How long an idle writer waits before it asks again; nil = a copy is not worthwhile.
    func recheck(pages: Int) -> Duration? {
        pages - pagesDone >= pagesIdle ? pause : nil
    }

    /// Notes the size of a transaction that is on disk.
    mutating func saved(units: Int) { self.units = units }

    /// The log was copied.
    mutating func done(pages: Int) {
        pagesDone = pages
    }
}
