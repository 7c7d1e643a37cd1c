internal import CairnStore
internal import Foundation

/// A Unix socket that operators connect to. Confined to the room's thread.
final class StatsSocket: Sendable {
    let descriptor: Int32
    let level: OperatorLevel
    private let path: String
    private let folder: Int32

    /// Connections that the kernel holds until they are accepted.
    private static let backlog: Int32 = 512

    /// Listens at `path`. A socket without a listener is replaced; anything else at the path is left alone.
    ///
    /// - Parameter mode: the file's mode. It is set before the socket exists, so no other user can connect in between.
    init(path: String, mode: mode_t, level: OperatorLevel) throws(StatsError) {
        self.path = path
        self.level = level
        let parent = path.parentDirectory
        try? FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Self.failure("open the folder of", path) }
        descriptor = Self.make()
        do throws(StatsError) {
            guard descriptor >= 0 else { throw Self.failure("make", path) }
            // On Linux the file gets the mode of the socket, less the umask; no time passes with a wider one.
            guard fchmod(descriptor, mode) == 0 else { throw Self.failure("set the mode of", path) }
            try bindOver()
            guard chmod(path, mode) == 0, listen(descriptor, Self.backlog) == 0 else {
                throw Self.failure("listen at", path)
            }
        } catch {
            close(descriptor)
            close(folder)
            throw error
        }
    }

    deinit {
        unlink(path)
        close(descriptor)
        close(folder)
    }

    private static func make() -> Int32 {
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        return socket(AF_UNIX, Int32(kind), 0)
    }

    /// Accepts the next connection of a permitted user; nil when there is none.
    /// - Parameter refused: called for each connection of another user.
    func accept(refused: () -> Void) -> Int32? {
        while true {
            let connection = Foundation.accept(descriptor, nil, nil)
            guard connection >= 0 else { return nil }
            Descriptor.prepare(connection)
            guard level == .read || Self.isOurs(connection) else {
                refused()
                Self.decline(connection)
                continue
            }
            return connection
        }
    }

    /// Whether the process at the other end runs as this one's user, or as root.
    private static func isOurs(_ connection: Int32) -> Bool {
        // struct ucred: pid, uid, gid.
        var peer: (pid: Int32, user: UInt32, group: UInt32) = (0, .max, .max)
        var length = socklen_t(MemoryLayout.size(ofValue: peer))
        guard getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 else { return false }
        return peer.user == 0 || peer.user == geteuid()
    }

    static func decline(_ connection: Int32) {
        let line = StatsRoom.errorLine(code: "forbidden", "this socket is another user's")
        _ = send(connection, line, line.count, Int32(MSG_NOSIGNAL))
        close(connection)
    }

    private func bindOver() throws(StatsError) {
        if bindNow() == 0 { return }
        guard errno == EADDRINUSE else { throw Self.failure("bind", path) }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            throw StatsError(operation: "bind \(path)", cause: "there is something else at that path")
        }
        guard !isAnswered() else {
            throw StatsError(
                operation: "bind \(path)", cause: "another server listens there; set stats.socketPath to another path")
        }
        unlink(path)
        guard bindNow() == 0 else { throw Self.failure("bind", path) }
    }

    private func bindNow() -> Int32 {
        UnixAddress.with(path, folder: folder) { bind(descriptor, $0, $1) }
    }

    private func isAnswered() -> Bool {
        let probe = Self.make()
        defer { close(probe) }
        return UnixAddress.with(path, folder: folder) { connect(probe, $0, $1) } == 0 || errno == EAGAIN
    }

    private static func failure(_ operation: String, _ path: String) -> StatsError {
        StatsError(operation: "\(operation) \(path)", cause: String(cString: strerror(errno)))
    }
}

/// The address of a Unix socket. The kernel takes 107 bytes; a longer path goes by way of its folder's descriptor.
enum UnixAddress {
    static func with<Result>(
        _ path: String, folder: Int32, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        let name = (path as NSString).lastPathComponent
        let short = path.utf8.count < capacity ? path : "/proc/self/fd/\(folder)/\(name)"
        // Copied within bounds, with the final zero: `address` was all zeros.
        withUnsafeMutableBytes(of: &address.sun_path) { target in
            for (place, byte) in zip(0..<(capacity - 1), short.utf8) { target[place] = byte }
        }
        // A sockaddr_un is what the kernel reads behind a sockaddr pointer of family AF_UNIX.
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
