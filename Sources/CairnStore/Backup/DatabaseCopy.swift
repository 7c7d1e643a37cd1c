public import CairnCore
internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// Copies a database, which may be in use (DAT-5).
///
/// The copy reads one snapshot on a separate read-only connection: commits continue meanwhile and do not restart it
/// (S5), and no second connection writes or checkpoints (S1). Values stay sealed.
enum DatabaseCopy {
    /// Pages copied at a time; a pause after each step leaves the disk to the commits.
    private static let pagesPerStep: Int32 = 64
    private static let pauseMicroseconds: UInt32 = 1_000
    /// Steps between two flushes of the copy to the disk: one large flush at the end would delay every commit.
    private static let stepsPerFlush = 4

    /// Writes and verifies the copy, and only then gives it its name. Blocks the thread.
    ///
    /// A copy with damaged rows is kept, too, because it may be the only copy of the sound rows. The report lists the
    /// faults.
    /// - Parameters:
    ///   - takenAt: the time that the report names, for copies that have it in their name.
    ///   - older: folders of earlier copies, whose files may be linked where those of the database cannot.
    ///   - name: returns another name for the copy, by the result of its check; nil = `target`.
    static func write(
        from path: String, to target: String, check: DatabaseCheck, takenAt: WallTime = WallClock.now,
        older: [FileFolder] = [],
        name: (VerifyReport) -> String? = { _ in nil }
    ) throws(StoreError) -> BackupReport {
        let start = ContinuousClock.now
        // The target could be the database of a running server.
        guard access(target, F_OK) != 0 else {
            throw StoreError(
                .rejected, operation: "back up to \(target)", cause: "there is such a file already",
                remedy: "name one that is not there, or none")
        }
        let draft = target + ".part"
        let files = FileFolder(beside: target).draft
        files.remove()
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(draft + ending) }
        try DatabaseFile.create(draft: draft)
        do throws(StoreError) {
            let pages = try copy(from: path, to: draft)
            // The rows of the copy say which files belong to it. They are there: a file outlives its row by longer than
            // this takes.
            if let source = check.files?.folder(of: path) {
                try files.bring(try check.storedFiles(of: draft), from: [source] + older)
            }
            let found = try check.run(draft, in: [files], copyOf: path)
            guard found.pages == pages else {
                throw StoreError(
                    .damaged, operation: "verify the backup \(target)",
                    cause: "\(found.pages) pages of \(pages) arrived",
                    remedy: "check the disk")
            }
            let path = name(found) ?? target
            try files.publish(as: FileFolder(beside: path))
            try DatabaseFile.publish(draft, as: path)
            return BackupReport(
                path: path, takenAt: takenAt, bytes: found.bytes, rows: found.rows, files: found.files,
                took: .now - start,
                faults: found.faults, damagedIndexes: found.damagedIndexes, damaged: found.damaged,
                copyFaults: found.copyFaults, renewableCopies: found.renewableCopies)
        } catch {
            for ending in ["", "-wal", "-shm", "-journal"] { unlink(draft + ending) }
            files.remove()
            throw error
        }
    }

    /// Copies page by page, including the write-ahead log. Returns the number of pages.
    static func copy(from path: String, to draft: String) throws(StoreError) -> Int {
        let source = try Connection(path: path, role: .reader)
        defer { source.close() }
        let flusher = try Flusher(draft)
        defer { flusher.close() }
        let pages: Int
        do {
            let target = try Connection(path: draft, role: .copy)
            // Closed before the flusher closes its descriptor, which would drop the connection's locks: closing one
            // descriptor of a file drops all locks of the process on it.
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
        // The copy's header requires a write-ahead log, as the original's does. A copy by itself needs none.
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

    /// Flushes everything written so far to the disk.
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

/// The result of a backup.
public struct BackupReport: Hashable, Sendable {
    public let path: String
    /// The backup contains every change that was acknowledged before this time.
    public let takenAt: WallTime
    public let bytes: Int
    /// Rows of all tables together.
    public let rows: Int
    /// Files that rows name, beside the database.
    public let files: Int
    public let took: Duration
    /// The faults of rows and indexes in one line; empty = the backup is sound.
    public let faults: String
    /// Indexes that do not agree with their tables.
    public let damagedIndexes: [String]
    /// Damaged rows, the first 1,000.
    let damaged: [DamagedRow]
    /// Second copies that are not as their rows; they are no fault of the backup.
    public let copyFaults: CopyFaults
    /// Second copies that can be made anew.
    let renewableCopies: Set<CopyGroup>

    public var isSound: Bool { faults.isEmpty }
}
