internal import Foundation
internal import Logging

/// Puts a backup in the place of a database, which is kept beside it (DAT-6).
struct Recovery {
    let path: String
    let check: DatabaseCheck

    /// Why a database was set aside, in its new name.
    private enum SetAside: String, CaseIterable {
        case damaged
        case beforeRestore = "before-restore"
    }

    /// The newest backup that is sound takes the place of a damaged database; where none is, the newest in which only
    /// rows are damaged.
    ///
    /// - Returns: nil when there is none; nothing was touched then.
    func restoreNewest(in folder: BackupFolder, logger: Logger) throws(StoreError) -> RestoreReport? {
        var withFaults: BackupFolder.Backup?
        for backup in folder.backups {
            do {
                let report = try check.run(backup.path)
                guard report.isSound else {
                    logger.error("store: the backup \(backup.path) is passed over: \(report.faults)")
                    withFaults = withFaults ?? backup
                    continue
                }
            } catch {
                logger.error("store: the backup \(backup.path) is passed over: \(error)")
                continue
            }
            return try restore(backup.path, takenAt: backup.takenAt, setAsideAs: .damaged)
        }
        // All but some rows of a world is better than none of it: they are set aside when they are read.
        guard let withFaults else { return nil }
        logger.error("store: no backup is sound; \(withFaults.path) is the newest in which only rows are damaged")
        return try restore(withFaults.path, takenAt: withFaults.takenAt, setAsideAs: .damaged)
    }

    /// This backup takes the place of the database.
    ///
    /// - Parameter evenUnsound: also when rows of it are damaged.
    func restore(_ backup: String, evenUnsound: Bool) throws(StoreError) -> RestoreReport {
        let report = try check.run(backup)
        guard report.isSound || evenUnsound else {
            throw StoreError(
                .damaged, operation: "restore \(backup)", cause: report.faults,
                remedy: "take an older backup; --even-unsound takes this one, and sets the damaged rows aside")
        }
        return try restore(backup, takenAt: Self.changed(backup), setAsideAs: .beforeRestore)
    }

    /// The copy is whole and on disk before anything else is touched.
    private func restore(_ backup: String, takenAt: Int64, setAsideAs reason: SetAside) throws(StoreError)
        -> RestoreReport
    {
        let draft = path + ".restored"
        unlink(draft)
        // SQLite copies, so that what is still in the backup's own log comes along.
        _ = try DatabaseCopy.write(from: backup, to: draft, check: check)
        let hadDatabase = access(path, F_OK) == 0
        let lostUntil = ["", "-wal"].map { Self.changed(path + $0) }.max() ?? 0
        let aside = "\(path).\(reason.rawValue)-\(WallClock.stamp(WallClock.now))"
        do throws(StoreError) {
            try setAside(as: aside)
            try DatabaseFile.publish(draft, as: path)
        } catch {
            Self.moveBack(aside, to: path)
            unlink(draft)
            throw error
        }
        return RestoreReport(
            from: backup, setAside: hadDatabase ? aside : nil, lostSince: takenAt, lostUntil: max(lostUntil, takenAt))
    }

    /// Gives the database another name, and its log with it.
    private func setAside(as aside: String) throws(StoreError) {
        let operation = "keep \(path) as \(aside)"
        // A second name first: at no moment is there no database, which would begin a new world.
        if access(path, F_OK) == 0, link(path, aside) != 0, rename(path, aside) != 0 {
            throw DatabaseFile.failure(operation)
        }
        // A log, even one without its database, would be played into what comes now.
        for ending in Self.logs where access(path + ending, F_OK) == 0 {
            guard rename(path + ending, aside + ending) == 0 else { throw DatabaseFile.failure(operation) }
        }
    }

    private static let logs = ["-wal", "-shm"]

    /// Undoes `setAside`, unless something else has the database's name by now.
    private static func moveBack(_ aside: String, to path: String) {
        let (own, other) = (FileIdentity(of: path), FileIdentity(of: aside))
        guard own == nil || own == other else { return }
        for ending in logs { rename(aside + ending, path + ending) }
        if own == nil { rename(aside, path) } else { unlink(aside) }
    }

    /// A restore that was cut off between setting the database aside and putting the backup in its place has left both
    /// names on one file, and its log under the wrong one: undone before the file is opened.
    static func undoCutOff(_ path: String) {
        guard let own = FileIdentity(of: path) else { return }
        let directory = (path as NSString).deletingLastPathComponent
        let file = (path as NSString).lastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.isEmpty ? "." : directory)) ?? []
        for name in names where SetAside.allCases.contains(where: { name.hasPrefix("\(file).\($0.rawValue)-") }) {
            let aside = (directory as NSString).appendingPathComponent(name)
            if FileIdentity(of: aside) == own { moveBack(aside, to: path) }
        }
    }

    /// When a file was last written, in milliseconds since 1970; 0 = there is none.
    static func changed(_ path: String) -> Int64 {
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
