/// The indexes that statements found damaged since the start. An index says nothing that its table does not: it is
/// built anew from it, and until then the table is read. Pure: time is handed in.
struct IndexRegister: Sendable {
    /// One index is built anew at most once in this time: it takes the writer as long as its table is large, and a disk
    /// that damages it again must not have the server do nothing else.
    static let rebuildInterval = Duration.seconds(3_600)

    private struct Entry {
        var isDamaged = true
        /// When it was last queued to be built anew.
        var queuedAt: ContinuousClock.Instant
    }

    /// By name; no more than the schema has indexes.
    private var entries: [String: Entry] = [:]
    /// To be built anew, each once.
    private var waiting: [String] = []

    /// Those that are damaged now.
    var damaged: [String] { entries.filter(\.value.isDamaged).keys.sorted() }
    /// Those that were damaged and have been built anew.
    var rebuilt: [String] { entries.filter { !$0.value.isDamaged }.keys.sorted() }

    /// Takes note that a statement could not go by one of these.
    /// - Returns: those that are to be built anew for it, which is said in the log; empty = they were within the hour.
    mutating func met(_ indexes: [String], at now: ContinuousClock.Instant) -> [String] {
        var queued: [String] = []
        for index in indexes {
            if let entry = entries[index], now - entry.queuedAt < Self.rebuildInterval {
                // One that waits was queued within the hour.
                entries[index]?.isDamaged = true
                continue
            }
            entries[index] = Entry(queuedAt: now)
            queued.append(index)
        }
        waiting += queued
        return queued
    }

    /// The next one to build anew; it waits no longer.
    mutating func next() -> String? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// It has been built anew.
    mutating func mended(_ index: String) { entries[index]?.isDamaged = false }
}
