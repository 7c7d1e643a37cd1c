public import CairnCore
internal import Foundation

/// Backups of a store that serves, and what is done with one that does not.
extension Store {
    /// Where `backUp()` writes; nil = nowhere.
    public nonisolated var backupFolder: BackupFolder? { options.backups }

    /// Writes a verified copy while everything goes on. Every change that was acknowledged before the call is in it.
    ///
    /// Throws `busy` while another one is being written.
    public func backUp(to target: String) async throws(StoreError) -> BackupReport {
        let path = options.path
        return try await backUp("back up to \(target)") { (check) throws(StoreError) in
            try DatabaseCopy.write(from: path, to: target, check: check)
        }
    }

    /// As above, into the folder of `Options.backups` under the time's name; then the oldest ones beyond its bound go.
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

    /// Whatever touches the disk of the backups, which may be slow or hang, is done on a thread of its own: neither the
    /// pool's nor this actor's, on which the commits wait.
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
                Thread.current.name = "cairn-backup"
                // On Linux this means the calling thread alone: where cores are short, commits come first.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
                continuation.resume(returning: Result { () throws(StoreError) in try write(check) })
            }
            thread.start()
        }
        note(result)
        return try result.get()
    }

    /// Puts a backup in the place of the database of a store that is not open, which is kept beside it.
    ///
    /// - Parameters:
    ///   - format: all steps and tables that this server knows.
    ///   - evenUnsound: also when rows of the backup are damaged.
    public static func restore(
        _ backup: String, options: Options, format: StoreFormat, evenUnsound: Bool = false
    ) throws(StoreError) -> RestoreReport {
        let file = try DatabaseFile.claim(options.path)
        let check = try DatabaseCheck(options, format)
        return try Recovery(path: file.path, check: check).restore(backup, evenUnsound: evenUnsound)
    }

    /// The process that has the database open to change it; nil when none has, or when this user may not look.
    public static func holder(options: Options) -> Int32? { DatabaseFile.holder(of: options.path) }

    /// Looks whether a database or a backup opens with the key, and at every page, index and row. Works beside a
    /// server.
    ///
    /// - Parameter progress: told now and then how far it is.
    public static func verify(
        _ path: String, options: Options, format: StoreFormat,
        progress: @escaping @Sendable (CheckProgress) -> Void = { _ in }
    ) throws(StoreError) -> VerifyReport {
        var check = try DatabaseCheck(options, format)
        check.progress = progress
        return try check.run(path)
    }

    /// Puts back damaged rows of the database of a store that is not open, from a sound backup. The file as it was is
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

    /// Backs up the database of a store that need not be open in this process. Works beside a server.
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

/// What a database of this server is like: its steps, and the rows of the tables that they make.
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
            masters: try options.keys.load(forNewDatabase: false).keys, schema: Schema(format.migrations),
            tables: format.tables)
    }
}
