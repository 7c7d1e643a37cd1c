internal import CairnCore
internal import CairnStore
internal import CairnWire

/// A request for a link that sets a new password, which was answered and whose address is still to be looked up
/// (ACC-10). It is stored before the answer, so that a crash loses no mail that was promised. Known and unknown
/// addresses are stored alike.
struct RecoveryRequest: Sendable {
    let id: RecoveryID
    let email: EmailAddress
    /// Of the connection that asked.
    let language: String

    private static let seal = Seal("recovery_requests")

    static let migration = Migration(
        "recovery-requests-1",
        """
        CREATE TABLE recovery_requests (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, sealed BLOB NOT NULL) STRICT
        """,
        "CREATE INDEX recovery_requests_at ON recovery_requests (at)")

    static let table = StoredTable(
        "recovery_requests", of: .world, columns: ["id", "at", "sealed"], key: [0],
        opening: [Opening(2, seal, row: 0, bound: [1])],
        erasure: [
            .search { row, person throws(ColumnFault) in
                person.recipients.contains(try RecoveryRequest(of: row).email.text)
            }
        ],
        export: .nothing(because: "requests for a mail on its way to the person")
    ) { row throws(ColumnFault) in
        _ = try RecoveryRequest(of: row)
        return []
    }

    init(id: RecoveryID, email: EmailAddress, language: String) {
        (self.id, self.email, self.language) = (id, email, language)
    }

    private init(of row: Row) throws(ColumnFault) {
        id = RecoveryID(rawValue: UInt64(bitPattern: try row.integer(0)))
        (email, language) = try row.within(2) { sealed throws(ColumnFault) in
            guard let email = EmailAddress(stored: try sealed.text(0)) else { throw ColumnFault(0, .unreadable) }
            return (email, try sealed.text(1))
        }
    }

    /// The requests in the answer to a query. Damaged rows are added to `damage` and left out.
    static func requests(in rows: [Row], into damage: inout [DamagedRow]) -> [RecoveryRequest] {
        rows.read(as: table, into: &damage) { row throws(ColumnFault) in try RecoveryRequest(of: row) }
    }

    func insertion(at now: LastingTime) -> Statement {
        let row = Int64(bitPattern: id.rawValue)
        return Statement(
            "INSERT INTO recovery_requests (id, at, sealed) VALUES (?, ?, ?)", .integer(row), .time(now),
            .sealed([.text(email.text), .text(language)], Self.seal, row: row, bound: [.time(now)]), changing: 1)
    }

    /// It is done; fails when it was done meanwhile.
    var removal: Statement {
        Statement(
            "DELETE FROM recovery_requests WHERE id = ?", .integer(Int64(bitPattern: id.rawValue)), changing: 1)
    }

    private static let oldest = table.query("WHERE id > ? ORDER BY id LIMIT ?")

    /// Asks for a page of all, in the order of their ids.
    static func query(after id: RecoveryID?, rowsMax: Int) -> Query {
        oldest.about(.integer(Int64(bitPattern: id?.rawValue ?? 0)), .integer(Int64(rowsMax)))
    }

    static func expiries(before limit: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "at", isBelow: limit.milliseconds)]
    }
}

/// Marks the type `RecoveryID`; it has no values.
enum RecoveryTag {}
/// Names a request for a recovery. Later ones are greater.
typealias RecoveryID = Identifier<RecoveryTag>
