internal import CairnWire

/// The stored outcome of a message between homes. A message has one such row, and the first one holds. If the receiver
/// is second, its unit is refused; if the sender is second, its statement changes nothing.
///
/// It is deleted together with the row of the message itself (`OutgoingMessage`), when no home accepts a copy any more.
public enum HeardMessage {
    private static let seal = Seal("messages_heard")
    private static let homeSeal = Seal("messages_heard.home")

    public static let migrations = [
        Migration(
            "messages-heard-1",
            """
            CREATE TABLE messages_heard (
                id INTEGER PRIMARY KEY, home BLOB NOT NULL, outcome INTEGER NOT NULL, sealed BLOB NOT NULL
            ) STRICT
            """)
    ]

    /// `home` is the receiver. The name of the home is sealed; home and outcome are bound.
    public static let table = StoredTable(
        "messages_heard", of: .namedHome, columns: ["id", "home", "outcome", "sealed"], key: [0],
        opening: [Opening(3, seal, row: 0, bound: [1, 2])],
        erasure: [.rows(1) { .fingerprint(HomeAddress.account($0).name, homeSeal) }],
        export: .nothing(because: "messages between homes, kept for minutes")
    ) { row throws(ColumnFault) in
        _ = try (row.integer(0), row.blob(1), outcome(of: row))
        let home = try row.within(3) { sealed throws(ColumnFault) in
            guard let home = HomeAddress(name: try sealed.text(0)) else { throw ColumnFault(0, .unreadable) }
            return home
        }
        return [StoredTable.Derived(1, .fingerprint(home.name, homeSeal))]
    }

    private static func outcome(of row: Row) throws(ColumnFault) -> MessageOutcome {
        _ = try row.opened(3)
        guard let outcome = MessageOutcome(rawValue: UInt32(try row.integer(2, in: 0...Int64(UInt32.max)))) else {
            throw ColumnFault(2, .outOfRange)
        }
        return outcome
    }

    private static let ofMessage = table.query("WHERE id = ?")

    /// Query for the outcome of a message: one row, or none.
    static func decision(about id: MessageID) -> Query { ofMessage.about(integer(id)) }

    /// Reads the answer to `decision(about:)`; nil = undecided, or the row is damaged, which is reported.
    static func outcome(in rows: [Row], _ turn: inout Turn) -> MessageOutcome? {
        turn.read(rows, of: table) { row throws(ColumnFault) in try outcome(of: row) }.first
    }

    /// Stores the receiver's decision. If the sender was first, it changes no row and its unit is refused.
    static func insertion(_ outcome: MessageOutcome, of envelope: MessageEnvelope) -> Statement {
        Statement(
            """
            INSERT INTO messages_heard (id, home, outcome, sealed) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """,
            arguments: row(outcome, of: envelope), changing: 1)
    }

    /// Withdraws the message on the sender's side, unless it is decided.
    static func withdrawal(of envelope: MessageEnvelope) -> Statement {
        Statement(
            """
            INSERT INTO messages_heard (id, home, outcome, sealed) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
            """,
            arguments: row(.withdrawn, of: envelope))
    }

    static func deletion(of id: MessageID) -> Statement {
        Statement("DELETE FROM messages_heard WHERE id = ?", integer(id))
    }

    private static func row(_ outcome: MessageOutcome, of envelope: MessageEnvelope) -> [SQLValue] {
        let home = SQLValue.fingerprint(envelope.receiver.name, homeSeal)
        let outcome = SQLValue.integer(Int64(outcome.rawValue))
        return [
            integer(envelope.id), home, outcome,
            .sealed(
                [.text(envelope.receiver.name)], seal, row: Int64(bitPattern: envelope.id.rawValue),
                bound: [home, outcome]),
        ]
    }

    private static func integer(_ id: MessageID) -> SQLValue { .integer(Int64(bitPattern: id.rawValue)) }

    /// Query for the newest id below a bound: one row of one integer, 0 = none.
    public static func newestIdentifier(below bound: SQLValue) -> Query {
        Query("SELECT coalesce(max(id), 0) FROM messages_heard WHERE id < ?", bound)
    }
}
