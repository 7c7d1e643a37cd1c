internal import CairnCore
internal import CairnStore
internal import CairnWire

/// A provider's account that signs in to an account here (ACC-7).
struct ProviderIdentityRecord: Sendable {
    let account: AccountID
    let provider: String
    let subject: String

    private static let seal = Seal("provider_identities")
    private static let printSeal = Seal("provider_identities.fingerprint")

    static let migration = Migration(
        "provider-identities-1",
        """
        CREATE TABLE provider_identities (
            fingerprint BLOB PRIMARY KEY, account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX provider_identities_account ON provider_identities (account)")

    static let table = StoredTable(
        "provider_identities", of: .account, columns: ["fingerprint", "account", "sealed"], key: [0],
        opening: [Opening(2, seal, row: 1, bound: [0])], fingerprints: [0],
        references: [StoredTable.Reference(1, to: "accounts", "id")],
        erasure: [.atOnce(1)],
        export: .rows([1]) { row, _ throws(ColumnFault) in
            let identity = try ProviderIdentityRecord(of: row)
            return [
                "provider": .text(identity.provider), "subject": .text(identity.subject),
            ]
        }, isKeptTwice: true
    ) { row throws(ColumnFault) in
        let record = try ProviderIdentityRecord(of: row)
        return [StoredTable.Derived(0, print(of: record.provider, record.subject))]
    }

    /// Reads a row of the table.
    init(_ row: Row) throws(DamagedRow) {
        self = try Self.table.read(row) { row throws(ColumnFault) in try ProviderIdentityRecord(of: row) }
    }

    private init(of row: Row) throws(ColumnFault) {
        account = AccountID(rawValue: UInt64(bitPattern: try row.integer(1)))
        (provider, subject) = try row.within(2) { sealed throws(ColumnFault) in
            (try sealed.text(0), try sealed.text(1))
        }
    }

    /// Fails when the identity belongs to an account already.
    static func insertion(_ provider: String, _ subject: String, of account: AccountID) -> Statement {
        let (print, row) = (print(of: provider, subject), Int64(bitPattern: account.rawValue))
        return Statement(
            "INSERT INTO provider_identities (fingerprint, account, sealed) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            print, .integer(row), .sealed([.text(provider), .text(subject)], seal, row: row, bound: [print]),
            changing: 1)
    }

    var removal: Statement {
        Statement(
            "DELETE FROM provider_identities WHERE fingerprint = ?", Self.print(of: provider, subject), changing: 1)
    }

    /// Ends that an identity signs in to an account, if it does.
    static func removal(_ identity: AccessChange.Identity, of account: AccountID) -> Statement {
        Statement(
            "DELETE FROM provider_identities WHERE fingerprint = ? AND account = ?",
            print(of: identity.provider, identity.subject), .integer(Int64(bitPattern: account.rawValue)))
    }

    /// Fails when it is linked no more.
    var check: Statement {
        Statement(
            "UPDATE provider_identities SET fingerprint = fingerprint WHERE fingerprint = ?",
            Self.print(of: provider, subject), changing: 1)
    }

    private static let byPrint = table.query("WHERE fingerprint = ?")
    private static let byAccount = table.query("WHERE account = ? ORDER BY fingerprint")

    static func query(_ provider: String, _ subject: String) -> Query { byPrint.about(print(of: provider, subject)) }

    static func query(of account: AccountID) -> Query {
        byAccount.about(.integer(Int64(bitPattern: account.rawValue)))
    }

    private static func print(of provider: String, _ subject: String) -> SQLValue {
        .fingerprint(provider + "\0" + subject, printSeal)
    }
}
