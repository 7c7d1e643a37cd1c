internal import CairnCore

/// The damaged rows that wait to be made right by their second copies, and the tables whose copies wait to be compared
/// with their rows, each once. Pure: time is a parameter.
struct CopyRegister: Sendable {
    /// Most rows that wait; further ones are met again by their next reader.
    static let waitingMax = 100
    /// Least time between two attempts at one row: a row whose copy does not open either is met by every reader.
    static let retryInterval = Duration.seconds(60)
    /// Rows whose last attempt is remembered. Beyond it all are forgotten.
    private static let knownMax = 1_000

    /// The tables that are kept twice.
    var tables: Set<String> = []
    private var waiting: [DamagedRow] = []
    /// What is made anew: at most one entry for each table that is kept twice, and one for strays.
    private var differing: [CopyGroup] = []
    /// When each row was last queued, by its name.
    private var known: [String: ContinuousClock.Instant] = [:]

    /// Notes damaged rows. Returns whether one is queued now.
    mutating func met(_ rows: [DamagedRow], at now: ContinuousClock.Instant) -> Bool {
        var isAnyQueued = false
        for row in rows where tables.contains(row.table) && waiting.count < Self.waitingMax {
            if let queued = known[row.name], now - queued < Self.retryInterval { continue }
            if known.count >= Self.knownMax { known = [:] }
            known[row.name] = now
            waiting.append(row)
            isAnyQueued = true
        }
        return isAnyQueued
    }

    /// Removes and returns the next row.
    mutating func next() -> DamagedRow? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// Notes copies that are not as their rows. Returns whether some are queued now.
    mutating func differ(_ groups: Set<CopyGroup>) -> Bool {
        let known = tables.map { CopyGroup.rows(of: $0) } + [.strays]
        let new = groups.intersection(known).subtracting(differing).sorted { $0.table < $1.table }
        differing += new
        return !new.isEmpty
    }

    /// Removes and returns the next copies that are made anew.
    mutating func nextDiffering() -> CopyGroup? { differing.isEmpty ? nil : differing.removeFirst() }
}
