internal import Foundation

/// A folder that is deleted when the last reference to it goes.
public final class TemporaryFolder: Sendable {
    /// Absolute path, without a slash at its end.
    public let path: String

    /// Makes a fresh folder that only its owner may read.
    public init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "cairn-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = url.path
    }

    /// An existing folder, of a process that does not outlive this one.
    public init(at path: String) { self.path = path }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
