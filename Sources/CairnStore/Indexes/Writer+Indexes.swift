internal import Logging

extension Writer {
    /// Rebuilds one damaged index, if one is queued. Returns whether it did.
    func rebuildStep() -> Bool {
        guard let index = intake.nextIndex else { return false }
        let start = ContinuousClock.now
        do {
            try openConnection().rebuild(index: index)
            intake.mended(index)
            logger.notice("store: damaged index: \(index) was built anew in \(ContinuousClock.now - start)")
        } catch {
            if [.io, .damaged, .readOnly].contains(error.kind) { closeConnection() }
            logger.error("\(error) (its table is read instead; tried again when it is met in an hour)")
        }
        return true
    }

    /// Handles an error that SQLite calls malformed: an index may be the cause, and is rebuilt at once.
    func mendIndexes(after error: StoreError) {
        guard error.kind == .damaged, let sql = error.statement,
            let indexes = try? openConnection().indexes(of: sql), !indexes.isEmpty
        else { return }
        indexAlarm.raise(indexes, error)
        while rebuildStep() {}
    }
}
