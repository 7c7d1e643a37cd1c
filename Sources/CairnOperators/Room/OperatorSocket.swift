internal import CairnStore
internal import Foundation

/// The other end of the stats socket, for programs that operate a server.
public enum OperatorSocket {
    /// Connects to the Unix socket at `path`.
    /// - Parameter seconds: how long to wait for a server that listens and accepts no connection.
    /// - Returns: a descriptor, which the caller closes.
    /// - Throws: what was tried and why it failed, in one line.
    public static func connect(to path: String, seconds: Double) throws -> Int32 {
        let folder = open(path.parentDirectory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure(path) }
        defer { close(folder) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure(path) }
        // `connect` on a Unix socket waits while the server's queue is full; this bounds the wait.
        let microseconds = Int(max(seconds, 0.001) * 1_000_000)
        var patience = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let result = UnixAddress.with(path, folder: folder) { Foundation.connect(descriptor, $0, $1) }
        guard result == 0 else {
            defer { close(descriptor) }
            throw failure(path)
        }
        return descriptor
    }

    private static func failure(_ path: String) -> StatsError {
        let code = errno
        let cause =
            switch code {
            case ENOENT: "there is no such socket: no server runs with these settings (--socket names another)"
            case ECONNREFUSED: "no server listens at it any more"
            case EACCES: "this user may not; the server's user and root may"
            case EAGAIN: "the server does not answer"
            default: String(cString: strerror(code))
            }
        return StatsError(
            operation: "connect to \(path)", cause: cause, isAbsent: code == ENOENT || code == ECONNREFUSED)
    }

    /// Whether an error of `connect` says that nothing listens there.
    public static func isAbsent(_ error: any Error) -> Bool { (error as? StatsError)?.isAbsent == true }
}
