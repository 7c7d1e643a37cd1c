internal import Foundation

/// An open file. Blocks: off the loops.
final class Descriptor: Sendable {
    private let number: Int32
    private let path: String

    init(_ path: String, _ flags: Int32) throws(AssetFileError) {
        self.path = path
        // Links are not followed: a file of the server's own is none.
        number = Foundation.open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else { throw AssetFileError("open \(path)") }
    }

    deinit { close(number) }

    func size() throws(AssetFileError) -> Int {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw AssetFileError("look at \(path)") }
        return Int(status.st_size)
    }

    /// Fewer bytes at the end of the file.
    func read(_ range: Range<Int>) throws(AssetFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { room in
                pread(number, room.baseAddress.map { $0 + count }, room.count - count, off_t(range.lowerBound + count))
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw AssetFileError("read \(path)") }
            if got == 0 { break }
            count += got
        }
        return Array(bytes.prefix(count))
    }

    func write(_ bytes: [UInt8], at place: Int) throws(AssetFileError) {
        var count = 0
        while count < bytes.count {
            let put = bytes.withUnsafeBytes { room in
                pwrite(number, room.baseAddress.map { $0 + count }, room.count - count, off_t(place + count))
            }
            if put < 0 && errno == EINTR { continue }
            guard put > 0 else { throw AssetFileError("write \(path)") }
            count += put
        }
    }

    func cut(to size: Int) throws(AssetFileError) {
        guard ftruncate(number, off_t(size)) == 0 else { throw AssetFileError("shorten \(path)") }
    }

    /// Returns when the disk has it.
    func sync() throws(AssetFileError) {
        guard fsync(number) == 0 else { throw AssetFileError("write \(path)") }
    }
}
