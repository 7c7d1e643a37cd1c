internal import Foundation

/// The database's file before SQLite opens it: created, locked for this process, and examined without a change.
///
/// All of this happens before the first connection, because closing any descriptor of the file drops SQLite's locks.
struct DatabaseFile: ~Copyable {
    let path: String
    /// Descriptor of the lock file; the lock is held while it is open.
    private let lock: Int32

    /// Locks the file for this process. Creates its directory if it does not exist.
    static func claim(_ path: String) throws(StoreError) -> DatabaseFile {
        try createFolder(path.parentDirectory, remedy: "give the server's user a directory that it can write")
        let file = DatabaseFile(path: path, lock: try lock(path + ".lock"))
        Recovery.undoCutOff(path)
        return file
    }

    private init(path: String, lock: Int32) {
        self.path = path
        self.lock = lock
    }

    deinit {
        close(lock)
    }

    /// Creates the file if it does not exist, and checks that it can be written.
    borrowing func create() throws(StoreError) {
        if isEmpty {
            guard !hasLog else {
                throw StoreError(
                    .damaged, operation: "open \(path)", cause: "it is gone or empty, but its write-ahead log is there",
                    remedy: "bring it back, or restore a backup (cairn restore); the log was left as it is")
            }
            try Self.make(path)
        }
        try Self.lookAt(path)
    }

    /// Checks for a newer schema, for damage and for another key, through a read-only connection: the file does not
    /// change.
    ///
    /// - Returns: faults of single values, which concern a row and not the file.
    borrowing func examine(_ schema: Schema, wholeFile: Bool, masters: MasterKeys) throws(StoreError) -> [String] {
        if isEmpty { return [] }
        return try DatabaseCheck.examine(path) { (connection) throws(StoreError) in
            _ = try schema.examine(connection)
            let findings = wholeFile ? try connection.examineStructure(path) : []
            if let keyring = try connection.unlock(with: masters) {
                try schema.requireSteps(of: connection, keyring)
            } else {
                try connection.requireNoRows(path)
            }
            return findings
        }
    }

    /// Whether the database has no tables, as after an interrupted first start.
    borrowing func holdsNothing() throws(StoreError) -> Bool {
        let connection = try Connection(path: path, role: .reader)
        defer { connection.close() }
        return try connection.lend("open \(path)") { db in try SchemaObject.all(in: db).isEmpty }
    }

    /// Whether the file is empty or does not exist.
    var isEmpty: Bool { !Self.isFilled(path) }

    /// Whether there is a non-empty write-ahead log, with or without its database.
    var hasLog: Bool { Self.isFilled(path + "-wal") }

    static func isFilled(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }

    /// Free bytes on the file's disk for the server's user; nil = unknown.
    static func freeSpace(around path: String) -> UInt64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// Creates a file that only its owner can read, with these bytes.
    static func create(draft path: String, holding bytes: [UInt8] = []) throws(StoreError) {
        // An interrupted attempt may have left a file of another user.
        unlink(path)
        // Never opens a file or link that another user has put in its place meanwhile.
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
        let operation = "create \(path)"
        let file = try open(path, flags, operation: operation)
        defer { close(file) }
        // Writes through the descriptor: the name may stand for another file a moment later.
        guard bytes.isEmpty || write(file, bytes, bytes.count) == bytes.count else { throw failure(operation) }
    }

    /// Renames a complete file to its final name, durably.
    static func publish(_ draft: String, as path: String) throws(StoreError) {
        let operation = "write \(path)"
        let file = try open(draft, O_RDWR, operation: operation)
        defer { close(file) }
        guard fsync(file) == 0, rename(draft, path) == 0 else { throw failure(operation) }
        try syncDirectory(path.parentDirectory)
    }

    /// The process that has locked the file; nil = none, or this user may not read the lock file.
    static func holder(of path: String) -> Int32? {
        let lock = Foundation.open(path + ".lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard lock >= 0 else { return nil }
        defer { close(lock) }
        // If the lock is free, this call holds it for a moment. A process that tries to lock the file at that moment
        // tries again.
        guard flock(lock, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = max(read(lock, &bytes, bytes.count), 0)
        return Int32(String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    private static func lock(_ path: String) throws(StoreError) -> Int32 {
        // The holder's id is written into the file, so a link in its place is not followed.
        let lock = try open(path, O_RDWR | O_CREAT | O_NOFOLLOW, operation: "lock \(path)")
        // A forked child that has not called exec yet still holds the lock that its parent has just released.
        var patience = 10
        while flock(lock, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK, patience > 0 {
            patience -= 1
            usleep(20_000)
        }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            defer { close(lock) }
            guard errno == EWOULDBLOCK else { throw failure("lock \(path)") }
            var bytes = [UInt8](repeating: 0, count: 32)
            let count = max(read(lock, &bytes, bytes.count), 0)
            let holder = String(decoding: bytes.prefix(count), as: UTF8.self)
            throw StoreError(
                .inUse, operation: "lock \(path)", cause: "process \(holder) serves this database",
                remedy: "stop that process, or give this one a database of its own")
        }
        // The id is for error messages only: if it cannot be written, the lock is held all the same.
        let owner = Array("\(getpid())".utf8)
        _ = ftruncate(lock, 0)
        _ = pwrite(lock, owner, owner.count, 0)
        return lock
    }

    /// Creates a database without tables in WAL mode, under a draft name, and renames it when it is complete. If SQLite
    /// created it in place and the power failed meanwhile, half a page or a hot journal would be left.
    private static func make(_ path: String) throws(StoreError) {
        let draft = path + ".part"
        // Removes the remains of an interrupted start.
        for name in [draft, path] {
            for suffix in ["-journal", "-wal", "-shm"] { unlink(name + suffix) }
        }
        try create(draft: draft)
        try Connection(path: draft, role: .writer(.full)).close()
        try publish(draft, as: path)
    }

    /// Opens the file for writing, and checks the header.
    private static func lookAt(_ path: String) throws(StoreError) {
        let operation = "open \(path)"
        let file = try open(path, O_RDWR, operation: operation)
        defer { close(file) }
        try examineHeader(of: file, operation: operation)
    }

    /// Checks the first bytes of a file. Another process may have it open; this one has no connection to it, so closing
    /// the descriptor drops no lock of SQLite's.
    static func examineHeader(_ path: String) throws(StoreError) {
        let operation = "open \(path)"
        let file = try open(path, O_RDONLY, operation: operation)
        defer { close(file) }
        try examineHeader(of: file, operation: operation)
    }

    private static func examineHeader(of file: Int32, operation: String) throws(StoreError) {
        var header = [UInt8](repeating: 0, count: DatabaseHeader.bytes)
        let count = pread(file, &header, header.count, 0)
        guard count >= 0 else { throw failure(operation) }
        guard let fault = DatabaseHeader(Array(header.prefix(count))).fault else { return }
        throw StoreError(
            .damaged, operation: operation, cause: fault,
            remedy: "restore a backup (cairn restore); the file was left as it is")
    }

    /// Returns when the names in a folder are on disk.
    static func syncDirectory(_ directory: String) throws(StoreError) {
        let operation = "keep the directory \(directory)"
        let file = try open(directory, O_RDONLY | O_DIRECTORY, operation: operation)
        defer { close(file) }
        guard fsync(file) == 0 else { throw failure(operation) }
    }

    private static func open(_ path: String, _ flags: Int32, operation: String) throws(StoreError) -> Int32 {
        if flags & O_CREAT != 0, let file = makeForOwner(path, flags) { return file }
        let file = Foundation.open(path, flags | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(operation) }
        return file
    }

    /// Creates a file as root for the owner of its folder, because the server's user must be able to open it.
    ///
    /// - Returns: nil when the caller is not root, or the file exists: then it keeps its owner. Links are not followed:
    ///   the owner of the folder could become the owner of any file.
    private static func makeForOwner(_ path: String, _ flags: Int32) -> Int32? {
        guard geteuid() == 0 else { return nil }
        let file = Foundation.open(path, flags | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        var status = stat()
        if stat(path.parentDirectory, &status) == 0 { _ = fchown(file, status.st_uid, status.st_gid) }
        return file
    }

    /// Creates a folder that only its owner can read. If root creates it, it belongs to the owner of the parent folder.
    static func createFolder(_ path: String, remedy: String) throws(StoreError) {
        guard access(path, F_OK) != 0 else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError(
                .readOnly, operation: "create \(path)", cause: error.localizedDescription, remedy: remedy)
        }
        var status = stat()
        if geteuid() == 0, stat(path.parentDirectory, &status) == 0 {
            _ = lchown(path, status.st_uid, status.st_gid)
        }
    }

    static func failure(_ operation: String) -> StoreError {
        let code = errno
        let cause = String(cString: strerror(code))
        switch code {
        case EACCES, EPERM, EROFS:
            return StoreError(
                .readOnly, operation: operation, cause: cause,
                remedy: "make the database file and its directory writable for the server's user")
        case ENOSPC, EDQUOT:
            return StoreError(.full, operation: operation, cause: cause, remedy: "make room on the disk")
        default:
            return StoreError(.io, operation: operation, cause: cause, remedy: "check the path and the disk")
        }
    }
}
