internal import CairnServer
internal import Foundation

/// The operators' credential: the one that was set, or one made at the first start and kept beside the data.
package struct OperatorCredential {
    let secret: String
    /// Where it is kept; nil when it was set.
    let path: String?
    /// Whether it was made just now: the first start.
    let isNew: Bool

    private static let name = "operator.credential"

    /// - Parameter configured: from the configuration.
    init(configured: String?, folder: String) throws(StatsError) {
        if let configured {
            self.init(secret: configured, path: nil, isNew: false)
            return
        }
        let path = folder + "/" + Self.name
        if let kept = try Self.kept(in: folder) {
            self.init(secret: kept, path: path, isNew: false)
        } else {
            let secret = Secret.make()
            try Self.write(secret, to: path)
            self.init(secret: secret, path: path, isNew: true)
        }
    }

    private init(secret: String, path: String?, isNew: Bool) {
        self.secret = secret
        self.path = path
        self.isNew = isNew
    }

    /// The secret that an earlier start has left; nil = there is none.
    package static func kept(in folder: String) throws(StatsError) -> String? { try read(folder + "/" + name) }

    private static func read(_ path: String) throws(StatsError) -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o077 == 0 else {
            throw StatsError(
                operation: "read \(path)", cause: "others can read it: remove the file, or set its mode to 0600")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StatsError(operation: "read \(path)", cause: "this user cannot")
        }
        let secret = String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
        guard secret.utf8.count >= 20 else {
            throw StatsError(
                operation: "read \(path)", cause: "it holds fewer than 20 characters: remove it and a new one is made")
        }
        return secret
    }

    private static func write(_ secret: String, to path: String) throws(StatsError) {
        // Made with its mode, so no other user can ever read it. It gets its name when it is whole: a start that the
        // power failed in the middle of leaves no half of one, which the next start would refuse.
        let draft = path + ".part"
        // The draft of an interrupted start is deleted; a file that another user put there is never written to.
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StatsError(operation: "make \(path)", cause: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        let line = Array((secret + "\n").utf8)
        guard Foundation.write(descriptor, line, line.count) == line.count, fsync(descriptor) == 0,
            rename(draft, path) == 0
        else {
            throw StatsError(operation: "write \(path)", cause: String(cString: strerror(errno)))
        }
    }
}
