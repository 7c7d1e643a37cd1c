internal import CairnCore
internal import Foundation
internal import Logging

/// The files that a restore, a damaged start or a new schema has set aside beside a database:
/// `cairn.sqlite.damaged-TIME`, `.before-restore-TIME`, `.before-STEP`, `.before-repair-TIME`.
///
/// Each is as large as the world, so they go with their time; the newest stays, whatever its age.
struct SetAsideFiles {
    /// The database that they stand beside.
    let path: String
    /// Kept for this long.
    let age: Duration
    /// Most that are kept.
    let countMax: Int

    private static let marks = [".damaged-", ".before-"]

    /// One database that was set aside.
    struct File: Hashable {
        let path: String
        /// When it was set aside.
        let since: WallTime
    }

    /// What is there, newest first.
    var files: [File] {
        let folder = path.parentDirectory
        let name = (path as NSString).lastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { entry -> File? in
            guard let mark = Self.marks.first(where: { entry.hasPrefix(name + $0) }),
                !["-wal", "-shm", ".part"].contains(where: entry.hasSuffix)
            else { return nil }
            let file = (folder as NSString).appendingPathComponent(entry)
            let rest = entry.dropFirst((name + mark).count)
            // A copy from before a step has its age from the file system: it was written when it was made.
            let stamp = rest.split(separator: "-").last.flatMap { WallClock.time(of: String($0)) }
            return File(path: file, since: stamp ?? Recovery.changed(file))
        }.sorted { ($0.since, $0.path) > ($1.since, $1.path) }
    }

    /// What is over at this time, by age or by number.
    func over(_ files: [File], now: WallTime) -> [File] {
        files.enumerated().dropFirst().filter { $0.offset >= max(countMax, 1) || $0.element.since < now - age }
            .map(\.element)
    }

    /// Deletes what is over, with its log.
    func prune(now: WallTime, logger: Logger) {
        for file in over(files, now: now) {
            for ending in ["-wal", "-shm", ""] { unlink(file.path + ending) }
            logger.notice("store: deleted \(file.path), set aside on \(WallClock.text(file.since))")
        }
    }
}
