internal import CairnStore
internal import Foundation

/// Where the operators' credential is kept: in a file beside the key of the world, for the server's user alone.
///
/// Earlier releases kept it in the data folder. It is taken from there once; from then on a file of that name is not
/// accepted, because who can write the data folder could put it there.
package struct CredentialPlace {
    let path: String
    /// The data folder, and the file in it that earlier releases made; nil = the world has no key file, and lasts as
    /// long as the process.
    private let former: (folder: String, path: String)?
    private let keyFile: KeyFile?

    private static let name = "operator.credential"

    /// - Parameters:
    ///   - folder: `storage.path`.
    ///   - keyFile: `storage.keyFile`; nil = the key is in memory alone, and the credential in the folder.
    package init(folder: String, keyFile: String?) {
        path = keyFile.map { $0 + ".operator" } ?? folder + "/" + Self.name
        former = keyFile.map { _ in (folder, folder + "/" + Self.name) }
        self.keyFile = keyFile.map { KeyFile(path: $0) }
    }

    /// What is there.
    struct Found {
        /// The credential; nil = there is none yet.
        var secret: String?
        /// Whether it is beside the key.
        var isKept = false
        /// A file in the data folder that is moved, or that a move has left.
        var former: String?
        /// A file in the data folder that is not accepted.
        var stray: String?
    }

    func look() throws(StatsError) -> Found {
        let kept = try Self.read(path)
        guard let former, access(former.path, F_OK) == 0 else { return Found(secret: kept, isKept: kept != nil) }
        if let kept {
            // A crash after the credential was written beside the key, or a copy that came back.
            let isSame = (try? Self.read(former.path)) == kept
            return Found(
                secret: kept, isKept: true, former: isSame ? former.path : nil, stray: isSame ? nil : former.path)
        }
        guard !isNoted else { return Found(stray: former.path) }
        return Found(secret: try Self.read(former.path), former: former.path)
    }

    /// Whether it is remembered that the credential of this world is not in its data folder.
    var isNoted: Bool {
        guard let keyFile, let former else { return true }
        return keyFile.hasCredential(ofWorldIn: former.folder)
    }

    /// Remembers that the credential of this world is not in its data folder.
    func note() {
        if let former { keyFile?.noteCredential(ofWorldIn: former.folder) }
    }

    /// - Returns: false where this user can write nothing, for instance beside a mounted secret.
    func keep(_ secret: String) throws(StatsError) -> Bool {
        // Made with its mode, so no other user can ever read it. It gets its name when it is whole: a start that the
        // power failed in the middle of leaves no half of one, which the next start would refuse.
        let draft = path + ".part"
        // The draft of an interrupted start is deleted; a file that another user put there is never written to.
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if former != nil, [EROFS, EACCES, EPERM].contains(errno) { return false }
            throw StatsError(operation: "make \(path)", cause: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        let line = Array((secret + "\n").utf8)
        guard write(descriptor, line, line.count) == line.count, fsync(descriptor) == 0, rename(draft, path) == 0
        else {
            throw StatsError(operation: "write \(path)", cause: String(cString: strerror(errno)))
        }
        Self.sync(folderOf: path)
        return true
    }

    /// Deletes the file that earlier releases made, when the credential is on disk beside the key.
    func remove(_ former: String) {
        unlink(former)
        Self.sync(folderOf: former)
    }

    private static func sync(folderOf path: String) {
        let folder = open(path.parentDirectory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

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
}
