internal import Foundation

/// The source of an answer's body, piece by piece. The bulk lane asks it, never a loop, and for one piece at a time, so
/// that no body is ever a whole array on its way out.
public protocol BodySource: Actor {
    /// Number of bytes; nil = unknown before the end.
    nonisolated var byteCount: Int? { get }
    /// The next bytes, between 1 and `bodyPieceBytesMax`; nil = that was all. What it throws cuts the answer off.
    func next() async throws -> [UInt8]?
}

/// Largest piece of a body, in bytes: one write to a socket.
public let bodyPieceBytesMax = 65_536

/// Bytes that wait to be cut into pieces.
struct PieceCutter {
    private var bytes: [UInt8] = []
    private var taken = 0

    var isEmpty: Bool { taken == bytes.count }

    /// Replaces what is there, of which nothing may be left.
    mutating func put(_ more: [UInt8]) {
        bytes = more
        taken = 0
    }

    mutating func take() -> [UInt8]? {
        guard !isEmpty else { return nil }
        let end = min(bytes.count, taken + bodyPieceBytesMax)
        defer { taken = end }
        return taken == 0 && end == bytes.count ? bytes : Array(bytes[taken..<end])
    }
}

/// A body that is in memory anyway: a file of the program, a short text.
public actor BytesBody: BodySource {
    public nonisolated let byteCount: Int?
    private var cutter = PieceCutter()

    /// - Parameter bytes: the body.
    public init(_ bytes: [UInt8]) {
        byteCount = bytes.count
        cutter.put(bytes)
    }

    public func next() -> [UInt8]? { cutter.take() }
}

/// A body that is made while it goes out, of no known length: pages of rows, for instance.
public actor ProducedBody: BodySource {
    public nonisolated var byteCount: Int? { nil }
    private let produce: @Sendable () async throws -> [UInt8]?
    private var cutter = PieceCutter()

    /// - Parameter produce: gives some bytes more, as many as suit it; nil = the end. Called one at a time.
    public init(_ produce: @escaping @Sendable () async throws -> [UInt8]?) {
        self.produce = produce
    }

    public func next() async throws -> [UInt8]? {
        while cutter.isEmpty {
            guard let more = try await produce() else { return nil }
            cutter.put(more)
        }
        return cutter.take()
    }
}

/// A file that is held open while it is sent, so that it may be deleted or replaced meanwhile.
public final class OpenFile: Sendable {
    /// Bytes at the moment of opening.
    public let byteCount: Int
    /// Names these bytes and no others, as long as the file is only ever replaced: inode, size and time of change.
    public let tag: String
    private let descriptor: Int32

    /// Opens a regular file. Blocks: on the bulk lane.
    /// - Returns: nil when there is none, or it is a symbolic link or something else.
    public init?(path: String) {
        // Without O_NONBLOCK a pipe of that name would block here.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        byteCount = Int(status.st_size)
        let time = status.st_mtim
        tag = [UInt64(status.st_ino), UInt64(status.st_size), UInt64(time.tv_sec), UInt64(time.tv_nsec)]
            .map { String($0, radix: 16) }.joined(separator: "-")
    }

    deinit {
        close(descriptor)
    }

    /// Reads up to `count` bytes. Blocks: on the bulk lane.
    /// - Throws: `BodyError` at the end of the file, or when the disk fails.
    func read(_ count: Int, at offset: Int) throws(BodyError) -> [UInt8] {
        var got = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            // The buffer is the new array's own memory.
            repeat { got = pread(descriptor, buffer.baseAddress, count, off_t(offset)) } while got < 0 && errno == EINTR
            filled = max(got, 0)
        }
        if got < 0 { throw BodyError(cause: String(cString: strerror(errno))) }
        if got == 0 { throw BodyError(cause: "the file is shorter than it was") }
        return bytes
    }
}

/// Why a body ended before its end.
public struct BodyError: Error, Sendable {
    public let cause: String
}

/// A file, or a part of it.
public actor FileBody: BodySource {
    public nonisolated let byteCount: Int?
    private let file: OpenFile
    private var left: Range<Int>

    /// - Parameter part: which bytes of the file.
    public init(_ file: OpenFile, part: Range<Int>) {
        self.file = file
        left = part
        byteCount = part.count
    }

    public func next() throws(BodyError) -> [UInt8]? {
        guard !left.isEmpty else { return nil }
        let bytes = try file.read(min(left.count, bodyPieceBytesMax), at: left.lowerBound)
        left = left.lowerBound + bytes.count..<left.upperBound
        return bytes
    }
}
