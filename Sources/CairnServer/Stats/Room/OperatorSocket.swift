internal import Foundation

/// The other end of the stats socket, for programs that operate a server.
public enum OperatorSocket {
    /// Connects to the Unix socket at `path`.
    /// - Returns: a descriptor, which the caller closes.
    /// - Throws: what was tried and why it failed, in one line.
    public static func connect(to path: String) throws -> Int32 {
        let parent = (path as NSString).deletingLastPathComponent
        let folder = open(parent.isEmpty ? "." : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure(path) }
        defer { close(folder) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure(path) }
        let result = UnixAddress.with(path, folder: folder) { Foundation.connect(descriptor, $0, $1) }
        guard result == 0 else {
            defer { close(descriptor) }
            throw failure(path)
        }
        return descriptor
    }

    private static func failure(_ path: String) -> StatsError {
        StatsError(operation: "connect to \(path)", cause: String(cString: strerror(errno)))
    }
}
