internal import CairnCore
internal import GRDB

/// What an attempt to save a batch came to.
struct SavedBatch {
    /// So many of the first units are decided; time was up for the rest.
    var count: Int
    /// Those among them that the database refused for good.
    var refused: [Int: StoreError] = [:]
    /// Those that were left out because their home is barred.
    var voided: Set<Int> = []
}

/// Keeps count of what becomes of the units of one attempt; what a home submits after a unit that was refused is left
/// out.
private struct Attempt {
    private(set) var saved = SavedBatch(count: 0)
    private var barred: Set<HomeAddress>

    init(barred: Set<HomeAddress>) {
        self.barred = barred
    }

    /// Whether the next unit is not to be saved.
    mutating func leavesOut(_ unit: Backlog.Entry) -> Bool {
        // Nearly always nothing is barred.
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
    /// Saves the units in one transaction, in order, as many as fit in the time but at least one. Whatever it throws,
    /// nothing of them is on disk.
    ///
    /// Units that can never be saved are found out and left out. That costs: first the whole batch is tried without
    /// looking, then each unit in a savepoint, and if the refusal comes only at COMMIT, each in its own transaction.
    /// - Parameters:
    ///   - barred: homes of which nothing is saved; those of which a unit is refused here join them.
    ///   - apart: each unit in a savepoint from the start; one that meets a damaged page is refused as well.
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
            // SQLite may call a transaction malformed at COMMIT although its savepoint was rolled back.
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
                    for statement in unit.statements { try db.run(statement, keyring: keyring) }
                    attempt.decided(unit)
                }
                if ContinuousClock.now >= deadline { break }
            }
            return attempt.saved
        }
    }

    /// - Parameter isFinal: whether a unit is refused for an error, rather than all of them kept for another attempt.
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

    /// Gives the error with which the unit was refused for good, if it was.
    private func saveInSavepoint(
        _ unit: Backlog.Entry, _ db: Database, refusing isFinal: (StoreError) -> Bool
    ) throws -> StoreError? {
        var refusal: StoreError?
        try db.execute(sql: "SAVEPOINT unit")
        do {
            for statement in unit.statements { try db.run(statement, keyring: keyring) }
        } catch {
            let error = StoreError(error, operation: "commit")
            guard isFinal(error), db.isInsideTransaction else { throw error }
            try db.execute(sql: "ROLLBACK TO unit")
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
                        for statement in unit.statements { try db.run(statement, keyring: keyring) }
                    }
                    attempt.decided(unit)
                } catch {
                    // What the units before have saved is on disk and must be told: the failure comes again with this
                    // one.
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

    private func transaction<Result>(
        as operation: String = "commit", _ beforeCommit: (() throws -> Void)?, _ body: (Database) throws -> Result
    ) throws(StoreError) -> Result {
        try lend(operation) { db in
            try db.beginTransaction(.immediate)
            do {
                let result = try body(db)
                try beforeCommit?()
                try db.commit()
                return result
            } catch {
                // After most failures SQLite has rolled back by itself (S4).
                if db.isInsideTransaction { try? db.rollback() }
                throw error
            }
        }
    }

    /// Deletes at most `rowsMax` of the rows that have expired and of those that refer to them, and stops between two
    /// handfuls when `time` is over; nil = takes the time it takes. Gives how many they were, and whether none is left.
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
                    let deleted = try db.run(expiry.deletion(rowsMax: handful), keyring: keyring)
                    rows += deleted
                    if deleted < handful { return (rows, true) }
                }
                if let deadline, ContinuousClock.now >= deadline { break }
            }
            return (rows, false)
        }
    }

    /// Deletes rows that refer to the first `count` rows that go; gives how many, 0 = none is left.
    private func deleteDependents(of expiry: Expiry, count: Int, rowsMax: Int, in db: Database) throws -> Int {
        for deletion in expiry.deletions(ofDependentsOf: count, rowsMax: rowsMax) {
            let deleted = try db.run(deletion, keyring: keyring)
            if deleted > 0 { return deleted }
        }
        return 0
    }

    /// Rows that an expiry deletes between two looks at the clock: each may be in a page of its own.
    static let expiryHandful = 25
    /// The same of rows that refer to them, which stand side by side.
    static let expiryDependents = 250

    /// Copies the write-ahead log into the database; gives the number of pages in the log.
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
