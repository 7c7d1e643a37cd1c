internal import CairnConfiguration
internal import CairnCore
internal import CairnStore
internal import CairnWire

/// A stored token, which authenticates its account. The row is found by a fingerprint that needs the key, and its seal
/// is bound to account, fingerprint and time of use: a row that is inserted, moved or aged without the key is no token.
struct TokenRecord: Sendable {
    let account: AccountID
    /// For tokens of before this was kept, when they were used last before.
    let issued: LastingTime
    /// When it was shown last, to the day.
    let used: LastingTime
    private let print: SQLValue
    /// The print, in as many bits as tell one token of an account from another.
    let mark: Int64

    private static let seal = Seal("tokens")
    private static let printSeal = Seal("tokens.hash")

    static let migration = Migration("bound-tokens-1", "ALTER TABLE tokens ADD COLUMN sealed BLOB")

    static let table = StoredTable(
        "tokens", of: .account, columns: ["hash", "account", "used", "sealed"], key: [0],
        opening: [Opening(3, seal, row: 1, bound: [0, 2])],
        references: [StoredTable.Reference(1, to: "accounts", "id")],
        conversion: StoredTable.Conversion { row throws(ColumnFault) in
            // A SHA-256 stood there; what is shorter has become a print already.
            let hash = try row.blob(0)
            guard hash.count == 32 else { return [] }
            let (account, used) = (try row.integer(1), try row.lastingTime(2))
            let print = Self.print(ofHash: hash)
            return [
                Statement(
                    "UPDATE tokens SET hash = ?, sealed = ? WHERE hash = ?", print,
                    proof(print, account: account, issued: used, used: used), .blob(hash), changing: 1)
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try TokenRecord(of: row)
        return []
    }

    /// Reads a row of the table.
    init(_ row: Row) throws(DamagedRow) {
        self = try Self.table.read(row) { row throws(ColumnFault) in try TokenRecord(of: row) }
    }

    private init(of row: Row) throws(ColumnFault) {
        let bytes = try row.blob(0)
        guard bytes.count == 16 else { throw ColumnFault(0, .outOfRange) }
        print = .blob(bytes)
        mark = Int64(bitPattern: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        account = AccountID(rawValue: UInt64(bitPattern: try row.integer(1)))
        used = try row.lastingTime(2)
        issued = try row.within(3) { sealed throws(ColumnFault) in try sealed.lastingTime(0) }
    }

    /// By this a token is found: of its SHA-256, so that tokens of before can be converted.
    static func print(ofHash hash: [UInt8]) -> SQLValue {
        .fingerprint(hash.hexadecimal, printSeal)
    }

    static func insertion(_ print: SQLValue, account: AccountID, at now: LastingTime) -> Statement {
        let row = Int64(bitPattern: account.rawValue)
        return Statement(
            "INSERT INTO tokens (hash, account, used, sealed) VALUES (?, ?, ?, ?)", print, .integer(row), .time(now),
            proof(print, account: row, issued: now, used: now), changing: 1)
    }

    /// It was shown again; one that was revoked meanwhile stays away.
    func update(used now: LastingTime) -> Statement {
        let row = Int64(bitPattern: account.rawValue)
        return Statement(
            "UPDATE tokens SET used = ?, sealed = ? WHERE hash = ? AND account = ?", .time(now),
            Self.proof(print, account: row, issued: issued, used: now), print, .integer(row))
    }

    static func expiries(before limit: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "used", isBelow: limit.milliseconds)]
    }

    private static let byPrint = table.query("WHERE hash = ?")

    static func query(_ print: SQLValue) -> Query { byPrint.about(print) }

    private static func proof(_ print: SQLValue, account: Int64, issued: LastingTime, used: LastingTime) -> SQLValue {
        .sealed([.time(issued)], seal, row: account, bound: [print, .time(used)])
    }
}

extension SignIn {
    static let migrations = [
        AccountRecord.migration, TokenRecord.migration, AppIdentityRecord.migration, SkeletonRecord.migration,
    ]
    static let tables = [
        AccountRecord.table, TokenRecord.table, AppIdentityRecord.table, EndedAppToken.table, SkeletonRecord.table,
    ]

    func expiries(now: LastingTime) -> [Expiry] {
        TokenRecord.expiries(before: now - .seconds(accounts.tokenDays * 86_400)) + EndedAppToken.expiries(now: now)
    }
}
