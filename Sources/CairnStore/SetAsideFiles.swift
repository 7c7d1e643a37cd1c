internal import CairnCore
internal import CairnText
internal import Foundation
internal import Logging

/// The databases that a restore, a start with a damaged database, a repair or a new schema has set aside:
/// `cairn.sqlite.damaged-TIME`, `.before-restore-TIME`, `.before-STEP`, `.before-repair-TIME`.
///
/// Each is as large as the world, so they are deleted after a time. The newest always stays.
struct SetAsideFiles {
    /// The database beside which they are kept.
    let path: String
    /// How long they are kept.
    let age: Duration
    /// Most of them that are kept.
    let countMax: Int

    private static let marks = [".damaged-", ".before-"]

    /// One database that was set aside.
    struct File: Hashable {
        let path: String
        /// When it was set aside.
        let since: WallTime
    }

    /// The set-aside databases, newest first.
    var files: [File] {
        let folder = path.parentDirectory
        let name = (path as NSString).lastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { entry -> File? in
            guard let mark = Self.marks.first(where: { entry.hasPrefix(name + $0) }),
                !["-wal", "-shm", ".part"].contains(where: entry.hasSuffix), !FileFolder.isName(entry)
            else { return nil }
            let file = (folder as NSString).appendingPathComponent(entry)
            let rest = entry.dropFirst((name + mark).count)
            // The time of a copy from before a schema step is the file's modification time.
            let stamp = rest.pieces(at: "-").last.flatMap { WallClock.time(of: String($0)) }
            return File(path: file, since: stamp ?? Recovery.changed(file))
        }.sorted { ($0.since, $0.path) > ($1.since, $1.path) }
    }

    /// The databases to delete at this time, by age or by number.
    func over(_ files: [File], now: WallTime) -> [File] {
        files.enumerated().dropFirst().filter { $0.offset >= max(countMax, 1) || $0.element.since < now - age }
            .map(\.element)
    }

    /// Deletes expired databases with their logs.
    func prune(now: WallTime, logger: Logger) {
        for file in over(files, now: now) {
            for ending in ["-wal", "-shm", ""] { unlink(file.path + ending) }
            FileFolder(beside: file.path).remove()
            logger.notice("store: deleted \(file.path), set aside on \(WallClock.text(file.since))")
        }
    }
}
