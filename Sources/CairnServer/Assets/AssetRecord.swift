internal import CairnAssets
internal import CairnCore
internal import CairnStore
internal import CairnWire

/// An asset that is complete: the row that names its sealed file (OBJ-12).
///
/// The file has a random name and a key of its own, which is sealed here: a new master key wraps the keys of rows and
/// touches no file.
struct AssetRecord: Sendable {
    let id: AssetID
    /// The account that uploaded it.
    let account: AccountID
    let made: LastingTime
    let type: AssetType
    /// Bytes in the clear.
    let length: Int
    private let file: AssetFileName
    private let key: [UInt8]
    private let digest: SQLValue

    /// A part of an asset is read by these pieces.
    private static let pieceBytes = 65_536

    private static let seal = Seal("assets")

    static let migration = Migration(
        "assets-1",
        """
        CREATE TABLE assets (
            id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            digest BLOB NOT NULL UNIQUE, made INTEGER NOT NULL, length INTEGER NOT NULL, file BLOB NOT NULL UNIQUE,
            sealed BLOB NOT NULL
        ) STRICT
        """,
        "CREATE INDEX assets_account ON assets (account)", "CREATE INDEX assets_made ON assets (made)")

    static let table = StoredTable(
        "assets", of: .account, columns: ["id", "account", "digest", "made", "length", "file", "sealed"], key: [0],
        opening: [Opening(6, seal, row: 0, bound: [1, 2, 3, 4, 5])], fingerprints: [2],
        references: [StoredTable.Reference(1, to: "accounts", "id")],
        file: { row throws(ColumnFault) in
            let asset = try AssetRecord(of: row)
            let seal = asset.pieceSeal
            return StoredFile(path: AssetFolder.relativePath(of: asset.file)) { path in
                (try? SealedFile(path: path, seal: seal).isSound) ?? false
            }
        },
        erasure: [.rows(1)],
        export: .rows([1]) { row, view throws(ColumnFault) in
            let asset = try AssetRecord(of: row)
            return [
                "asset": view.name(of: asset.id), "contentType": .text(asset.type.contentType),
                "length": .integer(Int64(asset.length)), "made": .time(asset.made),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try AssetRecord(of: row)
        return []
    }

    /// A new one, with a new file and key.
    init(id: AssetID, account: AccountID, digest: ContentDigest, type: AssetType, length: Int, now: LastingTime) {
        (self.id, self.account, made, self.type, self.length) = (id, account, now, type, length)
        self.digest = digest.print(for: account)
        file = .random()
        key = PieceSeal.makeKey()
    }

    /// Reads a row of the table.
    init(_ row: Row) throws(DamagedRow) {
        self = try Self.table.read(row) { row throws(ColumnFault) in try AssetRecord(of: row) }
    }

    private init(of row: Row) throws(ColumnFault) {
        id = AssetID(rawValue: UInt64(bitPattern: try row.integer(0)))
        account = AccountID(rawValue: UInt64(bitPattern: try row.integer(1)))
        digest = .blob(try row.blob(2))
        made = try row.lastingTime(3)
        length = Int(try row.integer(4, in: 1...Int64(Int32.max)))
        guard let file = AssetFileName(try row.blob(5)) else { throw ColumnFault(5, .outOfRange) }
        self.file = file
        (type, key) = try row.within(6) { sealed throws(ColumnFault) in
            guard let type = AssetType(contentType: try sealed.text(0)) else { throw ColumnFault(0, .outOfRange) }
            let key = try sealed.blob(1)
            guard key.count == PieceSeal.keyBytes else { throw ColumnFault(1, .outOfRange) }
            return (type, key)
        }
    }

    private var pieceSeal: PieceSeal {
        PieceSeal(key: key, name: file, layout: PieceLayout(length: length, pieceBytes: Self.pieceBytes))
    }

    var name: AssetFileName { file }

    /// Writes its file. It is on disk when this returns. Blocks.
    func write(_ content: [UInt8], to folder: AssetFolder) throws(AssetFileError) {
        try folder.write(content, as: file, seal: pieceSeal)
    }

    /// Opens its file. Blocks.
    func open(in folder: AssetFolder) throws(AssetFileError) -> SealedFile {
        try SealedFile(path: folder.path(of: file), seal: pieceSeal)
    }

    private var row: Int64 { Int64(bitPattern: id.rawValue) }

    /// After `write`.
    var insertion: Statement {
        let bound: [SQLValue] = [
            .integer(Int64(bitPattern: account.rawValue)), digest, .time(made), .integer(Int64(length)),
            .blob(file.bytes),
        ]
        let sealed = SQLValue.sealed([.text(type.contentType), .blob(key)], Self.seal, row: row, bound: bound)
        return Statement(
            """
            INSERT INTO assets (id, account, digest, made, length, file, sealed) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """, arguments: [.integer(row)] + bound + [sealed], changing: 1)
    }

    /// Deletes the row of an asset, unless something uses it. The statement looks at the moment of the change, so an
    /// asset that is taken into use meanwhile stays.
    static func deletionIfUnused(_ id: AssetID) -> Statement {
        Statement(
            "DELETE FROM assets WHERE id = ? AND NOT EXISTS (SELECT 1 FROM asset_uses WHERE asset = assets.id)",
            .integer(Int64(bitPattern: id.rawValue)))
    }

    // MARK: Queries

    private static let byID = table.query("WHERE id = ?")
    private static let byDigest = table.query("WHERE digest = ?")

    static func query(_ id: AssetID) -> Query { byID.about(.integer(Int64(bitPattern: id.rawValue))) }

    /// Asks for the account's asset with a content.
    static func query(_ digest: ContentDigest, of account: AccountID) -> Query {
        byDigest.about(digest.print(for: account))
    }

    /// Asks for the ids of assets that nothing uses, made before a time, the oldest first.
    static func unused(before time: LastingTime, countMax: Int) -> Query {
        Query(
            """
            SELECT id FROM assets WHERE made < ? AND NOT EXISTS (SELECT 1 FROM asset_uses WHERE asset = assets.id)
            ORDER BY made, id LIMIT ?
            """, .time(time), .integer(Int64(countMax)))
    }

    /// Asks for the names of files, a page at a time, behind one.
    static func fileNames(after name: [UInt8], countMax: Int) -> Query {
        Query("SELECT file FROM assets WHERE file > ? ORDER BY file LIMIT ?", .blob(name), .integer(Int64(countMax)))
    }

    /// Asks for the number of assets and of their bytes.
    static let summary = Query("SELECT count(*), coalesce(sum(length), 0) FROM assets")

    static func newestIdentifier(below bound: SQLValue) -> Query {
        Query("SELECT coalesce(max(id), 0) FROM assets WHERE id < ?", bound)
    }
}

/// The SHA-256 of a content, as its uploader says it.
struct ContentDigest: Hashable, Sendable {
    static let byteCount = 32
    let bytes: [UInt8]

    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    private static let printSeal = Seal("assets.digest")

    /// By this an account's content is found. It differs from account to account: nobody learns from an upload what
    /// others have, and a copied database shows nobody that two people have one picture, or which.
    func print(for account: AccountID) -> SQLValue {
        .fingerprint("\(account) \(bytes.hexadecimal)", Self.printSeal)
    }
}
