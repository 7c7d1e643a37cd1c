import Foundation

/// The repository as git sees it: what is tracked and what would be, if it were added.
enum SourceTree {
    /// Folder of `Package.swift`, or of a tree in which each rule is broken (Tests/TreeTests/test_tree_tests_fail.py).
    static let root: URL = {
        if let planted = ProcessInfo.processInfo.environment["PLANTED_TREE"] { return URL(filePath: planted) }
        return URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../").standardizedFileURL
    }()

    /// Paths from the root, sorted. Without git, for instance in an archive, every file that is not hidden.
    static let paths: [String] = {
        let listed = git("ls-files", "--cached", "--others", "--exclude-standard") ?? everything()
        return listed.filter { FileManager.default.fileExists(atPath: root.appending(path: $0).path) }.sorted()
    }()

    /// Paths that git keeps; nil without git.
    static let tracked: [String]? = git("ls-files", "--cached")

    /// Our own Swift, not what a tool has written.
    static let swift: [SourceFile] = files { $0.hasSuffix(".swift") && !isGenerated($0) }

    /// Whether a tool wrote the file from another one.
    static func isGenerated(_ path: String) -> Bool {
        path.contains("/Generated/")
    }

    /// The files whose path passes, in order.
    static func files(_ isWanted: (String) -> Bool) -> [SourceFile] {
        paths.filter(isWanted).map { SourceFile(path: $0, text: text(of: $0)) }
    }

    /// A file's text; what is no UTF-8 becomes replacement characters.
    static func text(of path: String) -> String {
        let data = FileManager.default.contents(atPath: root.appending(path: path).path) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    private static func everything() -> [String] {
        let found = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return found.filter { path in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: root.appending(path: path).path, isDirectory: &isFolder)
            return exists && !isFolder.boolValue && !path.hasPrefix(".build") && !path.hasPrefix(".venv")
        }
    }

    private static func git(_ arguments: String...) -> [String]? {
        guard FileManager.default.fileExists(atPath: root.appending(path: ".git").path) else { return nil }
        let quoted = "'" + root.path.replacing("'", with: "'\\''") + "'"
        guard let output = popen("git -C \(quoted) \(arguments.joined(separator: " ")) -z", "re") else { return nil }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&piece, 1, piece.count, output), count > 0 { bytes += piece[..<count] }
        guard pclose(output) == 0 else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\0").map(String.init)
    }
}
