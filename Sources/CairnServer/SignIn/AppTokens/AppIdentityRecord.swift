internal import CairnCore
internal import CairnStore
internal import CairnWire

/// The stored account of a person who signs in with a token of an app's own backend (ACC-12).
///
/// (Issuer, subject) finds it by a keyed print, and stands sealed in the row, bound to print and account: a row that is
/// made, moved or copied without the key opens for nobody.
struct AppIdentityRecord: Sendable {
    let account: AccountID
    let issuer: String
    let subject: String
    /// Tokens that were issued before are no longer good; `epoch` = none.
    let revokedBefore: WallTime
    /// When the token was issued that gave the account its name and role: no older one takes them back.
    let described: WallTime
    private let print: SQLValue
    /// What is sealed, as it was read: a change replaces this and nothing else.
    private let stored: SQLValue

    private static let seal = Seal("app_identities")
    private static let printSeal = Seal("app_identities.fingerprint")

    static let migration = Migration(
        "app-identities-1",
        """
        CREATE TABLE app_identities (
            fingerprint BLOB PRIMARY KEY, account INTEGER NOT NULL UNIQUE REFERENCES accounts (id) ON DELETE CASCADE,
            sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        // Tokens that were signed out, until they would have expired.
        """
        CREATE TABLE app_tokens_ended (fingerprint BLOB PRIMARY KEY, expires INTEGER NOT NULL) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX app_tokens_ended_expires ON app_tokens_ended (expires)")

    static let table = StoredTable(
        "app_identities", of: .account, columns: ["fingerprint", "account", "sealed", "sealed AS stored"], key: [0],
        opening: [Opening(2, seal, row: 1, bound: [0])], references: [StoredTable.Reference(1, to: "accounts", "id")],
        erasure: [.atOnce(1)],
        export: .rows([1]) { row, _ throws(ColumnFault) in
            let identity = try AppIdentityRecord(of: row)
            return [
                "issuer": .text(identity.issuer), "subject": .text(identity.subject),
            ]
        }, isKeptTwice: true
    ) { row throws(ColumnFault) in
        _ = try AppIdentityRecord(of: row)
        return []
    }

    /// Reads the row that was found for an identity.
    init(_ row: Row, of identity: AppIdentity) throws(DamagedRow) {
        self = try Self.table.read(row) { row throws(ColumnFault) in
            let record = try AppIdentityRecord(of: row)
            guard record.issuer == identity.issuer, record.subject == identity.subject else {
                throw ColumnFault(2, .disagrees)
            }
            return record
        }
    }

    private init(of row: Row) throws(ColumnFault) {
        print = .blob(try row.blob(0))
        account = AccountID(rawValue: UInt64(bitPattern: try row.integer(1)))
        (issuer, subject, revokedBefore, described) = try row.within(2) { sealed throws(ColumnFault) in
            // Rows of before do not say when their account was described.
            let described = sealed.values.count > 3 ? try sealed.wallTime(3) : .epoch
            return (try sealed.text(0), try sealed.text(1), try sealed.wallTime(2), described)
        }
        stored = .blob(try row.blob(3))
    }

    /// Reads the row of an account.
    init(_ row: Row) throws(DamagedRow) {
        self = try Self.table.read(row) { row throws(ColumnFault) in try AppIdentityRecord(of: row) }
    }

    /// Without its account: what the row names is not there.
    static func dangling(_ row: Row) -> DamagedRow { table.damage(of: row, ColumnFault(1, .dangling)) }

    /// By this an identity is found.
    static func print(of identity: AppIdentity) -> SQLValue { .fingerprint(identity.text, printSeal) }

    static func insertion(_ identity: AppIdentity, account: AccountID) -> Statement {
        let (print, row) = (print(of: identity), Int64(bitPattern: account.rawValue))
        return Statement(
            "INSERT INTO app_identities (fingerprint, account, sealed) VALUES (?, ?, ?)", print, .integer(row),
            sealed(
                identity.issuer, identity.subject, revokedBefore: identity.revokedBefore, described: identity.issued,
                print: print, row: row),
            changing: 1)
    }

    /// Keeps a newer time before which tokens are no longer good, or from which name and role are; fails when another
    /// change was faster.
    func update(revokedBefore: WallTime, described: WallTime? = nil) -> Statement {
        let row = Int64(bitPattern: account.rawValue)
        return Statement(
            "UPDATE app_identities SET sealed = ? WHERE fingerprint = ? AND sealed = ?",
            Self.sealed(
                issuer, subject, revokedBefore: revokedBefore, described: described ?? self.described, print: print,
                row: row), print, stored, changing: 1)
    }

    private static let byPrint = table.query("WHERE fingerprint = ?")
    private static let byAccount = table.query("WHERE account = ?")

    static func query(_ print: SQLValue) -> Query { byPrint.about(print) }

    static func query(of account: AccountID) -> Query {
        byAccount.about(.integer(Int64(bitPattern: account.rawValue)))
    }

    private static func sealed(
        _ issuer: String, _ subject: String, revokedBefore: WallTime, described: WallTime, print: SQLValue, row: Int64
    ) -> SQLValue {
        .sealed(
            [.text(issuer), .text(subject), .time(revokedBefore), .time(described)], seal, row: row, bound: [print])
    }
}

/// An app token that was signed out, remembered until it would have expired (ACC-6). It is named by what was signed: of
/// a signature there may be other spellings (ECDSA).
enum EndedAppToken {
    private static let printSeal = Seal("app_tokens_ended.fingerprint")

    static let table = StoredTable(
        "app_tokens_ended", of: .world, columns: ["fingerprint", "expires"], key: [0], erasure: [.nothingPersonal]
    ) { row throws(ColumnFault) in
        _ = (try row.blob(0), try row.wallTime(1))
        return []
    }

    static func query(signed: String) -> Query {
        Query("SELECT 1 FROM app_tokens_ended WHERE fingerprint = ?", .fingerprint(signed, printSeal))
    }

    /// - Parameter expires: when the token would have ended by itself.
    static func insertion(signed: String, expires: WallTime) -> Statement {
        Statement(
            "INSERT INTO app_tokens_ended (fingerprint, expires) VALUES (?, ?) ON CONFLICT (fingerprint) DO NOTHING",
            .fingerprint(signed, printSeal), .time(expires))
    }

    // MARK: Deleted accounts

    /// How long tokens from before a deletion are refused. Then they have ended by themselves.
    private static let deletedKept = Duration.seconds(30 * 86_400)

    /// Notes that the account of an identity was deleted: a token from before makes no new one.
    static func deletion(of identity: AppIdentityRecord, at now: WallTime) -> Statement {
        Statement(
            "INSERT OR REPLACE INTO app_tokens_ended (fingerprint, expires) VALUES (?, ?)",
            print(ofDeleted: identity.issuer + "\0" + identity.subject), .time(now + deletedKept))
    }

    /// Query for when the account of an identity was deleted; `deleted(in:)` reads the answer.
    static func query(ofDeleted identity: AppIdentity) -> Query {
        Query("SELECT expires FROM app_tokens_ended WHERE fingerprint = ?", print(ofDeleted: identity.text))
    }

    /// Nil = no account of the identity was deleted lately.
    static func deleted(in rows: [Row]) -> WallTime? {
        rows.first.flatMap { try? $0.wallTime(0) }.map { $0 - deletedKept }
    }

    /// A signed text has no zero byte at its beginning, so no fingerprint of one is the same.
    private static func print(ofDeleted text: String) -> SQLValue { .fingerprint("\0deleted " + text, printSeal) }

    static func expiries(now: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "expires", isBelow: now.milliseconds)]
    }
}
