/// When the writer copies the write-ahead log into the database.
struct CheckpointRule: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        /// Copy what no reader needs any more.
        case copy
        /// Copy everything and empty the log, waiting for readers.
        case empty
    }

    /// Pages at which the log is copied although changes wait.
    let pagesBusy: Int
    /// Pages at which it is copied when nothing else is to do.
    let pagesIdle: Int
    /// Pages at which the log is emptied (S3).
    let pagesMax: Int
    /// Pages in the log when it was last copied.
    private var pagesDone = 0

    init(pages: Int, walBytesMax: Int, pageSize: Int) {
        pagesBusy = max(pages, 1)
        pagesIdle = max(pages / 4, 1)
        pagesMax = max(walBytesMax / pageSize, pagesBusy)
    }

    /// What to do between two batches, the log having so many pages.
    mutating func due(pages: Int, isIdle: Bool) -> Step? {
        // Fewer than before: the log was begun anew, nothing of it has been copied.
        if pages < pagesDone { pagesDone = 0 }
        guard pages - pagesDone >= (isIdle ? pagesIdle : pagesBusy) else { return nil }
        return pages >= pagesMax ? .empty : .copy
    }

    /// The log was copied.
    mutating func done(pages: Int) {
        pagesDone = pages
    }
}
