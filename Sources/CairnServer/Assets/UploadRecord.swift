internal import CairnAssets
internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnWire

/// Marks the type `UploadID`; it has no values.
enum UploadTag {}
/// Names an upload, for ever.
typealias UploadID = Identifier<UploadTag>

/// An upload under way. How much has arrived is the length of its file.
struct UploadRecord: Sendable {
    let id: UploadID
    let account: AccountID
    let digest: ContentDigest
    /// Bytes in the clear.
    let length: Int
    /// Bytes of a chunk, each of which is a piece of the file.
    let chunkBytes: Int
    let name: AssetFileName
    let made: LastingTime
    private let key: [UInt8]

    private static let seal = Seal("asset_uploads")

    static let migration = Migration(
        "asset-uploads-1",
        """
        CREATE TABLE asset_uploads (
            id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            digest BLOB NOT NULL UNIQUE, made INTEGER NOT NULL, length INTEGER NOT NULL, file BLOB NOT NULL UNIQUE,
            sealed BLOB NOT NULL
        ) STRICT
        """,
        "CREATE INDEX asset_uploads_account ON asset_uploads (account)",
        "CREATE INDEX asset_uploads_made ON asset_uploads (made)")

    /// A backup holds the rows and not the files: an upload begins anew after a restore.
    static let table = StoredTable(
        "asset_uploads", of: .account, columns: ["id", "account", "digest", "made", "length", "file", "sealed"],
        key: [0], opening: [Opening(6, seal, row: 0, bound: [1, 2, 3, 4, 5])], fingerprints: [2],
        references: [StoredTable.Reference(1, to: "accounts", "id")],
        erasure: [.rows(1)],
        export: .rows([1]) { row, _ throws(ColumnFault) in
            let upload = try UploadRecord(of: row)
            return [
                "length": .integer(Int64(upload.length)), "made": .time(upload.made),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try UploadRecord(of: row)
        return []
    }

    /// A new one.
    init(
        id: UploadID, account: AccountID, digest: ContentDigest, length: Int, chunkBytes: Int, now: LastingTime
    ) {
        (self.id, self.account, self.digest, self.length) = (id, account, digest, length)
        (self.chunkBytes, made) = (chunkBytes, now)
        name = .random()
        key = PieceSeal.makeKey()
    }

    /// Reads a row of the table.
    init(_ row: Row) throws(DamagedRow) {
        self = try Self.table.read(row) { row throws(ColumnFault) in try UploadRecord(of: row) }
    }

    private init(of row: Row) throws(ColumnFault) {
        id = UploadID(rawValue: UInt64(bitPattern: try row.integer(0)))
        account = AccountID(rawValue: UInt64(bitPattern: try row.integer(1)))
        _ = try row.blob(2)
        made = try row.lastingTime(3)
        length = Int(try row.integer(4, in: 1...Int64(Int32.max)))
        guard let name = AssetFileName(try row.blob(5)) else { throw ColumnFault(5, .outOfRange) }
        self.name = name
        (digest, key, chunkBytes) = try row.within(6) { sealed throws(ColumnFault) in
            guard let digest = ContentDigest(try sealed.blob(0)) else { throw ColumnFault(0, .outOfRange) }
            let key = try sealed.blob(1)
            guard key.count == PieceSeal.keyBytes else { throw ColumnFault(1, .outOfRange) }
            return (digest, key, Int(try sealed.integer(2, in: 1...Int64(Int32.max))))
        }
    }

    /// Opens its file, which is created if it is not there. Blocks.
    func open(in folder: AssetFolder) throws(AssetFileError) -> PartialFile {
        let layout = PieceLayout(length: length, pieceBytes: chunkBytes)
        return try folder.upload(name, seal: PieceSeal(key: key, name: name, layout: layout))
    }

    private var row: Int64 { Int64(bitPattern: id.rawValue) }

    /// Begins it within the bounds; fails where one is reached. The statement counts at the moment of the change.
    func insertion(within limits: Configuration.Assets) -> Statement {
        let owner = SQLValue.integer(Int64(bitPattern: account.rawValue))
        let bound: [SQLValue] = [
            owner, digest.print(for: account), .time(made), .integer(Int64(length)), .blob(name.bytes),
        ]
        let sealed = SQLValue.sealed(
            [.blob(digest.bytes), .blob(key), .integer(Int64(chunkBytes))], Self.seal, row: row, bound: bound)
        let bytesLeft = (limits.uploadMegabytesMax << 20) - length
        let bytesLeftOfAccount = (limits.megabytesPerAccountMax << 20) - length
        return Statement(
            """
            INSERT INTO asset_uploads (id, account, digest, made, length, file, sealed) SELECT ?, ?, ?, ?, ?, ?, ?
            WHERE (SELECT count(*) FROM asset_uploads) < ?
            AND (SELECT coalesce(sum(length), 0) FROM asset_uploads) <= ?
            AND (SELECT count(*) FROM asset_uploads WHERE account = ?) < ?
            AND (SELECT count(*) FROM asset_uploads WHERE account = ?)
            + (SELECT count(*) FROM assets WHERE account = ?) < ?
            AND (SELECT coalesce(sum(length), 0) FROM asset_uploads WHERE account = ?)
            + (SELECT coalesce(sum(length), 0) FROM assets WHERE account = ?) <= ?
            ON CONFLICT DO NOTHING
            """,
            arguments: [.integer(row)] + bound + [
                sealed, .integer(Int64(limits.uploadsMax)), .integer(Int64(bytesLeft)), owner,
                .integer(Int64(limits.uploadsPerAccountMax)), owner, owner, .integer(Int64(limits.perAccountMax)),
                owner, owner, .integer(Int64(bytesLeftOfAccount)),
            ], changing: 1)
    }

    /// Fails when it is over.
    var deletion: Statement { Statement("DELETE FROM asset_uploads WHERE id = ?", .integer(row), changing: 1) }

    // MARK: Queries

    private static let byID = table.query("WHERE id = ?")
    private static let byDigest = table.query("WHERE digest = ?")

    static func query(_ id: UploadID) -> Query { byID.about(.integer(Int64(bitPattern: id.rawValue))) }

    /// Asks for the account's upload of a content.
    static func query(_ digest: ContentDigest, of account: AccountID) -> Query {
        byDigest.about(digest.print(for: account))
    }

    /// Asks for all uploads: at most `assets.uploadsMax`.
    static let all = table.query("ORDER BY id")

    /// Asks for the names of all files: at most `assets.uploadsMax`.
    static let fileNames = Query("SELECT file FROM asset_uploads")

    /// Asks for what the account has, uploads included, and for its and all uploads: counts and bytes.
    static func usage(of account: AccountID) -> Query {
        let owner = SQLValue.integer(Int64(bitPattern: account.rawValue))
        return Query(
            """
            SELECT (SELECT count(*) FROM asset_uploads), (SELECT coalesce(sum(length), 0) FROM asset_uploads),
            (SELECT count(*) FROM asset_uploads WHERE account = ?),
            (SELECT coalesce(sum(length), 0) FROM asset_uploads WHERE account = ?),
            (SELECT count(*) FROM assets WHERE account = ?),
            (SELECT coalesce(sum(length), 0) FROM assets WHERE account = ?)
            """, owner, owner, owner, owner)
    }

    static func newestIdentifier(below bound: SQLValue) -> Query {
        Query("SELECT coalesce(max(id), 0) FROM asset_uploads WHERE id < ?", bound)
    }

    static func expiries(before limit: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "made", isBelow: limit.milliseconds)]
    }
}
