internal import CairnCore
internal import GRDB

/// What an attempt to save a batch came to.
struct SavedBatch {
    /// So many of the first units are decided; time was up for the rest.
    var count: Int
    /// Those among them that the database refused for good.
    var refused: [Int: StoreError] = [:]
}

extension Connection {
    /// Saves the units in one transaction, in order, as many as fit in the time but at least one. Whatever it throws,
    /// nothing of them is on disk.
    ///
    /// Units that can never be saved are found out and left out. That costs: first the whole batch is tried without
    /// looking, then each unit in a savepoint, and if the refusal comes only at COMMIT, each in its own transaction.
    func save(
        _ units: [Backlog.Entry], within time: Duration, beforeCommit: (() throws -> Void)?
    ) throws(StoreError) -> SavedBatch {
        let attempts = [saveAll, saveInSavepoints]
        for attempt in attempts {
            do {
                return try attempt(units, time, beforeCommit)
            } catch {
                guard error.isPermanent else { throw error }
            }
        }
        return try saveOneByOne(units, within: time, beforeCommit: beforeCommit)
    }

    private func saveAll(
        _ units: [Backlog.Entry], within time: Duration, beforeCommit: (() throws -> Void)?
    ) throws(StoreError) -> SavedBatch {
        let deadline = ContinuousClock.now + time
        return try transaction(beforeCommit) { db in
            var count = 0
            for unit in units {
                for statement in unit.statements { try db.run(statement, keyring: keyring) }
                count += 1
                if ContinuousClock.now >= deadline { break }
            }
            return SavedBatch(count: count)
        }
    }

    private func saveInSavepoints(
        _ units: [Backlog.Entry], within time: Duration, beforeCommit: (() throws -> Void)?
    ) throws(StoreError) -> SavedBatch {
        let deadline = ContinuousClock.now + time
        return try transaction(beforeCommit) { db in
            var saved = SavedBatch(count: 0)
            for unit in units {
                try db.execute(sql: "SAVEPOINT unit")
                do {
                    for statement in unit.statements { try db.run(statement, keyring: keyring) }
                } catch {
                    let error = StoreError(error, operation: "commit")
                    guard error.isPermanent, db.isInsideTransaction else { throw error }
                    try db.execute(sql: "ROLLBACK TO unit")
                    saved.refused[saved.count] = error
                }
                try db.execute(sql: "RELEASE unit")
                saved.count += 1
                if ContinuousClock.now >= deadline { break }
            }
            return saved
        }
    }

    private func saveOneByOne(
        _ units: [Backlog.Entry], within time: Duration, beforeCommit: (() throws -> Void)?
    ) throws(StoreError) -> SavedBatch {
        let deadline = ContinuousClock.now + time
        var saved = SavedBatch(count: 0)
        for unit in units {
            do {
                try transaction(beforeCommit) { db in
                    for statement in unit.statements { try db.run(statement, keyring: keyring) }
                }
            } catch {
                // What the units before have saved is on disk and must be told: the failure comes again with this one.
                guard error.isPermanent else {
                    if saved.count > 0 { return saved }
                    throw error
                }
                saved.refused[saved.count] = error
            }
            saved.count += 1
            if ContinuousClock.now >= deadline { break }
        }
        return saved
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

    /// Deletes at most `rowsMax` of the rows that the statement names, and stops between two handfuls of them when
    /// `time` is over; nil = takes the time it takes. Gives how many they were, and whether none is left.
    func expire(
        _ statement: CairnCore.Statement, rowsMax: Int, within time: Duration?
    ) throws(StoreError) -> (rows: Int, isFinished: Bool) {
        let deadline = time.map { ContinuousClock.now + $0 }
        // Debian's SQLite knows LIMIT here (ENABLE_UPDATE_DELETE_LIMIT); one that does not refuses the text.
        let sql = "\(statement.sql.text) LIMIT ?"
        return try transaction(as: "delete what is over", nil) { db in
            var rows = 0
            while true {
                let limit = min(Self.expiryHandful, rowsMax - rows)
                let deleted = try db.run(sql, statement.arguments + [.integer(Int64(limit))], keyring: keyring)
                rows += deleted
                if deleted < limit { return (rows, true) }
                if rows >= rowsMax { return (rows, false) }
                if let deadline, ContinuousClock.now >= deadline { return (rows, false) }
            }
        }
    }

    /// Rows that an expiry deletes between two looks at the clock: each may be in a page of its own.
    static let expiryHandful = 25

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
