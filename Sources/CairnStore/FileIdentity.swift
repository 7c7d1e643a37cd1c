internal import Foundation

/// Which file a name stands for: names move, the file stays.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt
    private let node: UInt

    /// The file that has this name now; nil = none has.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        node = UInt(status.st_ino)
    }
}

/// The files of an open database. Deleted or replaced under a server they take what is written with them while SQLite,
/// which holds them open, notices nothing.
///
/// Two system calls a look, about 2 microseconds: the writer looks before each COMMIT, and once a second without one.
struct WatchedFiles: Hashable, Sendable {
    private let path: String
    private let database: FileIdentity?
    private var log: FileIdentity?

    /// Remembers what stands under these names now.
    init(_ path: String) {
        self.path = path
        database = FileIdentity(of: path)
        log = FileIdentity(of: path + "-wal")
    }

    /// The connection was opened anew: SQLite may have made another log. The database must be the same.
    mutating func noteNewLog() {
        log = FileIdentity(of: path + "-wal")
    }

    /// What is wrong; nil = all are where they were.
    var fault: StoreError? {
        if FileIdentity(of: path) != database { return fault(of: path) }
        // A connection that has read nothing yet has no log.
        if let log, FileIdentity(of: path + "-wal") != log { return fault(of: path + "-wal") }
        return nil
    }

    private func fault(of path: String) -> StoreError {
        StoreError(
            .moved, operation: "commit", cause: "\(path) was removed or replaced under the server",
            remedy: "put the file back, or stop the server and restore a backup (cairn restore)")
    }
}
