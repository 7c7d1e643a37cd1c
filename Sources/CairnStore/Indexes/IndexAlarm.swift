internal import Logging

/// Whom readers, the writer and backups tell of a damaged index.
struct IndexAlarm: Sendable {
    let intake: Intake
    let logger: Logger

    /// Takes note of the index, or of several of which one must be it, and has them built anew. In the log once in an
    /// hour.
    /// - Returns: whether anything is to be built anew.
    @discardableResult
    func raise(_ indexes: [String], _ error: StoreError) -> Bool {
        let queued = intake.met(indexes)
        guard !queued.isEmpty else { return false }
        let names = queued.joined(separator: ", ")
        logger.error(
            """
            store: damaged index: \(names): \(error.operation): \(error.cause); it is built anew from its table, which \
            is read until then: look for a fault of the disk
            """)
        return true
    }
}
