internal import CairnCore
internal import CairnStore
package import CairnWire

/// A member of an organisation: an account with the role organisation belongs to exactly one (ROL-3), so the account
/// is the key.
package struct OrganisationMember: Hashable, Sendable {
    package let account: AccountID
    package let organisation: OrganisationID
    let since: WallTime

    private static let seal = Seal("organisation_members")

    static let table = StoredTable(
        "organisation_members", of: .account, columns: ["account", "organisation", "sealed"], key: [0],
        opening: [Opening(2, seal, row: 0, bound: [1])],
        references: [
            StoredTable.Reference(0, to: "accounts", "id"), StoredTable.Reference(1, to: "organisations", "id"),
        ],
        erasure: [.atOnce(0)],
        export: .rows([0]) { row, view throws(ColumnFault) in
            let member = try OrganisationMember(of: row)
            return ["organisation": view.name(of: member.organisation), "since": .time(member.since)]
        }
    ) { row throws(ColumnFault) in
        _ = try OrganisationMember(of: row)
        return []
    }

    private static let everything = table.query("ORDER BY account")

    /// Query for all members of all organisations.
    static var all: Query { everything.about() }

    init(account: AccountID, organisation: OrganisationID, since: WallTime) {
        (self.account, self.organisation, self.since) = (account, organisation, since)
    }

    /// Reads a row of `all`.
    init(_ row: Row) throws(DamagedRow) {
        self = try Self.table.read(row) { row throws(ColumnFault) in try OrganisationMember(of: row) }
    }

    private init(of row: Row) throws(ColumnFault) {
        account = AccountID(rawValue: UInt64(bitPattern: try row.integer(0)))
        organisation = OrganisationID(rawValue: UInt64(bitPattern: try row.integer(1)))
        since = try row.within(2) { sealed throws(ColumnFault) in try sealed.wallTime(0) }
    }

    private var values: (account: SQLValue, organisation: SQLValue) {
        (.integer(Int64(bitPattern: account.rawValue)), .integer(Int64(bitPattern: organisation.rawValue)))
    }

    /// Fails when the account is a member of an organisation.
    var insertion: Statement {
        Statement(
            "INSERT OR IGNORE INTO organisation_members (account, organisation, sealed) VALUES (?, ?, ?)",
            values.account, values.organisation,
            .sealed(
                [.time(since)], Self.seal, row: Int64(bitPattern: account.rawValue), bound: [values.organisation]),
            changing: 1)
    }

    /// Ends the membership, and with it what was said about removals; fails when there is none.
    var removal: Statement {
        Statement(
            "DELETE FROM organisation_members WHERE account = ? AND organisation = ?", values.account,
            values.organisation, changing: 1)
    }

    /// Fails unless it is a member still.
    var check: Statement {
        Statement(
            "UPDATE organisation_members SET organisation = organisation WHERE account = ? AND organisation = ?",
            values.account, values.organisation, changing: 1)
    }
}

/// That one member wants another one removed. A second one has to agree, within `lifetime`.
struct OrganisationRemovalWish: Hashable, Sendable {
    /// The member who is to be removed.
    let account: AccountID
    let proposer: AccountID
    let at: LastingTime

    static let lifetime = Duration.seconds(14 * 86_400)
    private static let seal = Seal("organisation_removals")

    static let table = StoredTable(
        "organisation_removals", of: .account, columns: ["account", "proposer", "sealed"], key: [0],
        opening: [Opening(2, seal, row: 0, bound: [1])],
        references: [
            StoredTable.Reference(0, to: "organisation_members", "account"),
            StoredTable.Reference(1, to: "organisation_members", "account"),
        ],
        erasure: [.atOnce(0), .atOnce(1)],
        export: .rows([0, 1]) { row, view throws(ColumnFault) in
            let wish = try OrganisationRemovalWish(of: row)
            return ["member": view.person(wish.account), "by": view.person(wish.proposer), "at": .time(wish.at)]
        }
    ) { row throws(ColumnFault) in
        _ = try OrganisationRemovalWish(of: row)
        return []
    }

    private static let ofOrganisation = table.query(
        "WHERE account IN (SELECT account FROM organisation_members WHERE organisation = ?) ORDER BY account")

    /// Query for what members of an organisation have said.
    static func query(in organisation: OrganisationID) -> Query {
        ofOrganisation.about(.integer(Int64(bitPattern: organisation.rawValue)))
    }

    init(of account: AccountID, by proposer: AccountID, at: LastingTime) {
        (self.account, self.proposer, self.at) = (account, proposer, at)
    }

    /// Reads rows of the query, those that have lapsed left out. Damaged rows are added to `damage` and left out.
    static func wishes(in rows: [Row], now: LastingTime, into damage: inout [DamagedRow]) -> [OrganisationRemovalWish] {
        rows.read(as: table, into: &damage) { row throws(ColumnFault) in try OrganisationRemovalWish(of: row) }
            .filter { now - $0.at < lifetime }
    }

    private init(of row: Row) throws(ColumnFault) {
        account = AccountID(rawValue: UInt64(bitPattern: try row.integer(0)))
        proposer = AccountID(rawValue: UInt64(bitPattern: try row.integer(1)))
        at = try row.within(2) { sealed throws(ColumnFault) in try sealed.lastingTime(0) }
    }

    /// Takes the place of an earlier one, which has lapsed.
    var insertion: Statement {
        let proposer = SQLValue.integer(Int64(bitPattern: self.proposer.rawValue))
        let row = Int64(bitPattern: account.rawValue)
        return Statement(
            "INSERT OR REPLACE INTO organisation_removals (account, proposer, sealed) VALUES (?, ?, ?)",
            .integer(row), proposer, .sealed([.time(at)], Self.seal, row: row, bound: [proposer]))
    }
}
