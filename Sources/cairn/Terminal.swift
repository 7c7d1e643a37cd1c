import Foundation
import Synchronization

/// Output of a command. Each line is written at once, so a pipe shows it when it happens.
enum Terminal {
    /// Writes to standard output, unchanged.
    static func write(_ text: String) {
        put(text, into: .standardOutput)
    }

    /// A line to standard error.
    static func error(_ line: String) {
        put(line + "\n", into: .standardError)
    }

    /// Shows progress on one line, which the next call overwrites; on terminals only.
    static func progress(_ words: String) {
        guard isatty(FileHandle.standardError.fileDescriptor) == 1 else { return }
        put("\r\u{1B}[K\(words)", into: .standardError)
    }

    private static let isLost = Atomic<Bool>(false)

    /// Whether some of what the command had to say is nowhere: the disk was full, for instance.
    static var hasLost: Bool { isLost.load(ordering: .relaxed) }

    /// Of a command that has lost output (`EX_IOERR`).
    static let lostExitCode: Int32 = 74

    private static func put(_ text: String, into handle: FileHandle) {
        let isWhole = putWhole(Array(text.utf8), into: handle.fileDescriptor)
        if !isWhole, handle.fileDescriptor == STDOUT_FILENO { isLost.store(true, ordering: .relaxed) }
    }
}

/// Writes all bytes. A reader that has closed the pipe is no fault of the command, and wants no more of them.
/// - Returns: false when some could not be written.
private func putWhole(_ bytes: [UInt8], into descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
        let count = bytes[done...].withUnsafeBytes { rest in write(descriptor, rest.baseAddress, rest.count) }
        if count < 0, errno == EPIPE { return true }
        if count < 0, errno == EAGAIN {
            // The terminal is another program's, too, and does not wait.
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&ready, 1, -1)
            continue
        }
        guard count >= 0 || errno == EINTR else { return false }
        done += max(0, count)
    }
    return true
}
