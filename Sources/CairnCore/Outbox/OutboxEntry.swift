public import CairnWire

/// Marks the type `OutboxID`; it has no values.
public enum OutboxTag {}
/// Names what is sent, for ever: an adaptor recognises a repeat by it.
public typealias OutboxID = Identifier<OutboxTag>

/// By which adaptor something is sent.
public enum OutboxWay: String, CaseIterable, Sendable {
    case mail
    /// To a device.
    case push
}

/// A mail or a push in the outbox (NTF-3): stored with the change that causes it, sent later by the `Postman`, as often
/// as necessary, and deleted when it is sent, refused or expired.
public struct OutboxEntry: Sendable, Hashable {
    public let id: OutboxID
    public let way: OutboxWay
    /// What it is about, one word; for adaptors and the log.
    public let kind: String
    /// The address of the mailbox or of the device. Empty = a decoy. It is deleted without being sent. A request about
    /// an unknown address then costs as much as one about a known address.
    public let recipient: String
    /// Whose device a push goes to; nil = it is a mail, or a push of an earlier release.
    public let account: AccountID?
    /// The person that a push is about; nil = it is about no person.
    public let person: AccountID?
    /// Of a mail.
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

// MARK: Storage

extension OutboxEntry {
    /// The name is from when the outbox had mails alone; the name of a seal never changes.
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
            "CREATE INDEX mails_due ON mails (due)", "CREATE INDEX mails_expiry ON mails (expiry)"),
        Migration(
            "outbox-1",
            "ALTER TABLE mails RENAME TO outbox",
            "ALTER TABLE outbox ADD COLUMN way TEXT NOT NULL DEFAULT 'mail'",
            "DROP INDEX mails_due", "DROP INDEX mails_expiry",
            "CREATE INDEX outbox_due ON outbox (way, due)", "CREATE INDEX outbox_expiry ON outbox (expiry)"),
    ]

    /// The mail that confirms a deletion, which outlives the account.
    public static let farewell: StaticText = "accountDeleted"

    /// The columns that never change are bound, except the way: a mail has three sealed values, and a push four, or two
    /// of an earlier release, so neither is read as the other.
    public static let table = StoredTable(
        "outbox", of: .world, columns: ["id", "kind", "due", "attempts", "expiry", "sealed", "way"], key: [0],
        opening: [Opening(5, seal, row: 0, bound: [1, 4])],
        erasure: [
            .search { row, person throws(ColumnFault) in
                let entry = try OutboxEntry(row)
                return entry.kind != farewell.text && person.recipients.contains(entry.recipient)
                    || entry.account == person.account || entry.person == person.account
            }
        ],
        export: .nothing(because: "mails and pushes on their way to the person")
    ) { row throws(ColumnFault) in
        _ = try OutboxEntry(row)
        return []
    }

    /// Puts a mail into the outbox, in the transaction of what causes it.
    /// - Parameters:
    ///   - id: a new identifier (`Turn.newIdentifier`).
    ///   - recipient: one address; empty = a decoy.
    ///   - now: the lasting time; the mail is due at once.
    ///   - expiry: when it is given up, usually `now` and `Settings.mailLifetime`.
    public static func mail(
        _ id: OutboxID, kind: StaticText, to recipient: String, subject: String, text: String, at now: LastingTime,
        until expiry: LastingTime
    ) -> Statement {
        insertion(
            id, .mail, kind: kind, sealing: [.text(recipient), .text(subject), .text(text)], at: now, until: expiry)
    }

    /// Puts a push to a device of an account into the outbox; as `mail`.
    /// - Parameter person: the person that it is about; nil = it is about no person.
    public static func push(
        _ id: OutboxID, kind: StaticText, to address: String, of account: AccountID, about person: AccountID?,
        text: String, at now: LastingTime, until expiry: LastingTime
    ) -> Statement {
        func integer(_ account: AccountID) -> SQLValue { .integer(Int64(bitPattern: account.rawValue)) }
        return insertion(
            id, .push, kind: kind,
            sealing: [.text(address), .text(text), integer(account), person.map(integer) ?? .null], at: now,
            until: expiry)
    }

    private static func insertion(
        _ id: OutboxID, _ way: OutboxWay, kind: StaticText, sealing values: [SQLValue], at now: LastingTime,
        until expiry: LastingTime
    ) -> Statement {
        let row = Int64(bitPattern: id.rawValue)
        let sealed = SQLValue.sealed(values, seal, row: row, bound: [.text(kind.text), .time(expiry)])
        return Statement(
            "INSERT INTO outbox (id, kind, due, attempts, expiry, sealed, way) VALUES (?, ?, ?, 0, ?, ?, ?)",
            .integer(row), .text(kind.text), .time(now), .time(expiry), sealed, .text(way.rawValue), changing: 1)
    }

    /// Query for entries that are due, those that wait longest first.
    public static func due(_ way: OutboxWay, at now: LastingTime, countMax: Int) -> Query {
        dueRows.about(.text(way.rawValue), .time(now), .integer(Int64(countMax)))
    }

    private static let dueRows = table.query("WHERE way = ? AND due <= ? ORDER BY due, id LIMIT ?")

    /// Reads the rows of `due`. Damaged rows are added to `damage` and left out.
    public static func entries(in rows: [Row], into damage: inout [DamagedRow]) -> [OutboxEntry] {
        rows.read(as: table, into: &damage) { row throws(ColumnFault) in try OutboxEntry(row) }
    }

    /// Query for the number of entries and the id of the oldest.
    public static func summary(_ way: OutboxWay) -> Query {
        Query("SELECT count(*), coalesce(min(id), 0) FROM outbox WHERE way = ?", .text(way.rawValue))
    }

    /// Ends an entry.
    public static func deletion(of id: OutboxID) -> Statement {
        Statement("DELETE FROM outbox WHERE id = ?", .integer(Int64(bitPattern: id.rawValue)))
    }

    /// Notes a failed attempt: the entry is tried again at `due`.
    public static func postponement(of id: OutboxID, attempts: Int64, until due: LastingTime) -> Statement {
        Statement(
            "UPDATE outbox SET due = ?, attempts = ? WHERE id = ?", .time(due), .integer(attempts),
            .integer(Int64(bitPattern: id.rawValue)))
    }

    /// Passes over a damaged row until `due`; `key` is that of its `DamagedRow`.
    public static func postponement(ofRow key: [SQLValue], until due: LastingTime) -> Statement {
        Statement("UPDATE outbox SET due = ? WHERE id = ?", .time(due), key.first ?? .null)
    }

    /// Damaged rows, which the postman passes over, are deleted a day after their expiry.
    public static func expiries(now: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "expiry", isBelow: (now - .seconds(86_400)).milliseconds)]
    }

    public static func newestIdentifier(below bound: SQLValue) -> Query {
        Query("SELECT coalesce(max(id), 0) FROM outbox WHERE id < ?", bound)
    }

    private init(_ row: Row) throws(ColumnFault) {
        guard let way = OutboxWay(rawValue: try row.text(6)) else { throw ColumnFault(6, .outOfRange) }
        id = OutboxID(rawValue: UInt64(bitPattern: try row.integer(0)))
        self.way = way
        kind = try row.text(1)
        (recipient, subject, text, account, person) = try row.within(5) { sealed throws(ColumnFault) in
            func identifier(_ column: Int) throws(ColumnFault) -> AccountID? {
                try sealed.integerIfAny(column).map { AccountID(rawValue: UInt64(bitPattern: $0)) }
            }
            switch (way, sealed.values.count) {
            case (.mail, 3): return (try sealed.text(0), try sealed.text(1), try sealed.text(2), nil, nil)
            case (.push, 2): return (try sealed.text(0), "", try sealed.text(1), nil, nil)
            case (.push, 4): return (try sealed.text(0), "", try sealed.text(1), try identifier(2), try identifier(3))
            default: throw ColumnFault(0, .disagrees)
            }
        }
        expiry = try row.lastingTime(4)
        attempts = try row.integer(3, in: 0...1_000_000)
    }
}
