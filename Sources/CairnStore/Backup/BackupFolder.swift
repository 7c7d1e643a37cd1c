public import CairnCore
internal import Foundation

/// The folder that automatic backups stand in: `cairn-20260512T101500.123Z.sqlite`, the time in UTC when it was taken;
/// `cairn-20260512T101500.123Z.unsound.sqlite` for one in which rows are damaged.
public struct BackupFolder: Hashable, Sendable {
    public let path: String
    /// Number of backups kept; older ones are deleted when a newer one is complete (DAT-5).
    public let keep: Int

    private static let prefix = "cairn-"
    private static let suffix = ".sqlite"
    private static let unsoundSuffix = ".unsound.sqlite"
    /// Unsound ones that are kept: the newest, beside all that are sound.
    private static let unsoundMax = 2

    public init(path: String, keep: Int) {
        self.path = path
        self.keep = keep
    }

    /// One backup in the folder.
    public struct Backup: Hashable, Sendable {
        public let path: String
        public let takenAt: WallTime
        /// False when rows were damaged as it was taken: it is restored only where there is no sound one.
        public let isSound: Bool
    }

    /// What is there, best first: the sound ones from the newest back, after them those that say they were taken later
    /// than now, by a clock that was wrong then or is wrong now; then the unsound ones alike. Files with other names
    /// are left alone.
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

    /// As above, by the clock.
    public var backups: [Backup] { backups(now: WallClock.now) }

    /// The newest sound one. One that says it was taken later than now was taken by a clock that was wrong.
    public func newest(now: WallTime) -> Backup? { backups(now: now).first { $0.isSound && $0.takenAt <= now } }

    /// When the last one was taken, sound or not; nil = there is none.
    public func lastTaken(now: WallTime) -> WallTime? { backups(now: now).map(\.takenAt).filter { $0 <= now }.max() }

    private func file(takenAt time: WallTime, isSound: Bool) -> String {
        path + "/" + Self.prefix + WallClock.stamp(time) + (isSound ? Self.suffix : Self.unsoundSuffix)
    }

    /// Writes a verified backup under the time's name; then the oldest beyond `keep` go, of its own kind only: a world
    /// whose rows are damaged does not push its sound backups out.
    func add(
        from database: String, check: DatabaseCheck, now: WallTime = WallClock.now
    ) throws(StoreError) -> BackupReport {
        try create()
        let report = try DatabaseCopy.write(
            from: database, to: file(takenAt: now, isSound: true), check: check, takenAt: now,
            name: { $0.isSound ? nil : file(takenAt: now, isSound: false) })
        prune(beside: report.path, now: now)
        return report
    }

    /// Makes the folder, for its owner only.
    func create() throws(StoreError) {
        try DatabaseFile.createFolder(
            path, remedy: "give the server's user a folder for backups that it can write (backup.directory)")
    }

    /// Deletes the last beyond `keep`, whatever the clock says not the one just written, and what backups that were cut
    /// off have left.
    private func prune(beside written: String, now: WallTime) {
        let isWrittenSound = !written.hasSuffix(Self.unsoundSuffix)
        let others = backups(now: now).filter { $0.isSound == isWrittenSound && $0.path != written }
        for old in others.dropFirst((isWrittenSound ? max(keep, 1) : Self.unsoundMax) - 1) { unlink(old.path) }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where name.hasPrefix(Self.prefix) && name.contains(Self.suffix + ".part") {
            var status = stat()
            let isOld =
                stat(path + "/" + name, &status) == 0 && Int(status.st_mtim.tv_sec) < time(nil) - Self.draftSeconds
            if isOld { unlink(path + "/" + name) }
        }
    }

    /// A backup that has written nothing for this long writes no more.
    private static let draftSeconds = 3_600
}
