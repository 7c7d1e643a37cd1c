internal import Foundation

/// The database's file before SQLite sees it: made, claimed for this process, and looked at without touching it.
///
/// All of this happens before the first connection: closing a descriptor of the file would drop SQLite's own locks.
struct DatabaseFile: ~Copyable {
    let path: String
    /// Holds the lock as long as it is open.
    private let lock: Int32

    /// Claims the file. Creates it and its directory when they are not there.
    static func claim(_ path: String) throws(StoreError) -> DatabaseFile {
        let directory = (path as NSString).deletingLastPathComponent
        if !directory.isEmpty {
            try createFolder(directory, remedy: "give the server's user a directory that it can write")
        }
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

    /// Creates the file where there is none, and checks that it can be written.
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

    /// Looks for a newer schema, for damage and for another key through a connection that cannot write, so the file
    /// stays as it is.
    ///
    /// - Returns: findings about single values, which concern a row and not the file.
    borrowing func examine(_ schema: Schema, wholeFile: Bool, masters: MasterKeys) throws(StoreError) -> [String] {
        if isEmpty { return [] }
        return try DatabaseCheck.examine(path) { (connection) throws(StoreError) in
            _ = try schema.examine(connection)
            let findings = wholeFile ? try connection.examineStructure(path) : []
            if try connection.unlock(with: masters) == nil { try connection.requireNoRows(path) }
            return findings
        }
    }

    /// Whether it is a database in which nothing was ever made: what a first start leaves that was cut off.
    borrowing func holdsNothing() throws(StoreError) -> Bool {
        let connection = try Connection(path: path, role: .reader)
        defer { connection.close() }
        return try connection.lend("open \(path)") { db in try SchemaObject.all(in: db).isEmpty }
    }

    /// Whether nothing was ever written into it.
    var isEmpty: Bool { !Self.isFilled(path) }

    /// Whether a write-ahead log is beside it, or where it was.
    var hasLog: Bool { Self.isFilled(path + "-wal") }

    private static func isFilled(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }

    /// Bytes that the server's user may still write on the disk of the file; nil = the system does not say.
    static func freeSpace(around path: String) -> UInt64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// Makes a file that only its owner can read, empty or with these bytes.
    static func create(draft path: String, holding bytes: [UInt8] = []) throws(StoreError) {
        // What a cut-off attempt has left may belong to another user.
        unlink(path)
        // Never what somebody else has put in its place meanwhile, nor what a link points to.
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
        let operation = "create \(path)"
        let file = try open(path, flags, operation: operation)
        defer { close(file) }
        // By what was opened: of a name nobody knows what it stands for a moment later.
        guard bytes.isEmpty || write(file, bytes, bytes.count) == bytes.count else { throw failure(operation) }
    }

    /// Gives a complete file its name, durably.
    static func publish(_ draft: String, as path: String) throws(StoreError) {
        let operation = "write \(path)"
        let file = try open(draft, O_RDWR, operation: operation)
        defer { close(file) }
        guard fsync(file) == 0, rename(draft, path) == 0 else { throw failure(operation) }
        try syncDirectory((path as NSString).deletingLastPathComponent)
    }

    /// The process that has claimed the file; nil when none has, or when this user may not look.
    static func holder(of path: String) -> Int32? {
        let lock = Foundation.open(path + ".lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard lock >= 0 else { return nil }
        defer { close(lock) }
        // Held for a moment where nobody has it: who claims the file meanwhile tries again.
        guard flock(lock, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = max(read(lock, &bytes, bytes.count), 0)
        return Int32(String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    private static func lock(_ path: String) throws(StoreError) -> Int32 {
        // Its holder is written into it, and into nothing that a link in its place points to.
        let lock = try open(path, O_RDWR | O_CREAT | O_NOFOLLOW, operation: "lock \(path)")
        // A child that has been forked and not yet become another program holds what its parent has just let go.
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
        // Only for the message above: who cannot write it still holds the lock.
        let owner = Array("\(getpid())".utf8)
        _ = ftruncate(lock, 0)
        _ = pwrite(lock, owner, owner.count, 0)
        return lock
    }

    /// Makes a database without tables that has a write-ahead log from its first page on. It gets its name when it is
    /// whole: a database that SQLite makes in place is half a page, or asks for a journal to be played back, if the
    /// power fails meanwhile.
    private static func make(_ path: String) throws(StoreError) {
        let draft = path + ".part"
        // What a start that was cut off has left.
        for name in [draft, path] {
            for suffix in ["-journal", "-wal", "-shm"] { unlink(name + suffix) }
        }
        try create(draft: draft)
        try Connection(path: draft, role: .writer(.full)).close()
        try publish(draft, as: path)
    }

    /// Opens for writing, and checks the header.
    private static func lookAt(_ path: String) throws(StoreError) {
        let operation = "open \(path)"
        let file = try open(path, O_RDWR, operation: operation)
        defer { close(file) }
        try examineHeader(of: file, operation: operation)
    }

    /// Looks at the first bytes of a file that somebody else may have open, without a lock of SQLite's to lose.
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

    private static func syncDirectory(_ directory: String) throws(StoreError) {
        let operation = "keep the directory \(directory)"
        let file = try open(directory.isEmpty ? "." : directory, O_RDONLY | O_DIRECTORY, operation: operation)
        defer { close(file) }
        guard fsync(file) == 0 else { throw failure(operation) }
    }

    private static func open(_ path: String, _ flags: Int32, operation: String) throws(StoreError) -> Int32 {
        if flags & O_CREAT != 0, let file = makeForOwner(path, flags) { return file }
        let file = Foundation.open(path, flags | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(operation) }
        return file
    }

    /// What root makes in the folder of the server's user must be that user's, or the next start cannot open it.
    ///
    /// - Returns: nil when the caller is not root, or the file is there already: it keeps its owner then. A link is not
    ///   followed, or the owner of the folder could have any file given to them.
    private static func makeForOwner(_ path: String, _ flags: Int32) -> Int32? {
        guard geteuid() == 0 else { return nil }
        let file = Foundation.open(path, flags | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        let folder = (path as NSString).deletingLastPathComponent
        var status = stat()
        if stat(folder.isEmpty ? "." : folder, &status) == 0 { _ = fchown(file, status.st_uid, status.st_gid) }
        return file
    }

    /// Makes a folder that only its owner can read; made by root it belongs to the owner of the folder around it.
    static func createFolder(_ path: String, remedy: String) throws(StoreError) {
        guard access(path, F_OK) != 0 else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError(
                .readOnly, operation: "create \(path)", cause: error.localizedDescription, remedy: remedy)
        }
        let around = (path as NSString).deletingLastPathComponent
        var status = stat()
        if geteuid() == 0, stat(around.isEmpty ? "." : around, &status) == 0 {
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
