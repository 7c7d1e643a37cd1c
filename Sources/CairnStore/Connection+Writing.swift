internal import CairnCore
internal import GRDB

/// The outcome of an attempt to save a batch.
struct SavedBatch {
    /// Number of units that are decided, from the first on; there was no time for the rest.
    var count: Int
    /// The decided units that the database refused for good.
    var refused: [Int: StoreError] = [:]
    /// The decided units that were left out because their home is barred.
    var voided: Set<Int> = []
}

/// Records the fate of each unit in one attempt. Units of a home after one that was refused are left out.
private struct Attempt {
    private(set) var saved = SavedBatch(count: 0)
    private var barred: Set<HomeAddress>

    init(barred: Set<HomeAddress>) {
        self.barred = barred
    }

    /// Whether the next unit is left out because its home is barred; records it then.
    mutating func leavesOut(_ unit: Backlog.Entry) -> Bool {
        // Fast path: nearly always no home is barred.
        guard !barred.isEmpty, let home = unit.home, barred.contains(home) else { return false }
        saved.voided.insert(saved.count)
        saved.count += 1
        return true
    }

    /// The next unit is decided: saved, or refused for good.
    mutating func decided(_ unit: Backlog.Entry, refusal: StoreError? = nil) {
        if let refusal {
            saved.refused[saved.count] = refusal
            if let home = unit.home { barred.insert(home) }
        }
        saved.count += 1
    }
}

extension Connection {
    /// Saves units in one transaction, in order: as many as fit in the time, at least one. If it throws, none of them
    /// is on disk.
    ///
    /// Units that can never be saved are detected and left out, by up to three attempts: the whole batch; then each
    /// unit in a savepoint; and if the refusal comes only at COMMIT, each unit in its own transaction.
    /// - Parameters:
    ///   - barred: homes whose units are left out. The home of a unit that is refused here is barred for the rest.
    ///   - apart: starts with savepoints, and also refuses units that meet a damaged page.
    func save(
        _ units: [Backlog.Entry], barred: Set<HomeAddress>, within time: Duration, apart: Bool,
        beforeCommit: (() throws -> Void)?
    ) throws(StoreError) -> SavedBatch {
        let isFinal = { (error: StoreError) in error.isPermanent || (apart && error.kind == .damaged) }
        do throws(StoreError) {
            if !apart { return try saveAll(units, barred: barred, within: time, beforeCommit: beforeCommit) }
        } catch {
            guard error.isPermanent else { throw error }
        }
        do throws(StoreError) {
            return try saveInSavepoints(
                units, barred: barred, within: time, beforeCommit: beforeCommit, refusing: isFinal)
        } catch {
            // COMMIT may fail with "malformed" although the savepoint of the unit was rolled back.
            guard isFinal(error) else { throw error }
        }
        return try saveOneByOne(units, barred: barred, within: time, beforeCommit: beforeCommit, refusing: isFinal)
    }

    private func saveAll(
        _ units: [Backlog.Entry], barred: Set<HomeAddress>, within time: Duration,
        beforeCommit: (() throws -> Void)?
    ) throws(StoreError) -> SavedBatch {
        let deadline = ContinuousClock.now + time
        return try transaction(beforeCommit) { db in
            var attempt = Attempt(barred: barred)
            for unit in units {
                if !attempt.leavesOut(unit) {
                    for statement in unit.statements { try db.run(statement, keyring: keyring, among: prepared) }
                    attempt.decided(unit)
                }
                if ContinuousClock.now >= deadline { break }
            }
            return attempt.saved
        }
    }

    /// - Parameter isFinal: whether the error refuses the unit for good; any other error keeps all units for another
    ///   attempt.
    private func saveInSavepoints(
        _ units: [Backlog.Entry], barred: Set<HomeAddress>, within time: Duration, beforeCommit: (() throws -> Void)?,
        refusing isFinal: (StoreError) -> Bool
    ) throws(StoreError) -> SavedBatch {
        let deadline = ContinuousClock.now + time
        return try transaction(beforeCommit) { db in
            var attempt = Attempt(barred: barred)
            for unit in units {
                if !attempt.leavesOut(unit) {
                    let refusal = try saveInSavepoint(unit, db, refusing: isFinal)
                    attempt.decided(unit, refusal: refusal)
                }
                if ContinuousClock.now >= deadline { break }
            }
            return attempt.saved
        }
    }

    /// Saves one unit in a savepoint; returns the error if the unit is refused for good.
    private func saveInSavepoint(
        _ unit: Backlog.Entry, _ db: Database, refusing isFinal: (StoreError) -> Bool
    ) throws -> StoreError? {
        var refusal: StoreError?
        let mark = tally?.mark
        try db.execute(sql: "SAVEPOINT unit")
        do {
            for statement in unit.statements { try db.run(statement, keyring: keyring, among: prepared) }
        } catch {
            let error = StoreError(error, operation: "commit")
            guard isFinal(error), db.isInsideTransaction else { throw error }
            try db.execute(sql: "ROLLBACK TO unit")
            if let mark { tally?.rolledBack(to: mark) }
            refusal = error
        }
        try db.execute(sql: "RELEASE unit")
        return refusal
    }

    private func saveOneByOne(
        _ units: [Backlog.Entry], barred: Set<HomeAddress>, within time: Duration, beforeCommit: (() throws -> Void)?,
        refusing isFinal: (StoreError) -> Bool
    ) throws(StoreError) -> SavedBatch {
        let deadline = ContinuousClock.now + time
        var attempt = Attempt(barred: barred)
        for unit in units {
            if !attempt.leavesOut(unit) {
                do {
                    try transaction(beforeCommit) { db in
                        for statement in unit.statements { try db.run(statement, keyring: keyring, among: prepared) }
                    }
                    attempt.decided(unit)
                } catch {
                    // Earlier units are on disk and must be reported: return them, the next attempt meets this error
                    // again.
                    guard isFinal(error) else {
                        if attempt.saved.count > 0 { return attempt.saved }
                        throw error
                    }
                    attempt.decided(unit, refusal: error)
                }
            }
            if ContinuousClock.now >= deadline { break }
        }
        return attempt.saved
    }

    /// Runs changes in a transaction, with the tallies of what they change.
    func transaction<Result>(
        as operation: String = "commit", _ beforeCommit: (() throws -> Void)?, _ body: (Database) throws -> Result
    ) throws(StoreError) -> Result {
        try lend(operation) { db in
            try db.beginTransaction(.immediate)
            do {
                let result = try body(db)
                try writeTally(db)
                try beforeCommit?()
                try db.commit()
                tally?.committed()
                return result
            } catch {
                tally?.rolledBack()
                // After most failures SQLite has rolled back by itself (S4).
                if db.isInsideTransaction { try? db.rollback() }
                throw error
            }
        }
    }

    /// The tallies are right whenever the rows are: both are in one transaction.
    private func writeTally(_ db: Database) throws {
        guard let tally, tally.isChanged else { return }
        try tally.write(codesOf: tally.changed, to: db, among: prepared)
    }

    /// Writes the tallies after changes that were made outside a unit.
    func catchUpWithTally() throws(StoreError) {
        guard tally?.isChanged ?? false else { return }
        try transaction(as: "count the rows", nil) { _ in }
    }

    /// Files the new rows of a table.
    func file(_ filing: CairnCore.Statement) throws(StoreError) {
        try transaction(as: "file new rows", nil) { db in _ = try db.run(filing, keyring: nil, among: prepared) }
    }

    /// Deletes expired rows and the rows that refer to them, at most `rowsMax`, in small portions until `time` is over
    /// (nil = no limit). Returns the number of deleted rows and whether none is left.
    func expire(
        _ expiry: Expiry, rowsMax: Int, within time: Duration?
    ) throws(StoreError) -> (rows: Int, isFinished: Bool) {
        let deadline = time.map { ContinuousClock.now + $0 }
        return try transaction(as: "delete what is over", nil) { db in
            var rows = 0
            while rows < rowsMax {
                let handful = min(Self.expiryHandful, rowsMax - rows)
                let referring = try deleteDependents(
                    of: expiry, count: handful, rowsMax: min(Self.expiryDependents, rowsMax - rows), in: db)
                rows += referring
                if referring == 0 {
                    // Debian's SQLite knows LIMIT here (ENABLE_UPDATE_DELETE_LIMIT); one that does not refuses the
                    // text.
                    let deleted = try db.run(expiry.deletion(rowsMax: handful), keyring: keyring, among: prepared)
                    rows += deleted
                    if deleted < handful { return (rows, true) }
                }
                if let deadline, ContinuousClock.now >= deadline { break }
            }
            return (rows, false)
        }
    }

    /// Deletes rows that refer to the first `count` expired rows; returns their number, 0 = none is left.
    private func deleteDependents(of expiry: Expiry, count: Int, rowsMax: Int, in db: Database) throws -> Int {
        for deletion in expiry.deletions(ofDependentsOf: count, rowsMax: rowsMax) {
            let deleted = try db.run(deletion, keyring: keyring, among: prepared)
            if deleted > 0 { return deleted }
        }
        return 0
    }

    /// Rows deleted between two checks of the clock: few, because each may be in a page of its own.
    static let expiryHandful = 25
    /// Referring rows deleted between two checks of the clock: more, because they lie side by side.
    static let expiryDependents = 250

    /// Copies the write-ahead log into the database; returns the number of pages in the log.
    func checkpoint(_ step: CheckpointRule.Step) throws(StoreError) -> Int {
        try lend("checkpoint") { db in
            switch step {
            case .copy:
                return try db.checkpoint(.passive).walFrameCount
            case .empty:
                // Readers are short; a moment's patience here keeps the log from growing for ever (S3).
                try db.execute(sql: "PRAGMA busy_timeout = 50")
                defer { try? db.execute(sql: "PRAGMA busy_timeout = 0") }
                do {
                    let pages = try db.checkpoint(.truncate).walFrameCount
                    walEmptied()
                    return pages
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    return walPages
                }
            }
        }
    }
}
