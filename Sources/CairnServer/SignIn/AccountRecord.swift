internal import CairnCore
internal import CairnStore
internal import CairnWire

/// The row of an account. Role, creation and the name by which it is found are bound to its sealed value; the tokens
/// that were revoked are sealed, so that the row of a revoked token is recognised when it is put back.
struct AccountRecord: Sendable {
    let id: AccountID
    var name: String
    var role: Role
    let created: WallTime
    private var foldedName: SQLValue
    /// Tokens that were issued until then are no longer good.
    private(set) var tokensEndedUntil: LastingTime
    private var revocations: [Revocation]
    /// Since when operators have it suspended, as its row of `suspensions` says too: neither row alone is enough to be
    /// let in. Nil = it is not, or its row is from before this note.
    var suspended: WallTime?
    /// What is sealed, as it was read: a change replaces this and nothing else.
    private let stored: SQLValue

    /// A token that is no longer good, for as long as it could be.
    private struct Revocation: Sendable {
        let mark: Int64
        let issued: LastingTime
        let at: LastingTime

        var values: [SQLValue] { [.integer(mark), .time(issued), .time(at)] }
    }

    /// Revoked tokens that are remembered one by one. Beyond it every token that was issued as early as the older half
    /// of them has ended, but those that are good: they are issued anew.
    private static let revocationsMax = 100

    private static let seal = Seal("accounts")
    private static let nameSeal = Seal("accounts.folded_name")

    static let migration = Migration(
        "sealed-accounts-1",
        """
        CREATE TABLE accounts (
            id INTEGER PRIMARY KEY, folded_name BLOB NOT NULL UNIQUE, role TEXT NOT NULL, created INTEGER NOT NULL,
            sealed BLOB NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE tokens (
            hash BLOB PRIMARY KEY, account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            used INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX tokens_account ON tokens (account)",
        "CREATE INDEX tokens_used ON tokens (used)")

    /// The last column is the sealed one as it stands: by it a change sees whether another was faster.
    static let table = StoredTable(
        "accounts", of: .account, columns: ["id", "folded_name", "role", "created", "sealed", "sealed AS stored"],
        key: [0],
        opening: [Opening(4, seal, row: 0, bound: [1, 2, 3])],
        conversion: StoredTable.Conversion(opening: Opening(4, seal, row: 0)) { row throws(ColumnFault) in
            let id = try row.integer(0)
            let name = try row.within(4) { sealed throws(ColumnFault) in try sealed.text(0) }
            let bound: [SQLValue] = [
                .blob(try row.blob(1)), .text(try row.text(2)), .time(try row.wallTime(3)),
            ]
            return [
                Statement(
                    "UPDATE accounts SET sealed = ? WHERE id = ?",
                    .sealed([.text(name), .integer(0)], seal, row: id, bound: bound), .integer(id), changing: 1)
            ]
        },
        erasure: [.last],
        export: .rows([0]) { row, view throws(ColumnFault) in
            let account = try AccountRecord(of: row)
            return [
                "account": view.name(of: account.id), "name": .text(account.name), "role": .text(account.role.rawValue),
                "created": .time(account.created),
            ]
        },
        isKeptTwice: true,
        counterpart: StoredTable.Counterpart(StoredTable.Reference(0, to: "suspensions", "account")) {
            row throws(ColumnFault) in
            try AccountRecord(of: row).suspended != nil
        }
    ) { row throws(ColumnFault) in
        _ = try AccountRecord(of: row)
        return []
    }

    /// A new one.
    init(id: AccountID, name: String, foldedName: String, now: WallTime) {
        self.id = id
        self.name = name
        role = .general
        created = now
        self.foldedName = .fingerprint(foldedName, Self.nameSeal)
        tokensEndedUntil = .epoch
        revocations = []
        suspended = nil
        stored = .null
    }

    /// Reads a row of the table.
    init(_ row: Row) throws(DamagedRow) {
        self = try Self.table.read(row) { row throws(ColumnFault) in try AccountRecord(of: row) }
    }

    /// Reads a row of a page.
    init(stored row: Row) throws(ColumnFault) { try self.init(of: row) }

    private init(of row: Row) throws(ColumnFault) {
        id = AccountID(rawValue: UInt64(bitPattern: try row.integer(0)))
        foldedName = .blob(try row.blob(1))
        // No account has the role of a guest, and an unknown text is no role.
        guard let role = Role(rawValue: try row.text(2)), role != .guest else { throw ColumnFault(2, .outOfRange) }
        self.role = role
        created = try row.wallTime(3)
        (name, tokensEndedUntil, revocations, suspended) = try row.within(4) { sealed throws(ColumnFault) in
            // A name, a time, three values for each revoked token, and one more for a suspension.
            let count = sealed.values.count
            let isNoted = count.isMultiple(of: 3)
            var revocations: [Revocation] = []
            for first in stride(from: 2, to: isNoted ? count - 1 : count, by: 3) {
                revocations.append(
                    Revocation(
                        mark: try sealed.integer(first),
                        issued: LastingTime(milliseconds: try sealed.integer(first + 1)),
                        at: LastingTime(milliseconds: try sealed.integer(first + 2))))
            }
            let suspended = isNoted ? WallTime(milliseconds: try sealed.integer(count - 1)) : nil
            return (try sealed.text(0), LastingTime(milliseconds: try sealed.integer(1)), revocations, suspended)
        }
        stored = .blob(try row.blob(5))
    }

    /// Gives the account another name.
    mutating func rename(to name: String, foldedName: String) {
        self.name = name
        self.foldedName = .fingerprint(foldedName, Self.nameSeal)
    }

    /// The account is being deleted: nothing finds it any more, and nothing signs in to it. The row stays until
    /// everything that refers to it is gone.
    mutating func close(at now: LastingTime) {
        // No name has a zero byte.
        rename(to: "", foldedName: "\0closed \(id)")
        role = .general
        suspended = nil
        endTokens(issuedUntil: now)
    }

    /// Whether it is being deleted.
    var isClosed: Bool { name.isEmpty }

    // MARK: Tokens

    /// Whether a token of this account is still good, as far as the account knows.
    func admits(_ token: TokenRecord) -> Bool {
        guard !isClosed, token.account == id else { return false }
        return token.issued > tokensEndedUntil && !revocations.contains { $0.mark == token.mark }
    }

    /// Remembers that a token is no longer good, until it would have ended by itself.
    /// - Parameter tokens: those of the account that are stored.
    /// - Returns: what keeps the good ones among them good, in the unit of the change.
    mutating func revoke(
        _ token: TokenRecord, among tokens: [TokenRecord], at now: LastingTime, tokenDays: Int
    ) -> [Statement] {
        let limit = now - .seconds(tokenDays * 86_400)
        revocations.removeAll { $0.at < limit }
        guard !revocations.contains(where: { $0.mark == token.mark }) else { return [] }
        revocations.append(Revocation(mark: token.mark, issued: token.issued, at: now))
        guard revocations.count > Self.revocationsMax else { return [] }
        let end = revocations.map(\.issued).sorted()[revocations.count / 2]
        let kept = tokens.filter { admits($0) && $0.issued <= end }
        endTokens(issuedUntil: end)
        return kept.map { $0.update(issued: end + .milliseconds(1)) }
    }

    /// Tokens that were issued until then are no longer good: signing out everywhere.
    mutating func endTokens(issuedUntil time: LastingTime) {
        tokensEndedUntil = max(tokensEndedUntil, time)
        revocations.removeAll { $0.issued <= tokensEndedUntil }
    }

    // MARK: Statements and queries

    private var row: Int64 { Int64(bitPattern: id.rawValue) }

    private var sealed: SQLValue {
        .sealed(
            [.text(name), .time(tokensEndedUntil)] + revocations.flatMap(\.values)
                + (suspended.map { [.time($0)] } ?? []), Self.seal, row: row,
            bound: [foldedName, .text(role.rawValue), .time(created)])
    }

    /// Inserts a new account. When another account has its name it changes no row, which fails the unit.
    var insertion: Statement {
        Statement(
            """
            INSERT INTO accounts (id, folded_name, role, created, sealed) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (folded_name) DO NOTHING
            """,
            .integer(row), foldedName, .text(role.rawValue), .time(created), sealed, changing: 1)
    }

    /// Keeps what was changed; fails when something else has changed it since it was read, or has the name.
    var update: Statement {
        Statement(
            "UPDATE OR IGNORE accounts SET folded_name = ?, role = ?, sealed = ? WHERE id = ? AND sealed = ?",
            foldedName, .text(role.rawValue), sealed, .integer(row), stored, changing: 1)
    }

    /// Fails when something else has changed it since it was read.
    var check: Statement {
        Statement(
            "UPDATE accounts SET role = role WHERE id = ? AND sealed = ?", .integer(row), stored, changing: 1)
    }

    private static let byID = table.query("WHERE id = ?")
    private static let byName = table.query("WHERE folded_name = ?")
    private static let byAppIdentity = table.query(
        "WHERE id = (SELECT account FROM app_identities WHERE fingerprint = ?)")
    private static let byToken = table.query("WHERE id = (SELECT account FROM tokens WHERE hash = ?)")

    private static let bySkeleton = table.query(
        """
        WHERE id IN (SELECT account FROM name_skeletons WHERE fingerprint = ?)
        AND id NOT IN (SELECT account FROM app_identities) ORDER BY id LIMIT 16
        """)
    private static let ofApps = table.query(
        "WHERE id > ? AND id IN (SELECT account FROM app_identities) ORDER BY id LIMIT ?")

    private static let byAge = table.query("WHERE id > ? ORDER BY id LIMIT ?")
    private static let newest = table.query("WHERE id < ? ORDER BY id DESC LIMIT ?")
    private static let newestOfRole = table.query("WHERE role = ? AND id < ? ORDER BY id DESC LIMIT ?")
    private static let activeAdmins = table.query(
        """
        WHERE role = 'admin' AND id != ? AND id NOT IN (SELECT account FROM suspensions) ORDER BY id LIMIT ?
        """)

    /// A page of all accounts, in the order of their ids.
    static func query(after id: AccountID, rowsMax: Int) -> Query {
        byAge.about(.integer(Int64(bitPattern: id.rawValue)), .integer(Int64(rowsMax)))
    }

    /// Accounts with ids below one, the newest first.
    /// - Parameter role: of these alone; nil = of all.
    static func query(below id: Int64, role: Role?, rowsMax: Int) -> Query {
        guard let role else { return newest.about(.integer(id), .integer(Int64(rowsMax))) }
        return newestOfRole.about(.text(role.rawValue), .integer(id), .integer(Int64(rowsMax)))
    }

    /// Admins who are not suspended.
    static func query(ofAdminsExcept id: AccountID, rowsMax: Int) -> Query {
        activeAdmins.about(.integer(Int64(bitPattern: id.rawValue)), .integer(Int64(rowsMax)))
    }

    /// Fails unless the account is an admin who is not suspended.
    static func adminCheck(_ id: AccountID) -> Statement {
        Statement(
            """
            UPDATE accounts SET role = role
            WHERE id = ? AND role = 'admin' AND id NOT IN (SELECT account FROM suspensions)
            """,
            .integer(Int64(bitPattern: id.rawValue)), changing: 1)
    }

    static func query(_ id: AccountID) -> Query { byID.about(.integer(Int64(bitPattern: id.rawValue))) }

    static func query(named foldedName: String) -> Query { byName.about(print(ofName: foldedName)) }

    /// By this a name is found.
    static func print(ofName foldedName: String) -> SQLValue { .fingerprint(foldedName, nameSeal) }

    /// The account of an identity at an app's backend, by the identity's print.
    static func query(ofAppIdentity print: SQLValue) -> Query { byAppIdentity.about(print) }

    /// The oldest accounts whose names have a skeleton, by its print. Nobody signs in to an app's by its name.
    static func query(ofSkeleton print: SQLValue) -> Query { bySkeleton.about(print) }

    /// Accounts whose names are compared with others, a page at a time in the order of their ids.
    /// - Parameter ofAppsAlone: those alone for whom an app's backend vouches.
    static func query(namedAfter id: Int64, ofAppsAlone: Bool, rowsMax: Int) -> Query {
        (ofAppsAlone ? ofApps : byAge).about(.integer(id), .integer(Int64(rowsMax)))
    }

    /// The account of a token, by the token's print.
    static func query(ofToken print: SQLValue) -> Query { byToken.about(print) }
}
