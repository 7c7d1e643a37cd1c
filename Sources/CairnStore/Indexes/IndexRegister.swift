/// The indexes that were found damaged since the start. An index holds nothing that its table does not hold: it is
/// rebuilt from the table, and until then the table is read. Pure: time is a parameter.
struct IndexRegister: Sendable {
    /// Least time between two rebuilds of one index. A rebuild occupies the writer for a time that grows with the
    /// table, and a disk that damages the index again must not keep the writer busy.
    static let rebuildInterval = Duration.seconds(3_600)

    private struct Entry {
        var isDamaged = true
        /// When it was last queued for rebuilding.
        var queuedAt: ContinuousClock.Instant
    }

    /// By name; at most one for each index of the schema.
    private var entries: [String: Entry] = [:]
    /// Queued for rebuilding, each once.
    private var waiting: [String] = []

    /// The indexes that are damaged now.
    var damaged: [String] { entries.filter(\.value.isDamaged).keys.sorted() }
    /// The indexes that were damaged and have been rebuilt.
    var rebuilt: [String] { entries.filter { !$0.value.isDamaged }.keys.sorted() }

    /// Notes that a statement failed because of one of these indexes.
    /// - Returns: the indexes that are queued now, for the log; empty = all of them were queued within the last hour.
    mutating func met(_ indexes: [String], at now: ContinuousClock.Instant) -> [String] {
        var queued: [String] = []
        for index in indexes {
            if let entry = entries[index], now - entry.queuedAt < Self.rebuildInterval {
                // An index in the queue was queued within the last hour.
                entries[index]?.isDamaged = true
                continue
            }
            entries[index] = Entry(queuedAt: now)
            queued.append(index)
        }
        waiting += queued
        return queued
    }

    /// Removes and returns the next index to rebuild.
    mutating func next() -> String? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// Notes that an index has been rebuilt.
    mutating func mended(_ index: String) { entries[index]?.isDamaged = false }
}
