internal import Foundation

extension String {
    /// The directory that holds what this path names, as dirname(3) has it: `.` for a name alone, `/` for the root.
    ///
    /// Foundation's `deletingLastPathComponent` traps on Linux for a path of one character (`cairn serve --data w`).
    package var parentDirectory: String {
        var bytes = Array(utf8CString)
        return bytes.withUnsafeMutableBufferPointer { String(cString: dirname($0.baseAddress)) }
    }
}
