package import CairnCore
internal import CairnStore
package import CairnWire

/// Marks the type `AuditID`; it has no values.
package enum AuditTag {}
/// Names an entry of the audit log, for ever.
package typealias AuditID = Identifier<AuditTag>

/// An entry of the audit log: who did what to whose account, when and why (ROL-5).
///
/// It is written in the transaction of the change that it is about. The server never changes an entry, and deletes it
/// only when its time is over. An entry outlives its account.
package struct AuditRecord: Sendable {
    package let id: AuditID
    /// Whose account it is about; nil = an organisation as a whole, a tour, or the ledger.
    package let account: AccountID?
    package let author: AccountAuthor
    package let action: Action
    /// The role before and after; the same for all but a change of the role.
    package let from: Role
    package let to: Role
    /// The organisation that the account joins or leaves, or that it is about; nil = none.
    package let organisation: OrganisationID?
    /// As it is stored: `words`, behind the id of `subject` if there is one.
    package let reason: String
    package let at: WallTime

    package enum Action: String, Sendable, CaseIterable {
        case role, suspend, reinstate
        case signOut = "sign_out"
        /// The role of the first admin, which no admin can give.
        case firstAdmin = "first_admin"
        /// A request for an organisation account was accepted or denied.
        case organisationAccept = "organisation_accept"
        case organisationDeny = "organisation_deny"
        /// A member has left, or was removed by others.
        case organisationLeave = "organisation_leave"
        case organisationRemove = "organisation_remove"
        case organisationSuspend = "organisation_suspend"
        case organisationReinstate = "organisation_reinstate"
        /// Ad revenue was entered in the ledger.
        case ledgerRevenue = "ledger_revenue"
        /// A purchase of the account was paid back.
        case purchaseRefund = "purchase_refund"
        /// An operator has filled, withdrawn or deleted a tour of the organisation.
        case tourImport = "tour_import"
        case tourWithdraw = "tour_withdraw"
        case tourDelete = "tour_delete"
        /// An operator has closed the account's connections and ended their sign-in.
        case kick
        /// An operator has removed an instance or a post.
        case instanceRemove = "instance_remove"
        /// An operator or an admin has searched people by name, or looked at one. The reason has ids and no names.
        case lookUp = "look_up"
        /// Wrong credentials at the operators' door. The server itself enters them, at most once an hour; the reason
        /// has their number and the addresses.
        case wrongCredentials = "wrong_credentials"

        /// What such entries are about beside accounts and organisations; nil = nothing.
        fileprivate var subject: Subject? {
            switch self {
            case .instanceRemove: .thing
            case .tourImport, .tourWithdraw, .tourDelete: .tour
            case .purchaseRefund: .purchase
            default: nil
            }
        }
    }

    /// Kinds of what has no column of its own: the stored reason begins with its id.
    package enum Subject: Sendable { case thing, tour, purchase }

    /// What the entry is about beside an account and an organisation; nil = nothing.
    package var subject: (kind: Subject, id: String)? {
        guard let kind = action.subject else { return nil }
        let id = reason.prefix { $0 != " " }
        return id.isEmpty ? nil : (kind: kind, id: String(id))
    }

    /// The author's words; empty = they gave none. The end of a suspension and the price of a refund stand before them,
    /// and `lookUp` and `wrongCredentials` say what was done.
    package var words: String {
        guard let subject else { return reason }
        return String(reason.dropFirst(subject.id.count).drop { $0 == " " })
    }

    /// The reason of a suspension. Its end is in the audit log, too.
    static func reason(of suspension: String, until end: WallTime?) -> String {
        guard let end else { return suspension }
        return "until \(end.words)" + (suspension.isEmpty ? "" : ": \(suspension)")
    }

    init(
        id: AuditID, account: AccountID?, author: AccountAuthor, action: Action, from: Role, to: Role,
        organisation: OrganisationID? = nil, reason: String, at: WallTime
    ) {
        self.id = id
        self.account = account
        self.author = author
        self.action = action
        self.from = from
        self.to = to
        self.organisation = organisation
        self.reason = reason
        self.at = at
    }

    // MARK: Storage

    private static let seal = Seal("audit")

    static let migration = Migration(
        "audit-1",
        """
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY, account INTEGER NOT NULL, written INTEGER NOT NULL, sealed BLOB NOT NULL
        ) STRICT
        """,
        "CREATE INDEX audit_account ON audit (account)", "CREATE INDEX audit_written ON audit (written)",
        // Admins are counted, and accounts listed by their role.
        "CREATE INDEX accounts_role ON accounts (role)")

    /// `written` is a lasting time: a clock that is set does not shorten how long an entry is kept.
    static let table = StoredTable(
        "audit", of: .world, columns: ["id", "account", "written", "sealed"], key: [0],
        opening: [Opening(3, seal, row: 0, bound: [1, 2])],
        erasure: [.kept(because: "the audit log has ids and no names, for accounts.auditDays (ROL-6)")],
        export: .rows([1]) { row, _ throws(ColumnFault) in
            let entry = try AuditRecord(of: row)
            return [
                "action": .text(entry.action.rawValue), "from": .text(entry.from.rawValue),
                "to": .text(entry.to.rawValue),
                "about": .filled(entry.subject?.id ?? ""), "reason": .filled(entry.words), "at": .time(entry.at),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try AuditRecord(of: row)
        return []
    }

    private init(of row: Row) throws(ColumnFault) {
        let (id, account) = (try row.integer(0), try row.integer(1))
        _ = try row.lastingTime(2)
        self = try row.within(3) { sealed throws(ColumnFault) in
            // Entries of before organisations end with the time.
            let organisation = sealed.values.count > 7 ? try sealed.integerIfAny(7) : nil
            return AuditRecord(
                id: AuditID(rawValue: UInt64(bitPattern: id)),
                account: account == 0 ? nil : AccountID(rawValue: UInt64(bitPattern: account)),
                author: try AccountAuthor(sealed, at: 0),
                action: try Self.value(sealed, 2), from: try Self.value(sealed, 3), to: try Self.value(sealed, 4),
                organisation: organisation.map { OrganisationID(rawValue: UInt64(bitPattern: $0)) },
                reason: try sealed.text(5), at: try sealed.wallTime(6))
        }
    }

    private static func value<Value: RawRepresentable<String>>(
        _ row: Row, _ column: Int
    ) throws(ColumnFault) -> Value {
        guard let value = Value(rawValue: try row.text(column)) else { throw ColumnFault(column, .outOfRange) }
        return value
    }

    /// - Parameter now: the lasting time.
    func insertion(at now: LastingTime) -> Statement {
        let (row, account) = (
            Int64(bitPattern: id.rawValue), SQLValue.integer(Int64(bitPattern: account?.rawValue ?? 0))
        )
        let values: [SQLValue] =
            author.values + [
                .text(action.rawValue), .text(from.rawValue), .text(to.rawValue), .text(reason), .time(at),
                organisation.map { .integer(Int64(bitPattern: $0.rawValue)) } ?? .null,
            ]
        return Statement(
            "INSERT INTO audit (id, account, written, sealed) VALUES (?, ?, ?, ?)", .integer(row), account, .time(now),
            .sealed(values, Self.seal, row: row, bound: [account, .time(now)]), changing: 1)
    }

    private static let newest = table.query("WHERE id < ? ORDER BY id DESC LIMIT ?")
    private static let newestOfAccount = table.query("WHERE account = ? AND id < ? ORDER BY id DESC LIMIT ?")

    /// Asks for the newest entries.
    /// - Parameters:
    ///   - account: about this one alone; nil = about all.
    ///   - entry: older than this one; nil = the newest of all.
    static func query(of account: AccountID?, below entry: AuditID?, countMax: Int) -> Query {
        let bound = SQLValue.integer(entry.map { Int64(bitPattern: $0.rawValue) } ?? .max)
        guard let account else { return newest.about(bound, .integer(Int64(countMax))) }
        return newestOfAccount.about(
            .integer(Int64(bitPattern: account.rawValue)), bound, .integer(Int64(countMax)))
    }

    /// Reads the rows of `query(of:below:countMax:)`. Damaged rows are added to `damage` and left out.
    static func records(in rows: [Row], into damage: inout [DamagedRow]) -> [AuditRecord] {
        rows.read(as: table, into: &damage) { row throws(ColumnFault) in try AuditRecord(of: row) }
    }

    static func newestIdentifier(below bound: SQLValue) -> Query {
        Query("SELECT coalesce(max(id), 0) FROM audit WHERE id < ?", bound)
    }

    static func expiries(before limit: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "written", isBelow: limit.milliseconds)]
    }
}

/// The author of a change of an account: an operator, an admin, or a member of an organisation, who leaves it or
/// removes another member.
package enum AccountAuthor: Hashable, Sendable {
    /// By the number of the connection, as the log names it: entries of before operators were named.
    case `operator`(UInt64)
    case admin(AccountID)
    case member(AccountID)
    /// An operator by who they are: the user of the machine at the stats socket, or the way in and the address of who
    /// came over a listener.
    case named(String)

    /// What the server does by itself.
    package static let server = AccountAuthor.named("the server")

    /// Reads the two columns of `values`.
    init(_ sealed: Row, at column: Int) throws(ColumnFault) {
        let kind = try sealed.integer(column, in: 0...3)
        if kind == 3 {
            self = .named(try sealed.text(column + 1))
            return
        }
        let number = UInt64(bitPattern: try sealed.integer(column + 1))
        switch kind {
        case 0: self = .operator(number)
        case 1: self = .admin(AccountID(rawValue: number))
        default: self = .member(AccountID(rawValue: number))
        }
    }

    var values: [SQLValue] {
        switch self {
        case .operator(let number): [.integer(0), .integer(Int64(bitPattern: number))]
        case .admin(let account): [.integer(1), .integer(Int64(bitPattern: account.rawValue))]
        case .member(let account): [.integer(2), .integer(Int64(bitPattern: account.rawValue))]
        case .named(let name): [.integer(3), .text(name)]
        }
    }
}
