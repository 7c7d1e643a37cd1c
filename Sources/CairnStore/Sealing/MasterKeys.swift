internal import CairnCrypto
internal import Foundation

/// The keys that open a database's own keys (DAT-7). They are never stored in the database or in a backup.
///
/// The newest one wraps keys. Older ones open databases from before a rotation, such as old backups.
public struct MasterKeys: Sendable {
    /// Newest first; at least one.
    let keys: [SymmetricKey]

    /// The newest key opens it.
    init(_ keys: [SymmetricKey]) {
        precondition(!keys.isEmpty)
        self.keys = keys
    }

    /// A random key that exists only in this value: for temporary worlds.
    public static func throwAway() -> MasterKeys {
        MasterKeys([SymmetricKey.random()])
    }

    var newest: SymmetricKey { keys[0] }

    /// Identifies a key without revealing anything about it.
    static func name(of key: SymmetricKey) -> [UInt8] {
        Array(HMAC(key: key).code(for: "cairn master key".utf8).prefix(8))
    }

    /// The key with that name; nil = not among these.
    func key(named name: [UInt8]) -> SymmetricKey? {
        keys.first { Self.name(of: $0) == name }
    }
}

/// The source of a store's master keys.
public enum KeySource: Sendable {
    case memory(MasterKeys)
    /// A file of lines `cairn-key-1 BASE64`, newest first (`KeyFile`).
    case file(String)

    /// The keys. A missing file is created only for a new database.
    ///
    /// - Returns: the keys, and whether the file was created by this call.
    func load(forNewDatabase isNew: Bool) throws(StoreError) -> (keys: MasterKeys, isMade: Bool) {
        switch self {
        case .memory(let keys): return (keys, false)
        case .file(let path):
            let file = KeyFile(path: path)
            if isNew, !file.exists {
                try file.write(MasterKeys.throwAway())
                return (try file.read(), true)
            }
            return (try file.read(), false)
        }
    }
}
