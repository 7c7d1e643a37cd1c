internal import CairnCore
internal import Foundation

/// The files outside a database that its rows name (`StoredFile`), in one folder. The world's have a folder of their
/// own; those of a backup, or of a database that was set aside, are beside it.
struct FileFolder: Hashable, Sendable {
    let path: String

    private static let suffix = ".files"
    private static let draftSuffix = ".part"

    init(path: String) {
        self.path = path
    }

    /// Beside a database that is not the world's.
    init(beside database: String) {
        self.init(path: database + Self.suffix)
    }

    /// Whether this is the name of such a folder, or of its draft.
    static func isName(_ name: String) -> Bool { name.hasSuffix(suffix) || name.hasSuffix(suffix + draftSuffix) }

    func path(of file: StoredFile) -> String { path + "/" + file.path }

    /// Whether a file is here.
    func has(_ file: StoredFile) -> Bool { access(path(of: file), F_OK) == 0 }

    /// Brings files here from other folders: each as a hard link where the file system and its owner allow that, else
    /// as a copy. All of it is on disk when this returns.
    ///
    /// Files never change, so a link is as good as a copy. A file that is here and sound stays, a damaged one is
    /// replaced. One that is nowhere is left out; the check of the rows reports it.
    /// - Parameter folders: where they may be, the best first.
    func bring(_ files: [StoredFile], from folders: [FileFolder]) throws(StoreError) {
        guard !files.isEmpty else { return }
        var changed: Set<String> = []
        for file in files {
            let target = path(of: file)
            if has(file), file.isSound(target) { continue }
            for (index, folder) in folders.enumerated() where folder != self && folder.has(file) {
                // Of a backup before this one only a sound file is of use: the world may have a better one.
                if index > 0, !file.isSound(folder.path(of: file)) { continue }
                try bring(folder.path(of: file), as: target)
                changed.insert(target.parentDirectory)
                break
            }
        }
        for folder in changed.sorted() + [path, path.parentDirectory] where access(folder, F_OK) == 0 {
            try DatabaseFile.syncDirectory(folder)
        }
    }

    private func bring(_ source: String, as target: String) throws(StoreError) {
        let remedy = "give the server's user a folder that it can write"
        try DatabaseFile.createFolder(path, remedy: remedy)
        try DatabaseFile.createFolder(target.parentDirectory, remedy: remedy)
        unlink(target)
        if Self.haveOneOwner(source, target.parentDirectory), link(source, target) == 0 { return }
        guard let bytes = FileManager.default.contents(atPath: source) else {
            throw DatabaseFile.failure("read \(source)")
        }
        let draft = target + Self.draftSuffix
        try DatabaseFile.create(draft: draft, holding: Array(bytes))
        try DatabaseFile.publish(draft, as: target)
    }

    /// Root may restore a file of its own, which the server's user could not read.
    private static func haveOneOwner(_ file: String, _ folder: String) -> Bool {
        var (one, other) = (stat(), stat())
        return stat(file, &one) == 0 && stat(folder, &other) == 0 && one.st_uid == other.st_uid
    }

    /// Links all files of another folder here, as far as that is possible. For a database that is set aside: it is
    /// whole with them, and without them still has its rows.
    func keep(_ other: FileFolder) {
        let names = FileManager.default.enumerator(atPath: other.path)
        while let name = names?.nextObject() as? String {
            let (source, target) = (other.path + "/" + name, path + "/" + name)
            var status = stat()
            guard stat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            try? DatabaseFile.createFolder(path, remedy: "")
            try? DatabaseFile.createFolder(target.parentDirectory, remedy: "")
            _ = link(source, target)
        }
    }

    /// Gives the folder its final name, if it is there.
    func publish(as folder: FileFolder) throws(StoreError) {
        guard access(path, F_OK) == 0 else { return }
        folder.remove()
        guard rename(path, folder.path) == 0 else { throw DatabaseFile.failure("name \(folder.path)") }
        try DatabaseFile.syncDirectory(folder.path.parentDirectory)
    }

    /// While it is being filled.
    var draft: FileFolder { FileFolder(path: path + Self.draftSuffix) }

    /// Deletes it with all that is in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// Number of files here that are none of these.
    func extras(beside files: [StoredFile]) -> Int {
        let named = Set(files.map(\.path))
        // Files are two levels deep; anything else, such as uploads under way, is not a row's.
        let parts = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return parts.filter { $0.utf8.count == 2 }.reduce(0) { count, part in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + part)) ?? []
            return count + names.count { !named.contains(part + "/" + $0) }
        }
    }
}

/// Where the files of databases are: those of the world in a folder of their own, those of all others beside them.
struct FilePlaces: Sendable {
    /// Path of the world's database.
    let world: String
    let folder: FileFolder

    init?(_ options: Store.Options) {
        guard let files = options.files else { return nil }
        world = options.path
        folder = FileFolder(path: files)
    }

    func folder(of database: String) -> FileFolder {
        database == world ? folder : FileFolder(beside: database)
    }
}
