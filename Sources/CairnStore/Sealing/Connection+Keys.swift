internal import CairnCore
internal import CairnCrypto
internal import GRDB

/// The keys in the database, each wrapped (AES-256-GCM) by a master key that is stored elsewhere. A master key is right
/// if the keys unwrap with it. Number 0 is the key of fingerprints and pseudonyms and never changes; the others seal.
///
/// Each wrapped key is bound to its number and to whether the world's rows have been converted (`convert`) and are
/// counted (`beginTally`). So an attacker who removes the schema's step cannot make the server accept unbound rows
/// again.
extension Connection {
    static let keysMigration = Migration(
        "store-keys-1",
        """
        CREATE TABLE cairn_keys (
            number INTEGER PRIMARY KEY, made INTEGER NOT NULL, wrapper BLOB NOT NULL, wrapped BLOB NOT NULL
        ) STRICT
        """)

    /// A sealing key that is older than this is replaced at the next start. So no key reaches its limit of values,
    /// although each start counts them from 0.
    private static let keyAgeMax = Duration.seconds(86_400)

    private struct StoredKey {
        let number: UInt16
        let made: WallTime
        let wrapper: [UInt8]
        let wrapped: [UInt8]
    }

    private struct OpenedKey {
        let key: SymmetricKey
        let mark: KeyMark
    }

    /// Unwraps the database's keys without writing; nil = there are none yet.
    func unlock(with masters: MasterKeys) throws(StoreError) -> Keyring? {
        let stored = try storedKeys()
        guard !stored.isEmpty else { return nil }
        return try keyring(stored, masters)
    }

    /// Unwraps the database's keys. Creates them if there are none, adds one if the newest is old, and wraps keys of an
    /// older master key with the newest one.
    func unlockOrMake(with masters: MasterKeys, now: WallTime) throws(StoreError) -> Keyring {
        var stored = try storedKeys()
        let keyring: Keyring? = stored.isEmpty ? nil : try keyring(stored, masters)
        let mark = keyring?.mark ?? .bound
        var changes: [StoredKey] = []
        if keyring == nil {
            changes.append(try wrap(.random(), number: 0, made: now, .bound, masters))
        }
        for key in stored where key.wrapper != MasterKeys.name(of: masters.newest) {
            changes.append(try rewrap(key, mark, masters))
        }
        let newest = stored.last { $0.number > 0 }
        // A new key is added, because an attacker with the old master key can open the keys that it wrapped. Values
        // sealed from now on are safe from that attacker.
        let isRotated = !changes.isEmpty
        if newest.map({ (isRotated || $0.made < now - Self.keyAgeMax) && $0.number < .max }) ?? true {
            let number = (newest?.number ?? 0) + 1
            changes.append(
                try wrap(.random(), number: number, made: now, mark, masters))
        }
        try put(changes)
        stored = try storedKeys()
        return try self.keyring(stored, masters)
    }

    /// Adds a key, which seals from now on.
    func renewKey(of keyring: Keyring, with masters: MasterKeys, now: WallTime) throws(StoreError) {
        guard keyring.newestNumber < .max else { return }
        let key = SymmetricKey.random()
        let number = keyring.newestNumber + 1
        try put([wrap(key, number: number, made: now, keyring.mark, masters)])
        keyring.add(key, number: number)
    }

    private func storedKeys() throws(StoreError) -> [StoredKey] {
        try lend("read the database's keys") { db in try storedKeys(in: db) }
    }

    private func storedKeys(in db: Database) throws -> [StoredKey] {
        guard try db.tableExists("cairn_keys") else { return [] }
        let query = Query("SELECT number, made, wrapper, wrapped FROM cairn_keys ORDER BY number")
        return try db.answer(query, keyring: nil).map { row in
            do throws(ColumnFault) {
                return StoredKey(
                    number: UInt16(truncatingIfNeeded: try row.integer(0, in: 0...Int64(UInt16.max))),
                    made: try row.wallTime(1), wrapper: try row.blob(2), wrapped: try row.blob(3))
            } catch {
                throw StoreError(
                    .damaged, operation: "read the database's keys",
                    cause: "column \(error.column) of one \(error.cause.rawValue)",
                    remedy: "restore a backup (cairn restore)")
            }
        }
    }

    private func keyring(_ stored: [StoredKey], _ masters: MasterKeys) throws(StoreError) -> Keyring {
        var keys: [UInt16: SymmetricKey] = [:]
        var marks: Set<KeyMark> = []
        for key in stored {
            let opened = try unwrap(key, masters)
            keys[key.number] = opened.key
            marks.insert(opened.mark)
        }
        guard let lookupKey = keys.removeValue(forKey: 0), !keys.isEmpty else {
            throw StoreError(
                .damaged, operation: "read the database's keys", cause: "one of them is missing",
                remedy: "restore a backup (cairn restore)")
        }
        guard let mark = marks.first, marks.count == 1 else {
            throw StoreError(
                .damaged, operation: "read the database's keys",
                cause: "some are of before the world was converted and some are not",
                remedy: "restore a backup (cairn restore)")
        }
        return Keyring(lookupKey: lookupKey, dataKeys: keys, isBound: mark != .none, isTallied: mark == .tallied)
    }

    /// Wraps the keys as those of a converted world. Runs inside the transaction that converts the rows.
    func bindKeys(_ db: Database, with masters: MasterKeys) throws {
        for key in try storedKeys(in: db) { try put(try rewrap(key, .bound, masters), in: db) }
    }

    /// Wraps the keys as those of a world whose rows are counted, unless they are. Runs inside the transaction that
    /// writes the first tallies.
    func markTallied(_ db: Database, with masters: MasterKeys) throws {
        for key in try storedKeys(in: db) where try unwrap(key, masters).mark != .tallied {
            try put(try rewrap(key, .tallied, masters), in: db)
        }
    }

    private func rewrap(_ key: StoredKey, _ mark: KeyMark, _ masters: MasterKeys) throws(StoreError) -> StoredKey {
        try wrap(try unwrap(key, masters).key, number: key.number, made: key.made, mark, masters)
    }

    private func put(_ keys: [StoredKey]) throws(StoreError) {
        guard !keys.isEmpty else { return }
        try lend("write the database's keys") { db in
            try db.inTransaction(.immediate) {
                for key in keys { try put(key, in: db) }
                return .commit
            }
        }
    }

    private func put(_ key: StoredKey, in db: Database) throws {
        try db.run(
            "INSERT OR REPLACE INTO cairn_keys (number, made, wrapper, wrapped) VALUES (?, ?, ?, ?)",
            [.integer(Int64(key.number)), .time(key.made), .blob(key.wrapper), .blob(key.wrapped)], keyring: nil)
    }

    private func wrap(
        _ key: SymmetricKey, number: UInt16, made: WallTime, _ mark: KeyMark, _ masters: MasterKeys
    ) throws(StoreError) -> StoredKey {
        do throws(CryptoFault) {
            let wrapped = try AES.GCM(masters.newest)
                .seal(key.withUnsafeBytes { Array($0) }, authenticating: mark.bound(number))
            return StoredKey(
                number: number, made: made, wrapper: MasterKeys.name(of: masters.newest), wrapped: wrapped)
        } catch {
            throw StoreError(.key, operation: "wrap a key", cause: "\(error)", remedy: "report this as a bug")
        }
    }

    private func unwrap(_ key: StoredKey, _ masters: MasterKeys) throws(StoreError) -> OpenedKey {
        guard let master = masters.key(named: key.wrapper) else {
            throw StoreError(
                .key, operation: "open the sealed database",
                cause: "it was sealed with another key than the key file holds",
                remedy: "name its own key file with storage.keyFile; nothing was changed")
        }
        let cipher = AES.GCM(master)
        for mark in KeyMark.allCases {
            guard let bytes = cipher.open(key.wrapped, authenticating: mark.bound(key.number)),
                bytes.count == SymmetricKey.byteCount
            else { continue }
            return OpenedKey(key: SymmetricKey(data: bytes), mark: mark)
        }
        throw StoreError(
            .damaged, operation: "open the sealed database", cause: "its key number \(key.number) is damaged",
            remedy: "restore a backup (cairn restore)")
    }
}

/// What a wrapped key is bound to beside its number: how far the world's rows are protected. Without the master key
/// nobody can take a mark away.
private enum KeyMark: CaseIterable {
    /// Each row is bound to its columns, and all rows are counted.
    case tallied
    /// Each row is bound to its columns.
    case bound
    /// Rows are sealed only, until they are converted.
    case none

    func bound(_ number: UInt16) -> [UInt8] {
        let what =
            switch self {
            case .tallied: ", rows bound and counted"
            case .bound: ", rows bound"
            case .none: ""
            }
        return Array("cairn key \(number)\(what)".utf8)
    }
}

extension Keyring {
    fileprivate var mark: KeyMark {
        if isTallied { return .tallied }
        return isBound ? .bound : .none
    }
}
