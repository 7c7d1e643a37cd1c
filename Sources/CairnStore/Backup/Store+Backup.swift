public import CairnCore
internal import CairnThreads
internal import Foundation
internal import GRDB

/// Backups of a running store, and operations on a database that is not open.
extension Store {
    /// The folder of `backUp()`; nil = no backups.
    public nonisolated var backupFolder: BackupFolder? { options.backups }

    /// Writes a verified copy while the store keeps serving. The copy contains every change that was acknowledged
    /// before the call.
    ///
    /// Throws `busy` while another backup is being written.
    public func backUp(to target: String) async throws(StoreError) -> BackupReport {
        let path = options.path
        return try await backUp("back up to \(target)") { (check) throws(StoreError) in
            try DatabaseCopy.write(from: path, to: target, check: check)
        }
    }

    /// The same, into the folder of `Options.backups` under the time's name. Then the oldest backups beyond its bound
    /// are deleted.
    public func backUp() async throws(StoreError) -> BackupReport {
        guard let folder = options.backups else {
            throw StoreError(
                .rejected, operation: "back up", cause: "this store has no folder for backups",
                remedy: "set backup.directory")
        }
        let path = options.path
        return try await backUp("back up to \(folder.path)") { (check) throws(StoreError) in
            try folder.add(from: path, check: check)
        }
    }

    /// All access to the disk of the backups, which may be slow or hang, runs on a separate thread. On a thread of the
    /// pool it would block other tasks, and on this actor's thread it would delay commits.
    private func backUp(
        _ operation: String, _ write: @escaping @Sendable (DatabaseCheck) throws(StoreError) -> BackupReport
    ) async throws(StoreError) -> BackupReport {
        guard let check, !isBackingUp else {
            throw StoreError(
                check == nil ? .closed : .busy, operation: operation,
                cause: check == nil ? "the store is closed" : "another backup is being written",
                remedy: "try again later")
        }
        isBackingUp = true
        defer { isBackingUp = false }
        let result: Result<BackupReport, StoreError> = await withCheckedContinuation { continuation in
            let thread = Thread {
                ThreadName.set("cairn-backup")
                // On Linux this lowers the priority of the calling thread only: if cores are scarce, commits come
                // first.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
                continuation.resume(returning: Result { () throws(StoreError) in try write(check) })
            }
            thread.start()
        }
        note(result)
        return try result.get()
    }

    /// Replaces the database of a store that is not open by a backup. The old database is kept beside it.
    ///
    /// - Parameters:
    ///   - format: all schema steps and tables of this server.
    ///   - evenUnsound: accepts a backup with damaged rows.
    public static func restore(
        _ backup: String, options: Options, format: StoreFormat, evenUnsound: Bool = false
    ) throws(StoreError) -> RestoreReport {
        let file = try DatabaseFile.claim(options.path)
        let check = try DatabaseCheck(options, format)
        return try Recovery(path: file.path, check: check).restore(backup, evenUnsound: evenUnsound)
    }

    /// The process that has the database open for writing; nil = none, or this user may not read the lock file.
    public static func holder(options: Options) -> Int32? { DatabaseFile.holder(of: options.path) }

    /// Checks whether a database or a backup opens with the key, and every page, index and row of it. A server may be
    /// running.
    ///
    /// - Parameter progress: called now and then with the progress.
    public static func verify(
        _ path: String, options: Options, format: StoreFormat,
        progress: @escaping @Sendable (CheckProgress) -> Void = { _ in }
    ) throws(StoreError) -> VerifyReport {
        var check = try DatabaseCheck(options, format)
        check.progress = progress
        return try check.run(path)
    }

    /// Repairs damaged rows of the database of a store that is not open, from a sound backup. The unrepaired file is
    /// kept.
    public static func repair(
        from backup: String, options: Options, format: StoreFormat,
        progress: @escaping @Sendable (CheckProgress) -> Void = { _ in }
    ) throws(StoreError) -> RepairReport {
        let file = try DatabaseFile.claim(options.path)
        var check = try DatabaseCheck(options, format)
        check.progress = progress
        return try Repair(path: file.path, check: check).run(from: backup)
    }

    /// Takes the rows of a store that is not open as they are, whatever the record of them says. Rows that do not open
    /// give way to their second copies. Copies that are not as their rows are made anew, however many have copies.
    public static func acceptRows(
        options: Options, format: StoreFormat, progress: @escaping @Sendable (CheckProgress) -> Void = { _ in }
    ) throws(StoreError) -> AcceptReport {
        let file = try DatabaseFile.claim(options.path)
        var check = try DatabaseCheck(options, format)
        check.progress = progress
        let before = try check.run(file.path)
        guard before.areRowsChecked else {
            throw StoreError(
                .rejected, operation: "accept the rows of \(file.path)",
                cause: "it is the database of an older server", remedy: "start this server on it once")
        }
        guard !before.unaccounted.isEmpty || !before.copyFaults.isEmpty else {
            return AcceptReport(before: before, mended: [], left: before)
        }
        let connection = try Connection(path: file.path, role: .writer(.full))
        defer { connection.close() }
        guard let keyring = try connection.unlock(with: check.masters) else {
            return AcceptReport(before: before, mended: [], left: before)
        }
        let mended = try connection.lend("accept the rows of \(file.path)") { db in
            var mended: [String] = []
            try db.execute(sql: "PRAGMA foreign_keys = 0")
            try db.inTransaction(.immediate) {
                mended = try connection.takeRowsAsTheyAre(format.tables, keyring, db)
                return .commit
            }
            return mended
        }
        return AcceptReport(before: before, mended: mended, left: try check.run(file.path))
    }

    /// Backs up a database that need not be open in this process. A server may be running.
    ///
    /// - Parameter target: nil = the folder of `Options.backups`.
    public static func backUp(
        to target: String?, options: Options, format: StoreFormat
    ) throws(StoreError) -> BackupReport {
        let check = try DatabaseCheck(options, format)
        if let target { return try DatabaseCopy.write(from: options.path, to: target, check: check) }
        guard let folder = options.backups else {
            throw StoreError(.rejected, operation: "back up", cause: "no file is named", remedy: "name one with --to")
        }
        return try folder.add(from: options.path, check: check)
    }
}

/// What has come of taking the rows of a world as they are.
public struct AcceptReport: Hashable, Sendable {
    /// The check from before.
    public let before: VerifyReport
    /// Names of the rows that are right again by their second copies.
    public let mended: [String]
    /// The check from after it.
    public let left: VerifyReport
}

/// The format of this server's database: the schema's steps and tables.
public struct StoreFormat: Sendable {
    public let migrations: [Migration]
    public let tables: [StoredTable]

    public init(migrations: [Migration] = [], tables: [StoredTable] = []) {
        self.migrations = migrations
        self.tables = tables
    }
}

extension DatabaseCheck {
    fileprivate init(_ options: Store.Options, _ format: StoreFormat) throws(StoreError) {
        self.init(
            options, masters: try options.keys.load(forNewDatabase: false).keys, schema: Schema(format.migrations),
            tables: format.tables)
    }
}
