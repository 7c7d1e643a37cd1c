internal import CairnCore
internal import Foundation
internal import GRDB
internal import Logging

extension Recovery {
    /// Ends the name of a copy of the damaged pages, while the second copies are made anew.
    static let pagesEnding = ".pages"

    /// Puts a copy of the database in its place that has second copies made from their rows, if only those are damaged:
    /// without them the rest has to have sound pages, and each row that the copies would have made right has to be
    /// sound and as the server wrote it. The damaged database is kept.
    ///
    /// What else is damaged stays as it was: a row that has no second copy is set aside when it is read, and a backup
    /// from before it would cost all that came since.
    ///
    /// It is not mended where it lies: SQLite frees the pages of a tree by walking it, and with a wrong pointer in it
    /// those of another one.
    ///
    /// Throws where something else than damage is in the way, such as a full disk, or a schema of an older server: as
    /// long as no backup takes the world's place nothing is lost. Then nothing is changed.
    /// - Returns: false = more is damaged; nothing is changed.
    func makeCopiesAnew(logger: Logger) throws(StoreError) -> Bool {
        // SQLite deletes the log of an empty file when it opens that.
        guard DatabaseFile.isFilled(path),
            try answer({ (connection) throws(StoreError) in try connection.areCopiesDamaged() }) == true
        else { return false }
        logger.error("store: second copies of rows are damaged; they are made anew if nothing else is")
        if try answer({ (connection) throws(StoreError) in try isOfOlderServer(connection) }) == true {
            throw StoreError(
                .damaged, operation: "make the second copies of \(path) anew",
                cause: "an older server wrote the file: its rows cannot be checked",
                remedy: """
                    start the server that wrote it once, which makes them anew, and then this one; or restore a backup \
                    (cairn restore)
                    """)
        }
        do throws(StoreError) {
            guard try writeWithoutCopies(to: draft) else { return false }
            // Files of pictures are in no tree.
            let report = try check.run(draft, in: [])
            let faults = report.faults(of: Set(check.tables.filter(\.isKeptTwice).map(\.name.text)))
            guard faults.isEmpty else {
                unlink(draft)
                logger.error("store: more than second copies is damaged: \(faults)")
                return false
            }
            let aside = try replace(by: draft, setAsideAs: .damaged)
            logger.error(
                """
                store: second copies of rows were damaged and were made anew from their rows. Nothing is lost: look \
                for a fault of the disk. The damaged file is kept as \(aside ?? "nothing").
                """)
            if !report.isSound {
                logger.error("store: what else is damaged stays as it was: \(report.faults); cairn verify lists all")
            }
            return true
        } catch {
            for ending in ["", ".part"] { unlink(draft + ending) }
            guard error.isDamage else { throw withoutLoss(error) }
            logger.error("store: more than second copies is damaged: \(error.operation): \(error.cause)")
            return false
        }
    }

    /// - Returns: nil = damage keeps the database from answering.
    private func answer(_ question: (Connection) throws(StoreError) -> Bool) throws(StoreError) -> Bool? {
        do throws(StoreError) {
            let connection = try Connection(path: path, role: .reader)
            defer { connection.close() }
            return try question(connection)
        } catch {
            guard error.isDamage else { throw error }
            return nil
        }
    }

    private func isOfOlderServer(_ connection: Connection) throws(StoreError) -> Bool {
        guard let schema = check.schema else { return false }
        return try schema.examine(connection) != .current
    }

    /// The error of an attempt that can be made again.
    func withoutLoss(_ error: StoreError) -> StoreError {
        StoreError(
            error.kind, operation: "make the second copies of \(path) anew",
            cause: "\(error.operation): \(error.cause)",
            remedy: error.kind == .full
                ? "make room on the disk for two copies of the database, and start the server again; nothing is lost"
                : "\(error.remedy); then start the server again; nothing is lost")
    }

    /// Writes the database with the tree of the second copies left out, and the copies made from their rows.
    /// - Returns: false = the database has no tallies, which say whether its other tables are as they were written.
    private func writeWithoutCopies(to draft: String) throws(StoreError) -> Bool {
        try writeOthers(to: draft)
        let made = try Connection(path: draft, role: .copy)
        defer { made.close() }
        guard let keyring = try made.unlock(with: check.masters), keyring.isTallied else {
            unlink(draft)
            return false
        }
        try made.lend("make the second copies anew") { db in
            try SecondCopies.install(in: db)
            try db.inTransaction(.immediate) {
                try SecondCopies.migration.execute(in: db)
                try SecondCopies.renewAll(of: check.tables, in: db, keyring)
                return .commit
            }
        }
        return true
    }

    /// Writes the database without the second copies and their pages. Needs room for two copies of it.
    private func writeOthers(to draft: String) throws(StoreError) {
        let pages = path + Self.pagesEnding
        unlink(draft)
        unlink(pages)
        defer { unlink(pages) }
        try DatabaseFile.create(draft: pages)
        _ = try DatabaseCopy.copy(from: path, to: pages)
        try Self.forgetCopies(in: pages)
        let source = try Connection(path: pages, role: .copy)
        defer { source.close() }
        // Leaves out the pages that no table has any more.
        try source.copy(to: draft)
    }

    private static func forgetCopies(in path: String) throws(StoreError) {
        let connection = try Connection(path: path, role: .copy)
        defer { connection.close() }
        try connection.lend("leave out the second copies") { db in
            try db.execute(
                sql: """
                    PRAGMA writable_schema = 1;
                    DELETE FROM sqlite_master WHERE tbl_name = 'cairn_copies';
                    PRAGMA writable_schema = 0
                    """)
        }
    }
}
