internal import Foundation
internal import Logging

/// Puts a backup in the place of a database, which is kept beside it (DAT-6).
struct Recovery {
    let path: String
    let masters: MasterKeys
    let schema: Schema

    /// The newest backup that is sound takes the place of a damaged database.
    ///
    /// - Returns: nil when there is none; nothing was touched then.
    func restoreNewest(in folder: BackupFolder, logger: Logger) throws(StoreError) -> RestoreReport? {
        for backup in folder.backups {
            do {
                _ = try DatabaseCheck.run(backup.path, masters: masters, schema: schema)
            } catch {
                logger.error("store: the backup \(backup.path) is passed over: \(error)")
                continue
            }
            return try restore(backup.path, takenAt: backup.takenAt, setAsideAs: "damaged")
        }
        return nil
    }

    /// This backup, if it is sound, takes the place of the database.
    func restore(_ backup: String) throws(StoreError) -> RestoreReport {
        _ = try DatabaseCheck.run(backup, masters: masters, schema: schema)
        return try restore(backup, takenAt: Self.changed(backup), setAsideAs: "before-restore")
    }

    private func restore(_ backup: String, takenAt: Int64, setAsideAs word: String) throws(StoreError) -> RestoreReport
    {
        let operation = "restore \(backup)"
        let hadDatabase = access(path, F_OK) == 0
        let lostUntil = ["", "-wal"].map { Self.changed(path + $0) }.max() ?? 0
        let aside = "\(path).\(word)-\(WallClock.stamp(WallClock.now))"
        let draft = path + ".part"
        unlink(draft)
        do {
            try FileManager.default.copyItem(atPath: backup, toPath: draft)
        } catch {
            unlink(draft)
            throw StoreError(
                .io, operation: operation, cause: error.localizedDescription,
                remedy: "check the room on the disk; nothing was changed")
        }
        chmod(draft, 0o600)
        if hadDatabase {
            // A second name first: at no moment is there no database, which would begin a new world.
            if link(path, aside) != 0 {
                guard rename(path, aside) == 0 else { throw DatabaseFile.failure(operation) }
            }
            // The log of the old file would be played into the new one.
            for ending in ["-wal", "-shm"] where access(path + ending, F_OK) == 0 {
                guard rename(path + ending, aside + ending) == 0 else { throw DatabaseFile.failure(operation) }
            }
        }
        try DatabaseFile.publish(draft, as: path)
        return RestoreReport(
            from: backup, setAside: hadDatabase ? aside : nil, lostSince: takenAt, lostUntil: max(lostUntil, takenAt))
    }

    /// When a file was last written, in milliseconds since 1970; 0 = there is none.
    private static func changed(_ path: String) -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        return Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
    }
}

/// What a restore did. Times are milliseconds since 1970.
public struct RestoreReport: Hashable, Sendable {
    public let from: String
    /// Where the database is that was there before, with its `-wal`; nil = there was none.
    public let setAside: String?
    /// Changes of this period are lost.
    public let lostSince: Int64
    public let lostUntil: Int64

    /// The period in words.
    public var lostPeriod: String { "\(WallClock.text(lostSince)) to \(WallClock.text(lostUntil))" }
}
