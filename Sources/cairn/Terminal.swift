import Foundation

/// Lines to whoever called, each written at once: a pipe shows them when they happen.
enum Terminal {
    /// To standard output, as it is.
    static func write(_ text: String) {
        put(text, into: .standardOutput)
    }

    /// A line to standard error.
    static func error(_ line: String) {
        put(line + "\n", into: .standardError)
    }

    /// How far something is, on one line that the next overwrites; to a terminal only.
    static func progress(_ words: String) {
        guard isatty(FileHandle.standardError.fileDescriptor) == 1 else { return }
        put("\r\u{1B}[K\(words)", into: .standardError)
    }

    private static func put(_ text: String, into handle: FileHandle) {
        // A reader that has gone away is no concern of the command's.
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
