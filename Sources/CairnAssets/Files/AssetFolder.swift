internal import Foundation

/// The folder of a world's assets: complete files in 256 folders by the first digits of their names, and the files of
/// uploads under way. All of it is sealed. Blocks: off the loops.
///
/// A file is complete and on disk before it gets its name, and never changes afterwards.
public struct AssetFolder: Sendable {
    public let path: String

    private static let uploads = "uploads"
    private static let draftSuffix = ".part"

    public init(path: String) {
        self.path = path
    }

    /// Where a file with this name is, or will be.
    public func path(of name: AssetFileName) -> String { Self.path(of: name, in: path) }

    /// The same in any folder of files, such as that of a backup.
    public static func path(of name: AssetFileName, in folder: String) -> String {
        folder + "/" + relativePath(of: name)
    }

    /// `ab/ab...`: the path in the folder.
    public static func relativePath(of name: AssetFileName) -> String { "\(name)".prefix(2) + "/\(name)" }

    /// Writes a file. It is on disk, with its name, when this returns.
    public func write(_ content: [UInt8], as name: AssetFileName, seal: PieceSeal) throws(AssetFileError) {
        let target = path(of: name)
        let folder = String(target.dropLast("/\(name)".count))
        try Self.create(path)
        try Self.create(folder)
        let draft = target + Self.draftSuffix
        unlink(draft)
        do throws(AssetFileError) {
            let file = try Descriptor(draft, O_WRONLY | O_CREAT | O_EXCL)
            for piece in 0..<seal.layout.pieceCount {
                let plain = content[seal.layout.plain(piece)]
                try file.write(try seal.seal(plain, piece: piece), at: seal.layout.sealed(piece).lowerBound)
            }
            try file.sync()
            guard rename(draft, target) == 0 else { throw AssetFileError("name \(target)") }
            try Self.sync(folder)
            // The folder's own name, which may be new.
            try Self.sync(path)
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Deletes a file, if it is there.
    public func remove(_ name: AssetFileName) { unlink(path(of: name)) }

    /// The names of all complete files.
    public func names() -> [AssetFileName] { Self.names(in: path) }

    /// The names of all complete files in any folder of files.
    public static func names(in path: String) -> [AssetFileName] {
        entries(of: path).filter { $0.utf8.count == 2 }.flatMap { part in
            entries(of: path + "/" + part).compactMap { AssetFileName($0) }.filter { "\($0)".hasPrefix(part) }
        }
    }

    /// Deletes the drafts of interrupted writes. Nothing may be written meanwhile.
    /// - Returns: how many.
    public func removeDrafts() -> Int {
        var count = 0
        for part in Self.entries(of: path) where part.utf8.count == 2 {
            for entry in Self.entries(of: path + "/" + part) where entry.hasSuffix(Self.draftSuffix) {
                if unlink(path + "/" + part + "/" + entry) == 0 { count += 1 }
            }
        }
        return count
    }

    private static func entries(of path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    private static func create(_ path: String) throws(AssetFileError) {
        guard mkdir(path, 0o700) != 0 else { return }
        guard errno == EEXIST else { throw AssetFileError("create \(path)") }
    }

    private static func sync(_ folder: String) throws(AssetFileError) {
        try Descriptor(folder, O_RDONLY | O_DIRECTORY).sync()
    }

    // MARK: Uploads

    private func path(ofUpload name: AssetFileName) -> String { "\(path)/\(Self.uploads)/\(name)" }

    /// Opens the file of an upload, which is created if it is not there.
    public func upload(_ name: AssetFileName, seal: PieceSeal) throws(AssetFileError) -> PartialFile {
        try Self.create(path)
        try Self.create(path + "/" + Self.uploads)
        return PartialFile(try Descriptor(path(ofUpload: name), O_RDWR | O_CREAT), seal)
    }

    /// Deletes the file of an upload, if it is there.
    public func removeUpload(_ name: AssetFileName) { unlink(path(ofUpload: name)) }

    /// The names of all files of uploads.
    public func uploadNames() -> [AssetFileName] {
        Self.entries(of: path + "/" + Self.uploads).compactMap { AssetFileName($0) }
    }

    /// Seconds since an upload was written to; nil = nothing of it has arrived.
    public func idleSeconds(ofUpload name: AssetFileName) -> Int? {
        var status = stat()
        guard stat(path(ofUpload: name), &status) == 0 else { return nil }
        return max(0, time(nil) - Int(status.st_mtim.tv_sec))
    }
}
