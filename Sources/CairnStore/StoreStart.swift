internal import CairnCore
internal import Foundation
internal import Logging

/// The checks before a store opens its database for writing: existence of the world, its keys, its schema and its
/// pages. A damaged database is replaced by the newest sound backup here (DAT-6).
struct StoreStart {
    let options: Store.Options
    let schema: Schema
    let tables: [StoredTable]
    let logger: Logger

    /// The result of the checks.
    struct Result {
        let masters: MasterKeys
        /// Set when a backup took the place of the database.
        let restored: RestoreReport?
        /// Whether the second copies of rows were damaged and were made anew.
        let areCopiesRemade: Bool
    }

    func run(_ file: borrowing DatabaseFile) throws(StoreError) -> Result {
        do throws(StoreError) {
            let isNew = try makeIfNew(file)
            let masters = try loadKeys(isNew: isNew)
            let result = try examine(file, masters)
            if case .file(let path) = options.keys { KeyFile(path: path).note(world: file.path) }
            return result
        } catch {
            throw withoutRoom(error)
        }
    }

    /// Creates the database of a new world. It is created before its key, so that a key without a database always means
    /// a lost database.
    ///
    /// - Returns: whether the world is new.
    private func makeIfNew(_ file: borrowing DatabaseFile) throws(StoreError) -> Bool {
        var keyFile: KeyFile?
        if case .file(let path) = options.keys { keyFile = KeyFile(path: path) }
        guard file.isEmpty else {
            // An interrupted first start has created the database and not the key.
            guard let keyFile, !keyFile.exists else { return false }
            return (try? file.holdsNothing()) ?? false
        }
        guard options.backups?.backups.isEmpty ?? true else { return false }
        if let keyFile, keyFile.hasOpened(world: file.path), !options.isNewWorld, !file.hasLog {
            throw StoreError(
                .worldGone, operation: "open \(file.path)",
                cause: "the key file \(keyFile.path) has opened a world here, but no database is there, and no backup",
                remedy: "mount its disk or correct storage.path; to begin another world here add --new-world")
        }
        try file.create()
        return true
    }

    private func loadKeys(isNew: Bool) throws(StoreError) -> MasterKeys {
        let (masters, isMade) = try options.keys.load(forNewDatabase: isNew)
        guard case .file(let path) = options.keys else { return masters }
        if isMade {
            logger.notice(
                "store: the key of this world was made: \(path). Keep a copy: without it the data cannot be read.")
        }
        if KeyFile(path: path).isExposed {
            logger.warning("store: the key file \(path) can be read by others than its owner")
        }
        return masters
    }

    /// Makes the second copies anew if nothing else is damaged that they mend; else replaces a damaged database by the
    /// newest sound backup. Without one no file is changed, nor where anything but damage is in the way of the copies.
    private func examine(_ file: borrowing DatabaseFile, _ masters: MasterKeys) throws(StoreError) -> Result {
        do throws(StoreError) {
            if file.isEmpty, let folder = options.backups, !folder.backups.isEmpty {
                throw StoreError(
                    .damaged, operation: "open \(options.path)",
                    cause: "the file is gone or empty, but backups are there",
                    remedy: "the newest sound one takes its place")
            }
            try file.create()
            for finding in try file.examine(schema, wholeFile: options.checksAtStart, masters: masters).prefix(10) {
                logger.error("store: check \(options.path): \(finding); cairn verify lists all")
            }
            return Result(masters: masters, restored: nil, areCopiesRemade: false)
        } catch {
            guard error.kind == .damaged else { throw error }
            let recovery = Recovery(
                path: options.path,
                check: DatabaseCheck(options, masters: masters, schema: schema, tables: tables))
            if try recovery.makeCopiesAnew(logger: logger) {
                return Result(masters: masters, restored: nil, areCopiesRemade: true)
            }
            guard let folder = options.backups else { throw error }
            logger.error("store: \(error.operation): \(error.cause); a sound backup is looked for in \(folder.path)")
            guard let report = try recovery.restoreNewest(in: folder, logger: logger) else {
                throw StoreError(
                    .damaged, operation: error.operation, cause: "\(error.cause); no sound backup is in \(folder.path)",
                    remedy: "restore one from elsewhere (cairn restore FILE); the file was left as it is")
            }
            logger.error(
                """
                store: the database was damaged; \(report.from) took its place. Lost are changes from \
                \(report.lostPeriod). The damaged file is kept as \(report.setAside ?? "nothing").
                """)
            return Result(masters: masters, restored: report, areCopiesRemade: false)
        }
    }

    /// Least free bytes for creating a database: its first pages, its log and the index of the log.
    private static let roomNeeded: UInt64 = 1 << 20

    /// SQLite reports a full disk as an I/O error when there is no room for the index of the log.
    private func withoutRoom(_ error: StoreError) -> StoreError {
        guard [.io, .full].contains(error.kind) else { return error }
        let folder = options.path.parentDirectory
        guard let free = DatabaseFile.freeSpace(around: folder), free < Self.roomNeeded else { return error }
        let (has, needs) = (free / 1_024, Self.roomNeeded / 1_024)
        return StoreError(
            .full, operation: error.operation,
            cause: "no room: \(has) KB are free on the disk of \(folder), \(needs) are needed",
            remedy: "make room on the disk, or name another folder with storage.path")
    }
}
