import Foundation

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

    private static func put(_ text: String, into handle: FileHandle) {
        // A reader that has closed the pipe is no fault of the command.
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
