internal import Foundation

extension String {
    /// The parent directory of a path, as by dirname(3): `.` for a bare name, `/` for the root.
    ///
    /// Foundation's `deletingLastPathComponent` traps on Linux for a path of one character (`cairn serve --data w`).
    package var parentDirectory: String {
        var bytes = Array(utf8CString)
        return bytes.withUnsafeMutableBufferPointer { String(cString: dirname($0.baseAddress)) }
    }
}
