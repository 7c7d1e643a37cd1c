internal import Crypto
internal import Foundation

/// The keys that open a database's own keys (DAT-7). They never stand in the database or beside its data in a backup.
///
/// The newest seals; older ones open what was sealed before a rotation, such as old backups.
public struct MasterKeys: Sendable {
    /// Newest first; at least one.
    let keys: [SymmetricKey]

    /// The newest key opens it.
    init(_ keys: [SymmetricKey]) {
        precondition(!keys.isEmpty)
        self.keys = keys
    }

    /// A key that nobody else has and that goes with this value: for worlds that are thrown away.
    public static func throwAway() -> MasterKeys {
        MasterKeys([SymmetricKey(size: .bits256)])
    }

    var newest: SymmetricKey { keys[0] }

    /// Says which key it is without telling anything about it.
    static func name(of key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Data("cairn master key".utf8), using: key).prefix(8))
    }

    /// The key of that name, if it is here.
    func key(named name: [UInt8]) -> SymmetricKey? {
        keys.first { Self.name(of: $0) == name }
    }
}

/// Where a store gets its master keys.
public enum KeySource: Sendable {
    case memory(MasterKeys)
    /// A file of lines `cairn-key-1 BASE64`, newest first (`KeyFile`).
    case file(String)

    /// The keys. Only for a database that is new a file is made where there is none.
    ///
    /// - Returns: the keys, and whether the file was made just now.
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
