public import CairnCore
internal import Foundation
internal import Logging

/// Replaces a database by a backup and keeps the replaced database beside it (DAT-6).
struct Recovery {
    let path: String
    let check: DatabaseCheck

    /// Why a database was set aside; part of its new name.
    enum SetAside: String, CaseIterable {
        case damaged
        case beforeRestore = "before-restore"
    }

    /// Replaces a damaged database by the newest sound backup, or, if there is none, by the newest backup in which only
    /// rows are damaged.
    ///
    /// - Returns: nil when there is neither; then nothing is changed.
    func restoreNewest(in folder: BackupFolder, logger: Logger) throws(StoreError) -> RestoreReport? {
        var withFaults: BackupFolder.Backup?
        for backup in folder.backups {
            do {
                let report = try check.run(backup.path, in: places(of: backup.path))
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
        // A world without some rows is better than no world: damaged rows are set aside when they are read.
        guard let withFaults else { return nil }
        logger.error("store: no backup is sound; \(withFaults.path) is the newest in which only rows are damaged")
        return try restore(withFaults.path, takenAt: withFaults.takenAt, setAsideAs: .damaged)
    }

    /// Replaces the database by this backup.
    ///
    /// - Parameter evenUnsound: accepts a backup with damaged rows.
    func restore(_ backup: String, evenUnsound: Bool) throws(StoreError) -> RestoreReport {
        let report = try check.run(backup, in: places(of: backup))
        guard report.isSound || evenUnsound else {
            throw StoreError(
                .damaged, operation: "restore \(backup)", cause: report.faults,
                remedy: "take an older backup; --even-unsound takes this one, and sets the damaged rows aside")
        }
        return try restore(backup, takenAt: Self.changed(backup), setAsideAs: .beforeRestore)
    }

    /// Where the files of a backup may be: beside it, or still in the world.
    private func places(of backup: String) -> [FileFolder] {
        check.files.map { [$0.folder(of: backup), $0.folder] } ?? []
    }

    /// Replaces the database. The copy is complete and on disk before anything else changes.
    private func restore(_ backup: String, takenAt: WallTime, setAsideAs reason: SetAside) throws(StoreError)
        -> RestoreReport
    {
        unlink(draft)
        // SQLite makes the copy, so that it includes the backup's own write-ahead log.
        let older = check.files.map { [$0.folder] } ?? []
        _ = try DatabaseCopy.write(from: backup, to: draft, check: check, older: older)
        let draftFiles = FileFolder(beside: draft)
        defer { draftFiles.remove() }
        // Before the database: a file without a row is collected, a row without its file is damaged.
        if let world = check.files?.folder {
            try world.bring(try check.storedFiles(of: draft), from: [draftFiles])
        }
        let lostUntil = ["", "-wal"].map { Self.changed(path + $0) }.max() ?? .epoch
        let aside = try replace(by: draft, setAsideAs: reason)
        return RestoreReport(
            from: backup, setAside: aside, lostSince: takenAt, lostUntil: max(lostUntil, takenAt))
    }

    /// The database that takes the place of the other one, until it does.
    var draft: String { path + ".restored" }

    /// Gives the draft the name of the database.
    /// - Returns: the path under which the database is kept; nil = there was none.
    func replace(by draft: String, setAsideAs reason: SetAside) throws(StoreError) -> String? {
        let hadDatabase = access(path, F_OK) == 0
        let aside = "\(path).\(reason.rawValue)-\(WallClock.stamp(WallClock.now))"
        do throws(StoreError) {
            if hadDatabase, let world = check.files?.folder { FileFolder(beside: aside).keep(world) }
            try setAside(as: aside)
            try DatabaseFile.publish(draft, as: path)
        } catch {
            Self.moveBack(aside, to: path)
            FileFolder(beside: aside).remove()
            unlink(draft)
            throw error
        }
        return hadDatabase ? aside : nil
    }

    /// Renames the database and its log.
    private func setAside(as aside: String) throws(StoreError) {
        let operation = "keep \(path) as \(aside)"
        // A hard link is made first: if the database were missing even for a moment, a server that starts then would
        // create a new world.
        if access(path, F_OK) == 0, link(path, aside) != 0, rename(path, aside) != 0 {
            throw DatabaseFile.failure(operation)
        }
        // SQLite would replay a remaining log into the next database of this name.
        for ending in Self.logs where access(path + ending, F_OK) == 0 {
            guard rename(path + ending, aside + ending) == 0 else { throw DatabaseFile.failure(operation) }
        }
    }

    private static let logs = ["-wal", "-shm"]

    /// Undoes `setAside`, unless another file has the database's name now.
    private static func moveBack(_ aside: String, to path: String) {
        let (own, other) = (FileIdentity(of: path), FileIdentity(of: aside))
        guard own == nil || own == other else { return }
        for ending in logs { rename(aside + ending, path + ending) }
        if own == nil { rename(aside, path) } else { unlink(aside) }
    }

    /// Undoes a restore that was interrupted between setting the database aside and publishing the backup. It has left
    /// one file with both names and the log under the wrong one. Called before the file is opened.
    static func undoCutOff(_ path: String) {
        FileFolder(beside: path + ".restored").remove()
        unlink(path + Self.pagesEnding)
        guard let own = FileIdentity(of: path) else { return }
        let directory = path.parentDirectory
        let file = (path as NSString).lastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        for name in names where SetAside.allCases.contains(where: { name.hasPrefix("\(file).\($0.rawValue)-") }) {
            let aside = (directory as NSString).appendingPathComponent(name)
            if FileIdentity(of: aside) == own { moveBack(aside, to: path) }
        }
    }

    /// When a file was last written; `epoch` = there is none.
    static func changed(_ path: String) -> WallTime {
        var status = stat()
        guard stat(path, &status) == 0 else { return .epoch }
        return WallTime(
            milliseconds: Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000)
    }
}

/// The result of a restore.
public struct RestoreReport: Hashable, Sendable {
    public let from: String
    /// Path of the replaced database, whose log is beside it; nil = there was none.
    public let setAside: String?
    /// Changes between `lostSince` and `lostUntil` are lost.
    public let lostSince: WallTime
    public let lostUntil: WallTime

    /// The period in words.
    public var lostPeriod: String { "\(WallClock.text(lostSince)) to \(WallClock.text(lostUntil))" }
}
