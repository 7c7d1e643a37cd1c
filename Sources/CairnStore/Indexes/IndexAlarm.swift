internal import Logging

/// Receives reports of damaged indexes from readers, the writer and backups.
struct IndexAlarm: Sendable {
    let intake: Intake
    let logger: Logger

    /// Notes a damaged index, or several of which at least one is damaged, and queues them for rebuilding. Logs an
    /// index at most once an hour.
    /// - Returns: whether an index was queued.
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
