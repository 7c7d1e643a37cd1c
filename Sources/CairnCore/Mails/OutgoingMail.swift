public import CairnWire

/// Marks the type `MailID`; it has no values.
public enum MailTag {}
/// Names a mail, for ever: an adaptor recognises a repeat by it.
public typealias MailID = Identifier<MailTag>

/// A mail in the outbox (NTF-3): stored with the change that causes it, sent later by the `Postman`, as often as
/// necessary, and deleted when it is sent, refused or expired.
public struct OutgoingMail: Sendable, Hashable {
    public let id: MailID
    /// What the mail is about, one word; for adaptors and the log.
    public let kind: String
    /// Empty = a decoy. It is deleted without being sent. A request about an unknown address then costs as much as one
    /// about a known address.
    public let recipient: String
    public let subject: String
    public let text: String
    /// When it is given up.
    public let expiry: LastingTime
    /// Attempts so far.
    public let attempts: Int64

    /// The pause after a failed attempt that `attempts` came before: 1 s, doubling to 10 min.
    public static func pause(after attempts: Int64) -> Duration {
        min(.seconds(1 << min(attempts, 10)), longestPause)
    }

    private static let longestPause = Duration.seconds(600)
}

// MARK: - Storage

extension OutgoingMail {
    private static let seal = Seal("mails")

    public static let migrations = [
        Migration(
            "mails-1",
            """
            CREATE TABLE mails (
                id INTEGER PRIMARY KEY, kind TEXT NOT NULL, due INTEGER NOT NULL, attempts INTEGER NOT NULL,
                expiry INTEGER NOT NULL, sealed BLOB NOT NULL
            ) STRICT
            """,
            "CREATE INDEX mails_due ON mails (due)", "CREATE INDEX mails_expiry ON mails (expiry)")
    ]

    /// The columns that never change are bound.
    public static let table = StoredTable(
        "mails", of: .world, columns: ["id", "kind", "due", "attempts", "expiry", "sealed"], key: [0],
        opening: [Opening(5, seal, row: 0, bound: [1, 4])]
    ) { row throws(ColumnFault) in
        _ = try OutgoingMail(row)
        return []
    }

    /// Puts a mail into the outbox, in the transaction of what causes it.
    /// - Parameters:
    ///   - id: a new identifier (`Turn.newIdentifier`).
    ///   - recipient: one address; empty = a decoy.
    ///   - now: the lasting time; the mail is due at once.
    ///   - expiry: when it is given up, usually `now` and `Settings.mailLifetime`.
    public static func insertion(
        _ id: MailID, kind: StaticText, to recipient: String, subject: String, text: String, at now: LastingTime,
        until expiry: LastingTime
    ) -> Statement {
        let row = Int64(bitPattern: id.rawValue)
        let sealed = SQLValue.sealed(
            [.text(recipient), .text(subject), .text(text)], seal, row: row, bound: [.text(kind.text), .time(expiry)])
        return Statement(
            "INSERT INTO mails (id, kind, due, attempts, expiry, sealed) VALUES (?, ?, ?, 0, ?, ?)", .integer(row),
            .text(kind.text), .time(now), .time(expiry), sealed, changing: 1)
    }

    /// Query for mails that are due, those that wait longest first.
    public static func due(at now: LastingTime, countMax: Int) -> Query {
        dueRows.about(.time(now), .integer(Int64(countMax)))
    }

    private static let dueRows = table.query("WHERE due <= ? ORDER BY due, id LIMIT ?")

    /// Reads the rows of `due(at:countMax:)`. Damaged rows are added to `damage` and left out.
    public static func mails(in rows: [Row], into damage: inout [DamagedRow]) -> [OutgoingMail] {
        rows.read(as: table, into: &damage) { row throws(ColumnFault) in try OutgoingMail(row) }
    }

    /// Query for the number of mails and the id of the oldest.
    public static let summary = Query("SELECT count(*), coalesce(min(id), 0) FROM mails")

    /// Ends a mail.
    public static func deletion(of id: MailID) -> Statement {
        Statement("DELETE FROM mails WHERE id = ?", .integer(Int64(bitPattern: id.rawValue)))
    }

    /// Notes a failed attempt: the mail is tried again at `due`.
    public static func postponement(of id: MailID, attempts: Int64, until due: LastingTime) -> Statement {
        Statement(
            "UPDATE mails SET due = ?, attempts = ? WHERE id = ?", .time(due), .integer(attempts),
            .integer(Int64(bitPattern: id.rawValue)))
    }

    /// Passes over a damaged row until `due`; `key` is that of its `DamagedRow`.
    public static func postponement(ofRow key: [SQLValue], until due: LastingTime) -> Statement {
        Statement("UPDATE mails SET due = ? WHERE id = ?", .time(due), key.first ?? .null)
    }

    /// Damaged rows, which the postman passes over, are deleted a day after their expiry.
    public static func expiries(now: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "expiry", isBelow: (now - .seconds(86_400)).milliseconds)]
    }

    public static func newestIdentifier(below bound: SQLValue) -> Query {
        Query("SELECT coalesce(max(id), 0) FROM mails WHERE id < ?", bound)
    }

    private init(_ row: Row) throws(ColumnFault) {
        let (recipient, subject, text) = try row.within(5) { sealed throws(ColumnFault) in
            (try sealed.text(0), try sealed.text(1), try sealed.text(2))
        }
        self.init(
            id: MailID(rawValue: UInt64(bitPattern: try row.integer(0))), kind: try row.text(1),
            recipient: recipient, subject: subject, text: text, expiry: try row.lastingTime(4),
            attempts: try row.integer(3, in: 0...1_000_000))
    }
}
