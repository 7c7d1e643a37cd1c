internal import CairnCore
internal import CairnCrypto
internal import CairnStore
internal import CairnWire

/// A code that a mail carries, once and for a time: it sets a new password (ACC-10), or proves an email. Only a keyed
/// print of its hash is stored (DAT-8).
struct MailedCode: Sendable {
    /// Nil = a decoy: the address was nobody's, and the same was written as for a known one.
    let account: AccountID?
    let purpose: Purpose
    let expires: LastingTime
    /// The address that the code was mailed to, in its compared form.
    let address: String
    private let print: SQLValue

    enum Purpose: String, Sendable {
        case reset, verify
    }

    private static let seal = Seal("mailed_codes")
    private static let printSeal = Seal("mailed_codes.fingerprint")

    static let migration = Migration(
        "mailed-codes-1",
        """
        CREATE TABLE mailed_codes (
            fingerprint BLOB PRIMARY KEY, account INTEGER NOT NULL, purpose TEXT NOT NULL, expires INTEGER NOT NULL,
            sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX mailed_codes_account ON mailed_codes (account, purpose)",
        "CREATE INDEX mailed_codes_expires ON mailed_codes (expires)")

    /// A decoy's account is 0, so the column refers to no table.
    static let table = StoredTable(
        "mailed_codes", of: .account, columns: ["fingerprint", "account", "purpose", "expires", "sealed"], key: [0],
        opening: [Opening(4, seal, row: 1, bound: [0, 2, 3])],
        erasure: [.atOnce(1)],
        export: .nothing(because: "codes of links, which the person has in a mail")
    ) { row throws(ColumnFault) in
        _ = try MailedCode(of: row)
        return []
    }

    /// Reads a row of the table.
    init(_ row: Row) throws(DamagedRow) {
        self = try Self.table.read(row) { row throws(ColumnFault) in try MailedCode(of: row) }
    }

    private init(of row: Row) throws(ColumnFault) {
        print = .blob(try row.blob(0))
        let id = try row.integer(1)
        account = id == 0 ? nil : AccountID(rawValue: UInt64(bitPattern: id))
        guard let purpose = Purpose(rawValue: try row.text(2)) else { throw ColumnFault(2, .outOfRange) }
        self.purpose = purpose
        expires = try row.lastingTime(3)
        address = try row.within(4) { sealed throws(ColumnFault) in try sealed.text(0) }
    }

    /// Replaces the account's codes for the purpose by a new one.
    static func replacement(
        by code: String, of account: AccountID?, for purpose: Purpose, address: String, expires: LastingTime
    ) -> [Statement] {
        let row = Int64(bitPattern: account?.rawValue ?? 0)
        let (print, expires) = (print(of: code), SQLValue.time(expires))
        let proof = SQLValue.sealed(
            [.text(address)], seal, row: row, bound: [print, .text(purpose.rawValue), expires])
        return [
            end(of: row, for: purpose),
            Statement(
                "INSERT INTO mailed_codes (fingerprint, account, purpose, expires, sealed) VALUES (?, ?, ?, ?, ?)",
                print, .integer(row), .text(purpose.rawValue), expires, proof, changing: 1),
        ]
    }

    private static func end(of row: Int64, for purpose: Purpose) -> Statement {
        Statement(
            "DELETE FROM mailed_codes WHERE account = ? AND purpose = ?", .integer(row), .text(purpose.rawValue))
    }

    /// Uses the code up; fails when it was used meanwhile.
    var use: Statement { Statement("DELETE FROM mailed_codes WHERE fingerprint = ?", print, changing: 1) }

    private static let byPrint = table.query("WHERE fingerprint = ? AND expires > ?")
    private static let byAccount = table.query("WHERE account = ? AND purpose = ? AND expires > ?")

    static func query(_ code: String, now: LastingTime) -> Query { byPrint.about(print(of: code), .time(now)) }

    /// Asks for the codes of an account that are good.
    static func query(of account: AccountID, for purpose: Purpose, now: LastingTime) -> Query {
        byAccount.about(.integer(Int64(bitPattern: account.rawValue)), .text(purpose.rawValue), .time(now))
    }

    static func expiries(now: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "expires", isBelow: now.milliseconds)]
    }

    private static func print(of code: String) -> SQLValue {
        .fingerprint(Array(SHA256.hash(data: code.utf8.prefix(128))).hexadecimal, printSeal)
    }
}
