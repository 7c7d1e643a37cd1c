internal import CairnCrypto
internal import CairnText
internal import Foundation

/// A file of master keys: comments, and a line `cairn-key-1 BASE64` for each key of 32 bytes, newest first.
public struct KeyFile: Sendable {
    public let path: String

    private static let mark = "cairn-key-1"
    private static let heading = """
        # Master keys of a Cairn world, newest first: `cairn rotate-key` adds one, older ones open older backups.
        # Whoever loses this file loses the world; whoever has it can read the database. Keep a copy elsewhere.

        """

    public init(path: String) {
        self.path = path
    }

    /// Whether there is a file of that name.
    public var exists: Bool { access(path, F_OK) == 0 }

    /// Whether users other than its owner can read it.
    public var isExposed: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }

    /// The keys in it.
    public func read() throws(StoreError) -> MasterKeys {
        guard exists else {
            throw error("no such file", "put the key file of this database there, or name it with storage.keyFile")
        }
        guard let data = FileManager.default.contents(atPath: path), data.count <= 65_536 else {
            throw error("the file cannot be read", "make it readable for the server's user")
        }
        let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            .filter { !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace) }
        let keys = lines.compactMap { line -> SymmetricKey? in
            let words = line.pieces(at: " ")
            guard words.count == 2, words[0] == Self.mark, let bytes = Data(base64Encoded: String(words[1])),
                bytes.count == 32
            else { return nil }
            return SymmetricKey(data: bytes)
        }
        guard !keys.isEmpty, keys.count == lines.count else {
            throw error("it is no key file", "wants lines \"\(Self.mark) \" with 32 bytes in base64")
        }
        return MasterKeys(keys)
    }

    /// Inserts a new key before the others. From the next start on it wraps the database's keys.
    public func rotate() throws(StoreError) {
        try write(MasterKeys([SymmetricKey.random()] + read().keys))
    }

    /// Replaces the file atomically. Only the owner can read it.
    func write(_ keys: MasterKeys) throws(StoreError) {
        try? FileManager.default.createDirectory(
            atPath: path.parentDirectory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lines = keys.keys.map { key in
            "\(Self.mark) \(key.withUnsafeBytes { Data($0) }.base64EncodedString())\n"
        }
        let draft = path + ".part"
        try DatabaseFile.create(draft: draft, holding: Array((Self.heading + lines.joined()).utf8))
        try DatabaseFile.publish(draft, as: path)
    }

    private func error(_ cause: String, _ remedy: String) -> StoreError {
        StoreError(.key, operation: "use the key file \(path)", cause: cause, remedy: remedy)
    }
}
