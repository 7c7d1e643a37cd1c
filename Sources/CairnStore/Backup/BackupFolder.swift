internal import Foundation

/// The folder that automatic backups stand in: `cairn-20260512T101500.123Z.sqlite`, the time in UTC when it was taken.
public struct BackupFolder: Hashable, Sendable {
    public let path: String
    /// So many are kept; older ones go when a newer one is complete (DAT-5).
    public let keep: Int

    private static let prefix = "cairn-"
    private static let suffix = ".sqlite"

    public init(path: String, keep: Int) {
        self.path = path
        self.keep = keep
    }

    /// One backup in the folder.
    public struct Backup: Hashable, Sendable {
        public let path: String
        /// Milliseconds since 1970.
        public let takenAt: Int64
    }

    /// What is there, best first: from the newest back, and after these what says it was taken later than now, by a
    /// clock that was wrong then or is wrong now. Files with other names are left alone.
    public func backups(now: Int64) -> [Backup] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.compactMap { name in
            guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix) else { return nil }
            let stamp = String(name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count))
            return WallClock.time(of: stamp).map { Backup(path: path + "/" + name, takenAt: $0) }
        }.sorted { one, other in
            let (isLater, isOtherLater) = (one.takenAt > now, other.takenAt > now)
            return isLater == isOtherLater ? one.takenAt > other.takenAt : isOtherLater
        }
    }

    /// As above, by the clock.
    public var backups: [Backup] { backups(now: WallClock.now) }

    /// The newest of them. One that says it was taken later than now was taken by a clock that was wrong.
    public func newest(now: Int64) -> Backup? { backups(now: now).first { $0.takenAt <= now } }

    private func file(takenAt time: Int64) -> String {
        path + "/" + Self.prefix + WallClock.stamp(time) + Self.suffix
    }

    /// Writes a verified backup under the time's name; then the oldest beyond `keep` go.
    func add(
        from database: String, masters: MasterKeys, now: Int64 = WallClock.now
    ) throws(StoreError) -> BackupReport {
        try create()
        let report = try DatabaseCopy.write(from: database, to: file(takenAt: now), masters: masters, takenAt: now)
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
    private func prune(beside written: String, now: Int64) {
        for old in backups(now: now).filter({ $0.path != written }).dropFirst(max(keep, 1) - 1) { unlink(old.path) }
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
