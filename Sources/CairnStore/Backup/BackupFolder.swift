public import CairnCore
internal import Foundation

/// The folder of automatic backups. A backup is named by its time in UTC: `cairn-20260512T101500.123Z.sqlite`, or
/// `cairn-20260512T101500.123Z.unsound.sqlite` if it has damaged rows.
public struct BackupFolder: Hashable, Sendable {
    public let path: String
    /// Number of backups kept; older ones are deleted when a newer one is complete (DAT-5).
    public let keep: Int

    private static let prefix = "cairn-"
    private static let suffix = ".sqlite"
    private static let unsoundSuffix = ".unsound.sqlite"
    /// Number of unsound backups that are kept, the newest ones, beside the sound ones.
    private static let unsoundMax = 2

    public init(path: String, keep: Int) {
        self.path = path
        self.keep = keep
    }

    /// One backup in the folder.
    public struct Backup: Hashable, Sendable {
        public let path: String
        public let takenAt: WallTime
        /// False when rows were damaged at the time of the backup. Such a backup is restored only where there is no
        /// sound one.
        public let isSound: Bool
    }

    /// The backups in the folder, best first: sound backups from the newest to the oldest; then sound backups that are
    /// dated in the future, because the clock was wrong then or is wrong now; then unsound ones in the same order.
    /// Files with other names are ignored.
    public func backups(now: WallTime) -> [Backup] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.compactMap { name in
            guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix) else { return nil }
            let isSound = !name.hasSuffix(Self.unsoundSuffix)
            let suffix = isSound ? Self.suffix : Self.unsoundSuffix
            let stamp = String(name.dropFirst(Self.prefix.count).dropLast(suffix.count))
            return WallClock.time(of: stamp).map { Backup(path: path + "/" + name, takenAt: $0, isSound: isSound) }
        }.sorted { one, other in
            if one.isSound != other.isSound { return one.isSound }
            let (isLater, isOtherLater) = (one.takenAt > now, other.takenAt > now)
            return isLater == isOtherLater ? one.takenAt > other.takenAt : isOtherLater
        }
    }

    /// The same at the present time.
    public var backups: [Backup] { backups(now: WallClock.now) }

    /// The newest sound backup. A backup that is dated in the future is not trusted.
    public func newest(now: WallTime) -> Backup? { backups(now: now).first { $0.isSound && $0.takenAt <= now } }

    /// The time of the last backup, sound or not; nil = there is none.
    public func lastTaken(now: WallTime) -> WallTime? { backups(now: now).map(\.takenAt).filter { $0 <= now }.max() }

    private func file(takenAt time: WallTime, isSound: Bool) -> String {
        path + "/" + Self.prefix + WallClock.stamp(time) + (isSound ? Self.suffix : Self.unsoundSuffix)
    }

    /// Writes a verified backup under the time's name, then deletes the oldest beyond `keep`. Only backups of the same
    /// kind, sound or unsound, are deleted: unsound backups do not displace sound ones.
    func add(
        from database: String, check: DatabaseCheck, now: WallTime = WallClock.now
    ) throws(StoreError) -> BackupReport {
        try create()
        let older = newest(now: now).map { [FileFolder(beside: $0.path)] } ?? []
        let report = try DatabaseCopy.write(
            from: database, to: file(takenAt: now, isSound: true), check: check, takenAt: now, older: older,
            name: { $0.isSound ? nil : file(takenAt: now, isSound: false) })
        prune(beside: report.path, now: now)
        return report
    }

    /// Makes the folder, for its owner only.
    func create() throws(StoreError) {
        try DatabaseFile.createFolder(
            path, remedy: "give the server's user a folder for backups that it can write (backup.directory)")
    }

    /// Deletes the backups beyond `keep` except the one just written, whatever its date, and the drafts of interrupted
    /// backups.
    private func prune(beside written: String, now: WallTime) {
        let isWrittenSound = !written.hasSuffix(Self.unsoundSuffix)
        let others = backups(now: now).filter { $0.isSound == isWrittenSound && $0.path != written }
        for old in others.dropFirst((isWrittenSound ? max(keep, 1) : Self.unsoundMax) - 1) {
            unlink(old.path)
            FileFolder(beside: old.path).remove()
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where name.hasPrefix(Self.prefix) && name.contains(Self.suffix + ".part") {
            var status = stat()
            let isOld =
                stat(path + "/" + name, &status) == 0 && Int(status.st_mtim.tv_sec) < time(nil) - Self.draftSeconds
            if isOld { unlink(path + "/" + name) }
        }
        // Folders of files whose backup is gone or was never completed.
        for name in names where name.hasPrefix(Self.prefix) && FileFolder.isName(name) {
            let database = name.range(of: Self.suffix).map { String(name[..<$0.upperBound]) } ?? name
            let folder = FileFolder(path: path + "/" + name)
            var status = stat()
            let isOld =
                stat(folder.path, &status) == 0 && Int(status.st_mtim.tv_sec) < time(nil) - Self.draftSeconds
            if isOld, access(path + "/" + database, F_OK) != 0 { folder.remove() }
        }
    }

    /// A draft that has not changed for this long belongs to no running backup.
    private static let draftSeconds = 3_600
}
