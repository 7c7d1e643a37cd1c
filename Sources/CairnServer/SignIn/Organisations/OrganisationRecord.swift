package import CairnCore
internal import CairnStore
package import CairnWire

/// An organisation that admins have approved (ORG-2). It stays when its last member has left, so that nobody else gets
/// its name by asking for it.
package struct Organisation: Equatable, Sendable {
    package let id: OrganisationID
    package let name: OrganisationName
    package let created: WallTime
    /// Nil = it is not suspended.
    package var suspension: Suspensions.Suspension?
}

/// Rows of `organisations`. The name is sealed; a keyed print of its compared form keeps two of one name apart.
extension Organisation {
    private static let seal = Seal("organisations")
    private static let printSeal = Seal("organisations.fingerprint")

    static let migration = Migration(
        "organisations-1",
        """
        CREATE TABLE organisations (
            id INTEGER PRIMARY KEY, fingerprint BLOB NOT NULL UNIQUE, sealed BLOB NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE organisation_members (
            account INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            organisation INTEGER NOT NULL REFERENCES organisations (id), sealed BLOB NOT NULL
        ) STRICT
        """,
        "CREATE INDEX organisation_members_organisation ON organisation_members (organisation)",
        """
        CREATE TABLE organisation_removals (
            account INTEGER PRIMARY KEY REFERENCES organisation_members (account) ON DELETE CASCADE,
            proposer INTEGER NOT NULL REFERENCES organisation_members (account) ON DELETE CASCADE, sealed BLOB NOT NULL
        ) STRICT
        """,
        "CREATE INDEX organisation_removals_proposer ON organisation_removals (proposer)",
        """
        CREATE TABLE organisation_requests (
            id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            decided INTEGER, sealed BLOB NOT NULL
        ) STRICT
        """,
        "CREATE INDEX organisation_requests_account ON organisation_requests (account)",
        "CREATE UNIQUE INDEX organisation_requests_open ON organisation_requests (account) WHERE decided IS NULL",
        "CREATE INDEX organisation_requests_decided ON organisation_requests (decided)")

    static let table = StoredTable(
        "organisations", of: .world, columns: ["id", "fingerprint", "sealed"], key: [0],
        opening: [Opening(2, seal, row: 0, bound: [1])],
        erasure: [.kept(because: "an organisation is no person, and outlives its members")],
        export: .query({ ofMember.about(.integer(Int64(bitPattern: $0.rawValue))) }) { row, view throws(ColumnFault) in
            let organisation = try Organisation(of: row)
            return ["organisation": view.name(of: organisation.id), "name": .text(organisation.name.text)]
        }
    ) { row throws(ColumnFault) in
        guard try row.blob(1).count == 16 else { throw ColumnFault(1, .outOfRange) }
        _ = try Organisation(of: row)
        return []
    }

    private static let ofMember = Query(
        """
        SELECT id, fingerprint, sealed FROM organisations
        WHERE id = (SELECT organisation FROM organisation_members WHERE account = ?)
        """, opening: Opening(2, seal, row: 0, bound: [1]))
    private static let everything = table.query("ORDER BY id")

    /// Query for all of them.
    static var all: Query { everything.about() }

    /// Reads a row of `all`.
    init(_ row: Row) throws(DamagedRow) {
        self = try Self.table.read(row) { row throws(ColumnFault) in try Organisation(of: row) }
    }

    private init(of row: Row) throws(ColumnFault) {
        id = OrganisationID(rawValue: UInt64(bitPattern: try row.integer(0)))
        (name, created, suspension) = try row.within(2) { sealed throws(ColumnFault) in
            let since = try sealed.wallTimeIfAny(2)
            let reason = try sealed.text(3)
            return (
                OrganisationName(try sealed.text(0)), try sealed.wallTime(1),
                since.map { Suspensions.Suspension(reason: reason, at: $0) }
            )
        }
    }

    private var row: Int64 { Int64(bitPattern: id.rawValue) }
    private var print: SQLValue { .fingerprint(name.compared, Self.printSeal) }

    private func sealed(beside print: SQLValue) -> SQLValue {
        .sealed(
            [
                .text(name.text), .time(created), suspension.map { .time($0.at) } ?? .null,
                .text(suspension?.reason ?? ""),
            ], Self.seal, row: row, bound: [print])
    }

    /// Fails when there is one of this name.
    var insertion: Statement {
        Statement(
            "INSERT OR IGNORE INTO organisations (id, fingerprint, sealed) VALUES (?, ?, ?)", .integer(row), print,
            sealed(beside: print), changing: 1)
    }

    /// Keeps another suspension, or none.
    var update: Statement {
        Statement(
            "UPDATE organisations SET fingerprint = ?, sealed = ? WHERE id = ?", print, sealed(beside: print),
            .integer(row), changing: 1)
    }

    static func newestIdentifier(below bound: SQLValue) -> Query {
        Query("SELECT coalesce(max(id), 0) FROM organisations WHERE id < ?", bound)
    }
}
