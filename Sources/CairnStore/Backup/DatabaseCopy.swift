public import CairnCore
internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// A copy of a database that is in use, or not (DAT-5).
///
/// It reads from one snapshot on a connection of its own that cannot write: commits go on beside it and do not restart
/// it (S5), and no second connection writes or checkpoints (S1). Values stay sealed.
enum DatabaseCopy {
    /// Pages copied at a time; a pause after each step leaves the disk to the commits.
    private static let pagesPerStep: Int32 = 64
    private static let pauseMicroseconds: UInt32 = 1_000
    /// The copy reaches the disk in pieces: one large flush at the end would hold up every commit beside it.
    private static let stepsPerFlush = 4

    /// Writes, verifies, and only then gives the copy its name. Blocks the thread.
    ///
    /// A copy with damaged rows is kept all the same, as it may be the only one of all the others; its report says so.
    /// - Parameters:
    ///   - takenAt: the time that the report names, for copies that have it in their name.
    ///   - name: another name for what was found; nil = `target`.
    static func write(
        from path: String, to target: String, check: DatabaseCheck, takenAt: WallTime = WallClock.now,
        name: (VerifyReport) -> String? = { _ in nil }
    ) throws(StoreError) -> BackupReport {
        let start = ContinuousClock.now
        // It could be the database itself, under which a server goes on.
        guard access(target, F_OK) != 0 else {
            throw StoreError(
                .rejected, operation: "back up to \(target)", cause: "there is such a file already",
                remedy: "name one that is not there, or none")
        }
        let draft = target + ".part"
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(draft + ending) }
        try DatabaseFile.create(draft: draft)
        do throws(StoreError) {
            let pages = try copy(from: path, to: draft)
            let found = try check.run(draft)
            guard found.pages == pages else {
                throw StoreError(
                    .damaged, operation: "verify the backup \(target)",
                    cause: "\(found.pages) pages of \(pages) arrived",
                    remedy: "check the disk")
            }
            let path = name(found) ?? target
            try DatabaseFile.publish(draft, as: path)
            return BackupReport(
                path: path, takenAt: takenAt, bytes: found.bytes, rows: found.rows, took: .now - start,
                faults: found.faults, damagedIndexes: found.damagedIndexes)
        } catch {
            for ending in ["", "-wal", "-shm", "-journal"] { unlink(draft + ending) }
            throw error
        }
    }

    /// Copies page by page, what is in the log included. Gives the number of pages.
    static func copy(from path: String, to draft: String) throws(StoreError) -> Int {
        let source = try Connection(path: path, role: .reader)
        defer { source.close() }
        let flusher = try Flusher(draft)
        defer { flusher.close() }
        let pages: Int
        do {
            let target = try Connection(path: draft, role: .copy)
            // Before the flusher: closing one descriptor of a file drops the locks that the process has on it.
            defer { target.close() }
            pages = try source.lend("copy the database to \(draft)") { from in
                try target.lend("write \(draft)") { into in
                    var pages = 0
                    try from.inTransaction(.deferred) {
                        pages = try steps(from, into, flusher)
                        return .commit
                    }
                    return pages
                }
            }
        }
        // The copy says of itself that it has a write-ahead log, as its original; alone it needs none.
        let copy = try Connection(path: draft, role: .copy)
        defer { copy.close() }
        try copy.lend("finish \(draft)") { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
        return pages
    }

    private static func steps(_ from: Database, _ into: Database, _ flusher: Flusher) throws -> Int {
        // Begins the snapshot; from here on no commit changes what this connection sees.
        _ = try Int.fetchOne(from, sql: "SELECT count(*) FROM sqlite_master")
        guard let backup = sqlite3_backup_init(into.sqliteConnection, "main", from.sqliteConnection, "main") else {
            throw DatabaseError(resultCode: ResultCode(rawValue: sqlite3_errcode(into.sqliteConnection)))
        }
        var code = SQLITE_OK
        var count = 0
        while code == SQLITE_OK {
            code = sqlite3_backup_step(backup, pagesPerStep)
            count += 1
            if count.isMultiple(of: stepsPerFlush) { try flusher.flush() }
            if code == SQLITE_OK { usleep(pauseMicroseconds) }
        }
        let pages = Int(sqlite3_backup_pagecount(backup))
        let end = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, end == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code == SQLITE_DONE ? end : code))
        }
        return pages
    }

    /// Has what was written so far on the disk.
    private struct Flusher {
        private let file: Int32

        init(_ path: String) throws(StoreError) {
            file = open(path, O_RDWR | O_CLOEXEC)
            guard file >= 0 else { throw DatabaseFile.failure("write \(path)") }
        }

        func flush() throws(StoreError) {
            guard fdatasync(file) == 0 else { throw DatabaseFile.failure("write the backup") }
        }

        func close() { Foundation.close(file) }
    }
}

/// What a backup came to.
public struct BackupReport: Hashable, Sendable {
    public let path: String
    /// Every change that was acknowledged before is in it.
    public let takenAt: WallTime
    public let bytes: Int
    /// Rows of all tables together.
    public let rows: Int
    public let took: Duration
    /// What is wrong with rows or indexes of it, in one line; empty = it is sound.
    public let faults: String
    /// Indexes that do not agree with their tables.
    public let damagedIndexes: [String]

    public var isSound: Bool { faults.isEmpty }
}
