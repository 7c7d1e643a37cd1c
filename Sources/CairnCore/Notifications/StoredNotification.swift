public import CairnWire

/// A row of `notifications`: a notification, its number in the order of its recipient, and what has become of it.
public struct StoredNotification: Sendable, Hashable {
    public let notification: Notification
    /// Numbers the recipient's notifications in the order of their commits. A device's mark is such a number: ids will
    /// not do, because a later id can be committed first.
    public let number: Int64
    public let isRead: Bool
}

extension StoredNotification {
    private static let seal = Seal("notifications")

    public static let migrations = [
        Migration(
            "notifications-1",
            """
            CREATE TABLE notifications (
                id INTEGER PRIMARY KEY, account INTEGER NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL,
                at INTEGER NOT NULL, read INTEGER NOT NULL, push INTEGER, sealed BLOB NOT NULL
            ) STRICT
            """,
            "CREATE UNIQUE INDEX notifications_number ON notifications (account, number)",
            "CREATE INDEX notifications_at ON notifications (at)",
            "CREATE INDEX notifications_push ON notifications (push)")
    ]

    /// `push` is when it is decided whether a push follows; NULL = that is decided. Columns that never change are
    /// bound, except the number, which SQLite computes.
    public static let table = StoredTable(
        "notifications", of: .account,
        columns: ["id", "account", "number", "kind", "at", "read", "push", "sealed"], key: [0],
        opening: [Opening(7, seal, row: 0, bound: [1, 3, 4])],
        erasure: [
            .rows(1),
            .search(told: 1) { row, person throws(ColumnFault) in
                try row.within(7) { sealed throws(ColumnFault) in
                    try identifier(sealed, 0, AccountTag.self) == person.account
                }
            },
        ],
        export: .rows([1]) { row, view throws(ColumnFault) in
            guard let stored = try StoredNotification(row), !view.isHidden(stored.notification.person) else {
                return nil
            }
            let notification = stored.notification
            return [
                "kind": .text(notification.kind.name.text), "at": .time(notification.at), "read": .flag(stored.isRead),
                "person": view.person(notification.person), "realm": view.name(of: notification.realm),
                "instance": view.name(of: notification.instance), "label": .filled(notification.label),
            ]
        }
    ) { row throws(ColumnFault) in
        _ = try (StoredNotification(row), row.integerIfAny(6))
        return []
    }

    /// Reads rows of the queries. Damaged rows are added to `damage`; they and kinds that this server does not know are
    /// left out.
    public static func notifications(in rows: [Row], into damage: inout [DamagedRow]) -> [StoredNotification] {
        rows.read(as: table, into: &damage) { row throws(ColumnFault) in try StoredNotification(row) }.compactMap { $0 }
    }

    /// The number of a row that may otherwise be damaged.
    public static func number(in row: Row) -> Int64? { try? row.integer(2) }

    /// Nil = of a kind that this server does not know.
    private init?(_ row: Row) throws(ColumnFault) {
        let (person, realm, instance, label) = try row.within(7) { sealed throws(ColumnFault) in
            (
                try Self.identifier(sealed, 0, AccountTag.self), try Self.identifier(sealed, 1, RealmTag.self),
                try Self.identifier(sealed, 2, InstanceTag.self), try sealed.text(3)
            )
        }
        let (id, account) = (try row.integer(0), try row.integer(1))
        let (name, at) = (try row.text(3), try row.lastingTime(4))
        number = try row.integer(2, in: 1...Int64.max)
        isRead = try row.integer(5, in: 0...1) == 1
        guard let kind = NotificationKind.named(name) else { return nil }
        let draft = Notification.Draft(
            to: AccountID(rawValue: UInt64(bitPattern: account)), kind: kind, person: person, realm: realm,
            instance: instance, label: label)
        notification = Notification(draft, id: NotificationID(rawValue: UInt64(bitPattern: id)), at: at)
    }

    private static func identifier<Tag>(
        _ sealed: Row, _ column: Int, _ tag: Tag.Type
    ) throws(ColumnFault) -> Identifier<Tag>? {
        try sealed.integerIfAny(column).map { Identifier<Tag>(rawValue: UInt64(bitPattern: $0)) }
    }

    // MARK: Writing

    static func insertion(of notification: Notification) -> Statement {
        let (row, account) = (integer(notification.id), integer(notification.recipient))
        let (kind, at) = (SQLValue.text(notification.kind.name.text), SQLValue.time(notification.at))
        let sealed = SQLValue.sealed(
            [
                notification.person.map(integer) ?? .null, notification.realm.map(integer) ?? .null,
                notification.instance.map(integer) ?? .null, .text(notification.label),
            ], seal, row: Int64(bitPattern: notification.id.rawValue), bound: [account, kind, at])
        return Statement(
            """
            INSERT INTO notifications (id, account, number, kind, at, read, push, sealed)
            VALUES (?, ?, max(?, coalesce((SELECT max(number) FROM notifications WHERE account = ?), 0) + 1),
                ?, ?, 0, ?, ?)
            """, row, account, row, account, kind, at, .time(notification.at + Notification.pushGrace), sealed,
            changing: 1)
    }

    /// Deletes one: what it told of was taken back.
    static func deletion(of id: NotificationID) -> Statement {
        Statement("DELETE FROM notifications WHERE id = ?", integer(id))
    }

    /// Marks one as read.
    public static func reading(_ id: NotificationID, of account: AccountID) -> Statement {
        Statement(
            "UPDATE notifications SET read = 1 WHERE id = ? AND account = ? AND read = 0", integer(id),
            integer(account))
    }

    /// Marks as read all up to a number.
    public static func reading(upTo number: Int64, of account: AccountID) -> Statement {
        Statement(
            "UPDATE notifications SET read = 1 WHERE account = ? AND number <= ? AND read = 0", integer(account),
            .integer(number))
    }

    /// It is decided whether a push follows. Fails when that was decided before.
    public static func pushDecided(ofRow id: SQLValue) -> Statement {
        Statement("UPDATE notifications SET push = NULL WHERE id = ? AND push IS NOT NULL", id, changing: 1)
    }

    /// Deletes an account's notifications beyond the newest `countMax`, the oldest first.
    public static func surplus(of account: AccountID, beyond countMax: Int) -> Statement {
        Statement(
            """
            DELETE FROM notifications WHERE account = ? AND number <= (
                SELECT number FROM notifications WHERE account = ? ORDER BY number DESC, id LIMIT 1 OFFSET ?)
            """, integer(account), integer(account), .integer(Int64(countMax)))
    }

    public static func expiries(before: LastingTime) -> [Expiry] {
        [Expiry(of: table, where: "at", isBelow: before.milliseconds)]
    }

    public static func newestIdentifier(below bound: SQLValue) -> Query {
        Query("SELECT coalesce(max(id), 0) FROM notifications WHERE id < ?", bound)
    }

    // MARK: Reading

    private static let afterNumber = table.query("WHERE account = ? AND number > ? ORDER BY number LIMIT ?")
    private static let beforeNumber = table.query("WHERE account = ? AND number < ? ORDER BY number DESC LIMIT ?")
    private static let unreadOnes = table.query("WHERE account = ? AND read = 0")
    private static let ofKind = table.query("WHERE account = ? AND kind = ?")
    private static let undecidedOnes = table.query(
        "WHERE account = ? AND kind = ? AND push IS NOT NULL ORDER BY number LIMIT ?")
    private static let dueForPush = table.query("WHERE push <= ? ORDER BY push, id LIMIT ?")

    /// Query for an account's notifications after a number, in order.
    public static func query(of account: AccountID, after number: Int64, countMax: Int) -> Query {
        afterNumber.about(integer(account), .integer(number), .integer(Int64(countMax)))
    }

    /// Query for an account's notifications before a number, newest first.
    public static func query(of account: AccountID, before number: Int64, countMax: Int) -> Query {
        beforeNumber.about(integer(account), .integer(number), .integer(Int64(countMax)))
    }

    /// Query for an account's notifications of a kind.
    public static func query(of account: AccountID, kind: NotificationKind) -> Query {
        ofKind.about(integer(account), .text(kind.name.text))
    }

    /// Query for notifications for which it has to be decided whether a push follows.
    public static func due(at now: LastingTime, countMax: Int) -> Query {
        dueForPush.about(.time(now), .integer(Int64(countMax)))
    }

    /// Query for an account's notifications of a kind about which it is not decided yet, due or not.
    public static func undecided(of account: AccountID, kind: NotificationKind, countMax: Int) -> Query {
        undecidedOnes.about(integer(account), .text(kind.name.text), .integer(Int64(countMax)))
    }

    /// Query for whether an account has notifications: one row, or none.
    public static func any(of account: AccountID) -> Query {
        Query("SELECT 1 FROM notifications WHERE account = ? LIMIT 1", integer(account))
    }

    /// Query for the number of an account's notifications.
    public static func count(of account: AccountID) -> Query {
        Query("SELECT count(*) FROM notifications WHERE account = ?", integer(account))
    }

    /// Query for how many notifications an account has not read, by kind.
    public static func unread(of account: AccountID) -> Query {
        Query(
            "SELECT kind, count(*) FROM notifications WHERE account = ? AND read = 0 GROUP BY kind", integer(account))
    }

    /// Query for all notifications that an account has not read.
    public static func unreadOnes(of account: AccountID) -> Query { unreadOnes.about(integer(account)) }

    /// The answer to `unread(of:)`, summed over the kinds that are wanted.
    public static func unreadCount(in rows: [Row], _ isWanted: (NotificationKind) -> Bool) -> Int {
        rows.reduce(0) { sum, row in
            guard let kind = (try? row.text(0)).flatMap(NotificationKind.named), isWanted(kind),
                let count = try? row.integer(1)
            else { return sum }
            return sum + Int(count)
        }
    }

    private static func integer<Tag>(_ id: Identifier<Tag>) -> SQLValue {
        .integer(Int64(bitPattern: id.rawValue))
    }
}

extension Turn {
    /// The notifications in rows of a query. Damaged rows are reported, and left out.
    public mutating func notifications(in rows: [Row]) -> [Notification] {
        StoredNotification.notifications(in: rows, into: &damage).map(\.notification)
    }
}

extension Notification {
    /// Stores a notification, in the unit of what causes it. When the unit is on disk the recipient's devices are to be
    /// notified: homes have `Effect.notify` for both.
    /// - Parameters:
    ///   - id: a new identifier.
    ///   - now: the lasting time.
    public static func insertion(_ draft: Draft, id: NotificationID, at now: LastingTime) -> Statement {
        StoredNotification.insertion(of: Notification(draft, id: id, at: now))
    }
}
