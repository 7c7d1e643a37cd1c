import Glibc

/// A file for a report, opened before the run, so that an unwritable file ends the command at once.
final class OutputFile {
    /// The failure, in words.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let path: String
    private let descriptor: Int32
    private let isNew: Bool
    private var isWritten = false

    /// Opens the file. Its content stays until the report is written.
    init(path: String) throws(Failure) {
        self.path = path
        isNew = access(path, F_OK) != 0
        descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(description: "\(path): \(String(cString: strerror(errno)))") }
    }

    deinit {
        close(descriptor)
        // The run has no report: an empty file would be worse than none.
        if isNew, !isWritten { unlink(path) }
    }

    /// The name with the ending, which is added if it is missing.
    static func named(_ path: String, ending: String) -> String { path.hasSuffix(ending) ? path : path + ending }

    /// Writes all of the file's content.
    func write(_ text: String) throws(Failure) {
        var rest = Array(text.utf8)[...]
        lseek(descriptor, 0, SEEK_SET)
        var result = ftruncate(descriptor, 0)
        // A pipe or /dev/stdout has no length to cut.
        if result != 0, errno == EINVAL { result = 0 }
        while result == 0, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if count < 0, errno != EINTR { result = -1 }
        }
        guard result == 0 else { throw Failure(description: "\(path): \(String(cString: strerror(errno)))") }
        isWritten = true
    }
}
