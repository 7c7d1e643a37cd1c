internal import CairnCore
internal import Foundation
internal import GRDB
internal import Logging

extension Recovery {
    /// Ends the name of a copy of the damaged pages, while the second copies are made anew.
    static let pagesEnding = ".pages"

    /// Puts a copy of the database in its place that has second copies made from their rows, if only those are damaged:
    /// without them the rest has to pass each check that a backup has to pass. The damaged database is kept.
    ///
    /// It is not mended where it lies: SQLite frees the pages of a tree by walking it, and with a wrong pointer in it
    /// those of another one.
    /// - Returns: false = more is damaged, or the disk refuses; nothing is changed.
    func makeCopiesAnew(logger: Logger) -> Bool {
        guard areCopiesDamaged else { return false }
        logger.error("store: second copies of rows are damaged; they are made anew if nothing else is")
        do throws(StoreError) {
            guard try writeWithoutCopies(to: draft) else { return false }
            // Files of pictures are in no tree.
            let report = try check.run(draft, in: [])
            guard report.isSound, report.areRowsChecked else {
                unlink(draft)
                logger.error("store: more than second copies is damaged: \(report.faults)")
                return false
            }
            let aside = try replace(by: draft, setAsideAs: .damaged)
            logger.error(
                """
                store: second copies of rows were damaged and were made anew from their rows. Nothing is lost: look \
                for a fault of the disk. The damaged file is kept as \(aside ?? "nothing").
                """)
            return true
        } catch {
            for ending in ["", ".part"] { unlink(draft + ending) }
            logger.error("store: second copies of rows could not be made anew: \(error.operation): \(error.cause)")
            return false
        }
    }

    private var areCopiesDamaged: Bool {
        guard let connection = try? Connection(path: path, role: .reader) else { return false }
        defer { connection.close() }
        return connection.areCopiesDamaged()
    }

    /// Writes the database with the tree of the second copies left out, and the copies made from their rows.
    /// - Returns: false = the database has no tallies, which say whether its other tables are as they were written.
    private func writeWithoutCopies(to draft: String) throws(StoreError) -> Bool {
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
