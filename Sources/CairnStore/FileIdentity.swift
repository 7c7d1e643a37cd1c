internal import Foundation

/// The identity of a file, independent of its name.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt
    private let node: UInt

    /// The file that has this name now; nil = there is none.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        node = UInt(status.st_ino)
    }
}

/// The files of an open database. If they are deleted or replaced while a server has them open, SQLite does not notice,
/// and further writes are lost with the old files.
///
/// A check takes two system calls, about 2 microseconds. The writer checks before each COMMIT, and once a second while
/// it is idle.
struct WatchedFiles: Hashable, Sendable {
    private let path: String
    private let database: FileIdentity?
    private var log: FileIdentity?

    /// Notes which files have these names now.
    init(_ path: String) {
        self.path = path
        database = FileIdentity(of: path)
        log = FileIdentity(of: path + "-wal")
    }

    /// The connection was opened again: SQLite may have created another log. The database must be the same file.
    mutating func noteNewLog() {
        log = FileIdentity(of: path + "-wal")
    }

    /// The fault; nil = all files are in place.
    var fault: StoreError? {
        if FileIdentity(of: path) != database { return fault(of: path) }
        // Before its first read a connection has no log.
        if let log, FileIdentity(of: path + "-wal") != log { return fault(of: path + "-wal") }
        return nil
    }

    private func fault(of path: String) -> StoreError {
        StoreError(
            .moved, operation: "commit", cause: "\(path) was removed or replaced under the server",
            remedy: "put the file back, or stop the server and restore a backup (cairn restore)")
    }
}
