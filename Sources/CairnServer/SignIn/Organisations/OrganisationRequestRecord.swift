package import CairnCore
internal import CairnStore
package import CairnWire

/// Marks the type `OrganisationRequestID`; it has no values.
package enum OrganisationRequestTag {}
/// Names a request for an organisation account, for ever.
package typealias OrganisationRequestID = Identifier<OrganisationRequestTag>

/// A request for an organisation account (ORG-1). When it is decided the justification goes and the outcome stays for
/// a while, so that a second admin learns that it was decided (ORG-2) and the person reads why it was denied (ORG-3).
package struct OrganisationRequestRecord: Hashable, Sendable {
    package let id: OrganisationRequestID
    package let account: AccountID
    package let name: OrganisationName
    package private(set) var justification: String
    package let at: WallTime
    package private(set) var state = State.open
    /// Why it was denied.
    package private(set) var reason = ""

    package enum State: String, Sendable {
        case open, accepted, denied
        /// By the person, or void because the account got another role.
        case withdrawn
    }

    /// Longest justification, in characters.
    static let justificationCharactersMax = 2_000

    private static let seal = Seal("organisation_requests")

    static let table = StoredTable(
        "organisation_requests", of: .account, columns: ["id", "account", "decided", "sealed"], key: [0],
        opening: [Opening(3, seal, row: 0, bound: [1])], references: [StoredTable.Reference(1, to: "accounts", "id")],
        erasure: [.atOnce(1)],
        export: .rows([1]) { row, _ throws(ColumnFault) in
            let request = try OrganisationRequestRecord(of: row)
            return [
                "organisation": .text(request.name.text), "justification": .filled(request.justification),
                "at": .time(request.at), "state": .text(request.state.rawValue), "reason": .filled(request.reason),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try OrganisationRequestRecord(of: row)
        return []
    }

    init(
        id: OrganisationRequestID, account: AccountID, name: OrganisationName, justification: String, at: WallTime
    ) {
        (self.id, self.account, self.name, self.justification, self.at) = (id, account, name, justification, at)
    }

    /// Reads a row of the table.
    init(_ row: Row) throws(DamagedRow) {
        self = try Self.table.read(row) { row throws(ColumnFault) in try OrganisationRequestRecord(of: row) }
    }

    private init(of row: Row) throws(ColumnFault) {
        id = OrganisationRequestID(rawValue: UInt64(bitPattern: try row.integer(0)))
        account = AccountID(rawValue: UInt64(bitPattern: try row.integer(1)))
        let decided = try row.integerIfAny(2)
        (name, justification, at, state, reason) = try row.within(3) { sealed throws(ColumnFault) in
            guard let state = State(rawValue: try sealed.text(3)) else { throw ColumnFault(3, .outOfRange) }
            return (
                OrganisationName(try sealed.text(0)), try sealed.text(1), try sealed.wallTime(2), state,
                try sealed.text(4)
            )
        }
        // The column finds the row; what is sealed says how it stands.
        guard (decided == nil) == (state == .open) else { throw ColumnFault(2, .outOfRange) }
    }

    private var sealed: SQLValue {
        .sealed(
            [.text(name.text), .text(justification), .time(at), .text(state.rawValue), .text(reason)], Self.seal,
            row: Self.integer(id), bound: [.integer(Self.integer(account))])
    }

    private static func integer<Tag>(_ id: Identifier<Tag>) -> Int64 { Int64(bitPattern: id.rawValue) }

    // MARK: Statements and queries

    /// Fails when the account has an open request.
    var insertion: Statement {
        Statement(
            "INSERT OR IGNORE INTO organisation_requests (id, account, decided, sealed) VALUES (?, ?, NULL, ?)",
            .integer(Self.integer(id)), .integer(Self.integer(account)), sealed, changing: 1)
    }

    /// Decides it; fails when it is no longer open.
    func decision(_ state: State, because reason: String = "", at now: LastingTime) -> Statement {
        var decided = self
        (decided.state, decided.reason, decided.justification) = (state, reason, "")
        return Statement(
            "UPDATE organisation_requests SET decided = ?, sealed = ? WHERE id = ? AND decided IS NULL", .time(now),
            decided.sealed, .integer(Self.integer(id)), changing: 1)
    }

    /// Deletes the account's open request, whose row is damaged; fails when it is no longer open.
    static func removal(ofDamagedBy account: AccountID) -> Statement {
        Statement(
            "DELETE FROM organisation_requests WHERE account = ? AND decided IS NULL", .integer(integer(account)),
            changing: 1)
    }

    /// Fails when the account has an open request.
    static func noneOpenCheck(of account: AccountID) -> Statement {
        Statement(
            "UPDATE organisation_requests SET decided = NULL WHERE account = ? AND decided IS NULL",
            .integer(integer(account)), changing: 0)
    }

    private static let byID = table.query("WHERE id = ?")
    private static let openOfAccount = table.query("WHERE account = ? AND decided IS NULL")
    private static let newestOfAccount = table.query("WHERE account = ? ORDER BY id DESC LIMIT 1")
    private static let open = table.query("WHERE decided IS NULL AND id > ? ORDER BY id LIMIT ?")

    static func query(_ id: OrganisationRequestID) -> Query { byID.about(.integer(integer(id))) }

    /// Query for the account's open request.
    static func query(openOf account: AccountID) -> Query { openOfAccount.about(.integer(integer(account))) }

    /// Query for the account's newest request, open or not.
    static func query(newestOf account: AccountID) -> Query { newestOfAccount.about(.integer(integer(account))) }

    /// Query for open requests, the oldest first.
    static func query(openAfter id: OrganisationRequestID?, rowsMax: Int) -> Query {
        open.about(.integer(id.map(integer) ?? 0), .integer(Int64(rowsMax)))
    }

    /// Query for the number of open requests.
    static let openCount = Query("SELECT count(*) FROM organisation_requests WHERE decided IS NULL")

    static func newestIdentifier(below bound: SQLValue) -> Query {
        Query("SELECT coalesce(max(id), 0) FROM organisation_requests WHERE id < ?", bound)
    }

    /// Of decided ones alone: an open one has no time there.
    static func expiries(before limit: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "decided", isBelow: limit.milliseconds)]
    }
}
