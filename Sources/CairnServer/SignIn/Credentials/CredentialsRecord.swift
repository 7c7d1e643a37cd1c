internal import CairnCore
internal import CairnNames
internal import CairnStore
internal import CairnWire

/// What an account signs in with, beside its tokens: email, password, one-time codes, and what its sign-up agreed
/// to (ACC-1 to ACC-10, CMP-1). An account without a row has none of it: an open one, or one of an app's backend.
///
/// Everything is sealed. An email is found by a keyed print of its compared form, which is bound to the account.
struct CredentialsRecord: Equatable, Sendable {
    let account: AccountID
    /// Nil: the account came by a provider that told no email.
    var email: Email?
    /// A new email that is not verified yet.
    var pendingEmail: EmailAddress?
    /// In the PHC string format; empty = none.
    var password = ""
    var passwordChanged: WallTime?
    var consent = Consent(version: "", at: .epoch)
    /// Front end of the sign-up.
    var frontEnd = ""
    var oneTime: OneTime?
    /// What is sealed, as it was read: a change replaces this and nothing else.
    private let stored: SQLValue

    struct Email: Equatable, Sendable {
        var address: EmailAddress
        var since: WallTime
        /// Nil = nobody has proved yet that it is theirs.
        var verified: WallTime?
    }

    /// CMP-1.
    struct Consent: Equatable, Sendable {
        var version: String
        var at: WallTime
    }

    /// One-time codes (ACC-8).
    struct OneTime: Equatable, Sendable {
        var secret: [UInt8]
        /// Time step of the latest code that was accepted; no code of it or of an earlier one is again.
        var lastStep: Int64
        /// Whether they are asked for.
        var isOn: Bool
        /// Hashes of the recovery codes that are left.
        var recoveryHashes: [[UInt8]]
    }

    private static let seal = Seal("credentials")
    private static let emailSeal = Seal("credentials.email")

    static let migration = Migration(
        "credentials-1",
        """
        CREATE TABLE credentials (
            account INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE, email BLOB UNIQUE,
            sealed BLOB NOT NULL
        ) STRICT
        """)

    static let table = StoredTable(
        "credentials", of: .account, columns: ["account", "email", "sealed", "sealed AS stored"], key: [0],
        opening: [Opening(2, seal, row: 0, bound: [1])], fingerprints: [1],
        references: [StoredTable.Reference(0, to: "accounts", "id")],
        erasure: [.atOnce(0)],
        export: .rows([0]) { row, _ throws(ColumnFault) in
            let record = try CredentialsRecord(of: row)
            return [
                "email": .filled(record.email?.address.text ?? ""), "emailSince": .time(record.email?.since),
                "emailVerified": .time(record.email?.verified),
                "pendingEmail": .filled(record.pendingEmail?.text ?? ""),
                "hasPassword": .flag(!record.password.isEmpty), "passwordChanged": .time(record.passwordChanged),
                "policyVersion": .filled(record.consent.version), "policyAgreed": .time(record.consent.at),
                "frontEnd": .filled(record.frontEnd), "asksForCodes": .flag(record.oneTime?.isOn == true),
            ]
        }, isKeptTwice: true
    ) { row throws(ColumnFault) in
        let record = try CredentialsRecord(of: row)
        return [StoredTable.Derived(1, record.print)]
    }

    /// A new one.
    init(account: AccountID) {
        self.account = account
        stored = .null
    }

    /// Reads a row of the table.
    init(_ row: Row) throws(DamagedRow) {
        self = try Self.table.read(row) { row throws(ColumnFault) in try CredentialsRecord(of: row) }
    }

    private init(of row: Row) throws(ColumnFault) {
        account = AccountID(rawValue: UInt64(bitPattern: try row.integer(0)))
        stored = .blob(try row.blob(3))
        do throws(ColumnFault) {
            try read(try row.opened(2))
        } catch {
            throw ColumnFault(2, error.cause)
        }
    }

    private mutating func read(_ sealed: Row) throws(ColumnFault) {
        let (text, pending) = (try sealed.text(0), try sealed.text(3))
        if !text.isEmpty {
            email = Email(
                address: try Self.address(text, 0), since: try sealed.wallTime(1), verified: try sealed.wallTimeIfAny(2)
            )
        }
        if !pending.isEmpty { pendingEmail = try Self.address(pending, 3) }
        password = try sealed.text(4)
        passwordChanged = try sealed.wallTimeIfAny(5)
        consent = Consent(version: try sealed.text(6), at: try sealed.wallTime(7))
        frontEnd = try sealed.text(8)
        let secret = try sealed.blob(9)
        guard !secret.isEmpty else { return }
        var hashes: [[UInt8]] = []
        for column in 12..<max(12, sealed.values.count) { hashes.append(try sealed.blob(column)) }
        oneTime = OneTime(
            secret: secret, lastStep: try sealed.integer(10), isOn: try sealed.integer(11, in: 0...1) == 1,
            recoveryHashes: hashes)
    }

    private static func address(_ text: String, _ column: Int) throws(ColumnFault) -> EmailAddress {
        guard let address = EmailAddress(stored: text) else { throw ColumnFault(column, .unreadable) }
        return address
    }

    // MARK: Statements and queries

    private var row: Int64 { Int64(bitPattern: account.rawValue) }

    private var print: SQLValue { email.map { Self.print(of: $0.address) } ?? .null }

    private static func print(of address: EmailAddress) -> SQLValue { .fingerprint(address.folded, emailSeal) }

    private var sealed: SQLValue {
        func time(_ time: WallTime?) -> SQLValue { time.map { .time($0) } ?? .null }
        let values: [SQLValue] = [
            .text(email?.address.text ?? ""), .time(email?.since ?? .epoch), time(email?.verified),
            .text(pendingEmail?.text ?? ""), .text(password), time(passwordChanged), .text(consent.version),
            .time(consent.at), .text(frontEnd), .blob(oneTime?.secret ?? []), .integer(oneTime?.lastStep ?? 0),
            .integer(oneTime?.isOn == true ? 1 : 0),
        ]
        return .sealed(
            values + (oneTime?.recoveryHashes ?? []).map { .blob($0) }, Self.seal, row: row, bound: [print])
    }

    /// Inserts a new row. When another account has the email it changes no row, which fails the unit.
    var insertion: Statement {
        Statement(
            "INSERT INTO credentials (account, email, sealed) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", .integer(row),
            print, sealed, changing: 1)
    }

    /// Keeps what was changed; fails when something else has changed it since it was read, or has the email.
    var update: Statement {
        Statement(
            "UPDATE OR IGNORE credentials SET email = ?, sealed = ? WHERE account = ? AND sealed = ?", print, sealed,
            .integer(row), stored, changing: 1)
    }

    private static let byAccount = table.query("WHERE account = ?")
    private static let byEmail = table.query("WHERE email = ?")
    private static let byName = table.query("WHERE account = (SELECT id FROM accounts WHERE folded_name = ?)")
    private static let byFormerName = table.query(
        "WHERE account = (SELECT account FROM reserved_names WHERE fingerprint = ? AND until > ?)")

    static func query(_ account: AccountID) -> Query { byAccount.about(.integer(Int64(bitPattern: account.rawValue))) }

    static func query(_ email: EmailAddress) -> Query { byEmail.about(print(of: email)) }

    /// - Parameter namePrint: `AccountRecord.print(ofName:)`.
    static func query(namePrint: SQLValue) -> Query { byName.about(namePrint) }

    /// Asks for those of the account that a name is reserved for.
    static func query(former name: Username, now: LastingTime) -> Query {
        byFormerName.about(ReservedName.print(of: name), .time(now))
    }
}
