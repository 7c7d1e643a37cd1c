internal import CairnCore
internal import CairnWire

/// What is kept for a device: how far it has received its person's notifications, and where pushes to it go. A device
/// is a sign-in, so the row ends with the token; a token that takes the place of another takes its row over.
struct NotificationDevice: Sendable {
    /// The number of the last notification that it has acknowledged (`StoredNotification.number`).
    let received: Int64
    /// Where the service of its platform takes pushes; empty = nowhere.
    let address: String
    /// In which language, BCP 47.
    let language: String

    private static let seal = Seal("notification_devices")

    static let migration = Migration(
        "notification-devices-1",
        """
        CREATE TABLE notification_devices (
            token BLOB PRIMARY KEY REFERENCES tokens (hash) ON DELETE CASCADE, account INTEGER NOT NULL,
            received INTEGER NOT NULL, sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX notification_devices_account ON notification_devices (account)")

    /// The address is sealed for its account.
    static let table = StoredTable(
        "notification_devices", of: .account, columns: ["token", "account", "received", "sealed"], key: [0],
        opening: [Opening(3, seal, row: 1)], references: [StoredTable.Reference(0, to: "tokens", "hash")],
        erasure: [.with("tokens")],
        export: .rows([1]) { row, _ throws(ColumnFault) in
            let device = try NotificationDevice(row)
            return [
                "pushAddress": .filled(device.address), "language": .filled(device.language),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try (row.blob(0), NotificationDevice(row))
        return []
    }

    private init(_ row: Row) throws(ColumnFault) {
        received = try row.integer(2, in: 0...Int64.max)
        (address, language) = try row.within(3) { sealed throws(ColumnFault) in
            (try sealed.text(0), try sealed.text(1))
        }
    }

    /// Notes what a device has acknowledged. A mark never goes back, one beyond the last notification counts as that,
    /// and one of a token that has ended is passed over.
    static func receipt(_ number: Int64, by token: SQLValue, of account: AccountID) -> Statement {
        Statement(
            """
            INSERT INTO notification_devices (token, account, received, sealed)
            SELECT ?, ?, min(?, coalesce((SELECT max(number) FROM notifications WHERE account = ?), 0)), ?
            WHERE EXISTS (SELECT 1 FROM tokens WHERE hash = ?)
            ON CONFLICT (token) DO UPDATE SET received = max(notification_devices.received, excluded.received)
            """, token, integer(account), .integer(number), integer(account), sealed("", "", of: account), token)
    }

    /// Keeps where pushes to a device go; an empty address ends them.
    static func registration(
        _ address: String, in language: String, by token: SQLValue, of account: AccountID
    ) -> Statement {
        Statement(
            """
            INSERT INTO notification_devices (token, account, received, sealed)
            SELECT ?, ?, 0, ? WHERE EXISTS (SELECT 1 FROM tokens WHERE hash = ?)
            ON CONFLICT (token) DO UPDATE SET sealed = excluded.sealed
            """, token, integer(account), sealed(address, language, of: account), token)
    }

    /// The device goes by another token, which is stored already.
    static func succession(of old: SQLValue, by new: SQLValue) -> Statement {
        Statement("UPDATE notification_devices SET token = ? WHERE token = ?", new, old)
    }

    private static let ofAccount = table.query("WHERE account = ? ORDER BY token LIMIT ?")
    private static let unreceivedRows = StoredNotification.table.query(
        """
        WHERE account = ? AND number > max(?, coalesce((SELECT received FROM notification_devices WHERE token = ?), 0))
        ORDER BY number LIMIT ?
        """)

    /// Query for the devices of an account.
    static func query(of account: AccountID) -> Query {
        ofAccount.about(integer(account), .integer(Int64(SignIn.devicesMax)))
    }

    /// Reads the answer to `query(of:)`. Damaged rows are added to `damage` and left out.
    static func devices(in rows: [Row], into damage: inout [DamagedRow]) -> [NotificationDevice] {
        rows.read(as: table, into: &damage) { row throws(ColumnFault) in try NotificationDevice(row) }
    }

    /// Query for notifications that a device has not acknowledged, in order.
    /// - Parameters:
    ///   - token: its print; NULL = a device without a stored token.
    ///   - number: nothing up to there is wanted.
    static func unreceived(
        by token: SQLValue, of account: AccountID, after number: Int64, countMax: Int
    ) -> Query {
        unreceivedRows.about(integer(account), .integer(number), token, .integer(Int64(countMax)))
    }

    /// Query for whether a device has notifications to come, or its person unread ones: one row, or none.
    static func isConcerned(_ token: SQLValue) -> Query {
        Query(
            """
            SELECT 1 FROM notifications WHERE account = (SELECT account FROM tokens WHERE hash = ?)
            AND (read = 0 OR number > coalesce((SELECT received FROM notification_devices WHERE token = ?), 0)) LIMIT 1
            """, token, token)
    }

    private static func integer(_ account: AccountID) -> SQLValue {
        .integer(Int64(bitPattern: account.rawValue))
    }

    private static func sealed(_ address: String, _ language: String, of account: AccountID) -> SQLValue {
        .sealed([.text(address), .text(language)], seal, row: Int64(bitPattern: account.rawValue))
    }
}
