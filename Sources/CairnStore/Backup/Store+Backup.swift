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
        return try await backUp("back up to \(target)") { (masters) throws(StoreError) in
            try DatabaseCopy.write(from: path, to: target, masters: masters)
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
        return try await backUp("back up to \(folder.path)") { (masters) throws(StoreError) in
            try folder.add(from: path, masters: masters)
        }
    }

    /// Whatever touches the disk of the backups, which may be slow or hang, is done on a thread of its own: neither the
    /// pool's nor this actor's, on which the commits wait.
    private func backUp(
        _ operation: String, _ write: @escaping @Sendable (MasterKeys) throws(StoreError) -> BackupReport
    ) async throws(StoreError) -> BackupReport {
        guard let masters, !isBackingUp else {
            throw StoreError(
                masters == nil ? .closed : .busy, operation: operation,
                cause: masters == nil ? "the store is closed" : "another backup is being written",
                remedy: "try again later")
        }
        isBackingUp = true
        defer { isBackingUp = false }
        let result: Result<BackupReport, StoreError> = await withCheckedContinuation { continuation in
            let thread = Thread {
                Thread.current.name = "cairn-backup"
                // On Linux this means the calling thread alone: where cores are short, commits come first.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
                continuation.resume(returning: Result { () throws(StoreError) in try write(masters) })
            }
            thread.start()
        }
        note(result)
        return try result.get()
    }

    /// Puts a backup in the place of the database of a store that is not open, which is kept beside it.
    ///
    /// - Parameter migrations: all steps of the schema that this server knows.
    public static func restore(
        _ backup: String, options: Options, migrations: [Migration]
    ) throws(StoreError) -> RestoreReport {
        let file = try DatabaseFile.claim(options.path)
        let masters = try options.keys.load(forNewDatabase: false).keys
        let report = try Recovery(path: file.path, masters: masters, schema: Schema(migrations)).restore(backup)
        return report
    }

    /// Looks whether a database or a backup is sound and opens with the key. Works beside a server.
    public static func verify(
        _ path: String, options: Options, migrations: [Migration]
    ) throws(StoreError) -> VerifyReport {
        let masters = try options.keys.load(forNewDatabase: false).keys
        return try DatabaseCheck.run(path, masters: masters, schema: Schema(migrations))
    }

    /// Backs up the database of a store that need not be open in this process. Works beside a server.
    ///
    /// - Parameter target: nil = the folder of `Options.backups`.
    public static func backUp(to target: String?, options: Options) throws(StoreError) -> BackupReport {
        let masters = try options.keys.load(forNewDatabase: false).keys
        if let target { return try DatabaseCopy.write(from: options.path, to: target, masters: masters) }
        guard let folder = options.backups else {
            throw StoreError(.rejected, operation: "back up", cause: "no file is named", remedy: "name one with --to")
        }
        return try folder.add(from: options.path, masters: masters)
    }
}
