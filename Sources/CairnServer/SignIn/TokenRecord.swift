internal import CairnConfiguration
internal import CairnCore
internal import CairnCrypto
internal import CairnStore
internal import CairnWire
internal import Foundation

/// A stored token, which authenticates its account. The row is found by a fingerprint that needs the key, and its seal
/// is bound to account, fingerprint and time of use: a row that is inserted, moved or aged without the key is no token.
struct TokenRecord: Sendable {
    let account: AccountID
    /// For tokens of before this was kept, when they were used last before. Later than the sign-in for a token that
    /// was issued anew.
    let issued: LastingTime
    let signedIn: LastingTime
    /// When it was shown last, to the day.
    let used: LastingTime
    /// What is sealed beside the time of issue; nothing for tokens of before.
    let label: TokenLabel?
    let print: SQLValue
    /// The print, in as many bits as tell one token of an account from another.
    let mark: Int64
    /// What is sealed, as it was read: a change replaces this and nothing else.
    private let stored: SQLValue

    private static let seal = Seal("tokens")
    private static let printSeal = Seal("tokens.hash")

    static let migration = Migration("bound-tokens-1", "ALTER TABLE tokens ADD COLUMN sealed BLOB")

    static let table = StoredTable(
        "tokens", of: .account, columns: ["hash", "account", "used", "sealed", "sealed AS stored"], key: [0],
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
                    proof(print, account: account, issued: used, signedIn: used, used: used, nil), .blob(hash),
                    changing: 1)
            ]
        },
        erasure: [.atOnce(1)],
        export: .rows([1]) { row, _ throws(ColumnFault) in
            let token = try TokenRecord(of: row)
            return [
                "device": .filled(token.label?.deviceName ?? ""), "frontEnd": .filled(token.label?.frontEnd ?? ""),
                "issued": .time(token.signedIn), "used": .time(token.used),
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
        (issued, signedIn, label) = try row.within(3) { sealed throws(ColumnFault) in
            let issued = try sealed.lastingTime(0)
            // Tokens of before, and those without a label, end earlier.
            let signedIn = sealed.values.count > 5 ? try sealed.lastingTime(5) : issued
            return (issued, signedIn, try TokenLabel(sealed))
        }
        stored = row.values.indices.contains(4) ? row.values[4] : .null
    }

    /// By this a token is found: of its SHA-256, so that tokens of before can be converted.
    static func print(ofHash hash: [UInt8]) -> SQLValue {
        .fingerprint(hash.hexadecimal, printSeal)
    }

    static func insertion(
        _ print: SQLValue, account: AccountID, at now: LastingTime, _ label: TokenLabel?
    ) -> Statement {
        let row = Int64(bitPattern: account.rawValue)
        return Statement(
            "INSERT INTO tokens (hash, account, used, sealed) VALUES (?, ?, ?, ?)", print, .integer(row), .time(now),
            proof(print, account: row, issued: now, signedIn: now, used: now, label), changing: 1)
    }

    /// It was shown again; one that was revoked or issued anew meanwhile stays as it is.
    func update(used now: LastingTime) -> Statement {
        let row = Int64(bitPattern: account.rawValue)
        return Statement(
            "UPDATE tokens SET used = ?, sealed = ? WHERE hash = ? AND account = ? AND sealed = ?", .time(now),
            Self.proof(print, account: row, issued: issued, signedIn: signedIn, used: now, label), print,
            .integer(row), stored)
    }

    /// Issues the same token anew: the account ends those of before. Fails when it was changed since it was read.
    func update(issued: LastingTime) -> Statement {
        let row = Int64(bitPattern: account.rawValue)
        return Statement(
            "UPDATE tokens SET sealed = ? WHERE hash = ? AND account = ? AND sealed = ?",
            Self.proof(print, account: row, issued: issued, signedIn: signedIn, used: used, label), print,
            .integer(row), stored, changing: 1)
    }

    static func expiries(before limit: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "used", isBelow: limit.milliseconds)]
    }

    /// Fails when it has ended meanwhile.
    var removal: Statement { Statement("DELETE FROM tokens WHERE hash = ?", print, changing: 1) }

    /// Fails when the sign-in has ended meanwhile.
    static func check(_ print: SQLValue, of account: AccountID) -> Statement {
        Statement(
            "UPDATE tokens SET used = used WHERE hash = ? AND account = ?", print,
            .integer(Int64(bitPattern: account.rawValue)), changing: 1)
    }

    static func removals(of account: AccountID) -> Statement {
        Statement("DELETE FROM tokens WHERE account = ?", .integer(Int64(bitPattern: account.rawValue)))
    }

    static func removals(of account: AccountID, except print: SQLValue) -> Statement {
        Statement(
            "DELETE FROM tokens WHERE account = ? AND hash <> ?", .integer(Int64(bitPattern: account.rawValue)), print)
    }

    private static let byPrint = table.query("WHERE hash = ?")
    private static let byAccount = table.query("WHERE account = ? ORDER BY used DESC, hash LIMIT ?")

    private static let besides = table.query(
        "WHERE account = (SELECT account FROM tokens WHERE hash = ?) AND hash <> ? ORDER BY used DESC, hash LIMIT ?")

    static func query(_ print: SQLValue) -> Query { byPrint.about(print) }

    /// Asks for the tokens of an account, latest used first.
    static func query(of account: AccountID, countMax: Int) -> Query {
        byAccount.about(.integer(Int64(bitPattern: account.rawValue)), .integer(Int64(countMax)))
    }

    /// Asks for the tokens of the account that has this one, without it, latest used first.
    static func query(besides print: SQLValue, countMax: Int) -> Query {
        besides.about(print, print, .integer(Int64(countMax)))
    }

    private static func proof(
        _ print: SQLValue, account: Int64, issued: LastingTime, signedIn: LastingTime, used: LastingTime,
        _ label: TokenLabel?
    ) -> SQLValue {
        let labelled = label.map { $0.values + (signedIn == issued ? [] : [.time(signedIn)]) }
        return .sealed([.time(issued)] + (labelled ?? []), seal, row: account, bound: [print, .time(used)])
    }
}

/// What a token's row says of the sign-in that made it.
struct TokenLabel: Hashable, Sendable {
    /// The token in the list of devices.
    let name: TokenName
    /// The device by its key; nil = it has none.
    let device: TokenName?
    let deviceName: String
    let frontEnd: String

    init(name: TokenName, device: TokenName?, deviceName: String, frontEnd: String) {
        self.name = name
        self.device = device
        self.deviceName = deviceName
        self.frontEnd = frontEnd
    }

    /// Reads what stands behind the time of issue; nil = nothing.
    init?(_ sealed: Row) throws(ColumnFault) {
        guard sealed.values.count > 1 else { return nil }
        name = TokenName(rawValue: UInt64(bitPattern: try sealed.integer(1)))
        device = try sealed.integerIfAny(2).map { TokenName(rawValue: UInt64(bitPattern: $0)) }
        (deviceName, frontEnd) = (try sealed.text(3), try sealed.text(4))
    }

    var values: [SQLValue] {
        [
            .integer(Int64(bitPattern: name.rawValue)),
            device.map { .integer(Int64(bitPattern: $0.rawValue)) } ?? .null, .text(deviceName), .text(frontEnd),
        ]
    }
}

/// Names a token, or a device's key, among those of one account: 64 bits of its hash, which lead nobody to the secret.
struct TokenName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(of secret: String) {
        rawValue = SHA256.hash(data: secret.utf8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads `description`.
    init?(_ text: String) {
        guard text.utf8.count == 16, let value = UInt64(text, radix: 16) else { return nil }
        rawValue = value
    }

    /// 16 hexadecimal digits.
    var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
