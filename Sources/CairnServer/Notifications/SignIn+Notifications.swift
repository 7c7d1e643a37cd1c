internal import CairnCore
internal import CairnStore
internal import CairnWire

/// Notifications on their way to one device.
struct NotificationBatch: Sendable {
    let notifications: [WireNotification]
    /// How many the person has not read.
    let unread: Int
    /// The number of the last that was looked at; nil = there was none.
    let last: Int64?
    /// Whether there may be more behind it.
    let isFull: Bool
}

/// Reads the notifications of an account as its devices are sent them.
extension SignIn {
    /// Notifications that a device is sent at once, and that it may leave unacknowledged.
    static let notificationsMax = 64

    /// The notifications that a device has not received, at most one message of them.
    /// - Parameters:
    ///   - token: of the device's sign-in. One of the app's backend has no mark on the disk, so its session gets what
    ///     is not read.
    ///   - number: what the connection has been sent.
    ///   - hidden: the people with a block between them and the account, as the connection knows them.
    func unreceived(
        by token: String, of account: AccountID, after number: Int64, without hidden: Set<AccountID>
    ) async throws -> NotificationBatch {
        let print = Self.storedPrint(of: token)
        let answers = try await store.read([
            NotificationDevice.unreceived(
                by: print ?? .null, of: account, after: number, countMax: Self.notificationsMax),
            StoredNotification.unread(of: account),
        ])
        guard !answers[0].isEmpty || !answers[1].isEmpty else {
            return NotificationBatch(notifications: [], unread: 0, last: nil, isFull: false)
        }
        let wanted = try await wanted(by: account, without: hidden)
        let stored = read(answers[0]).filter { wanted.admits($0) && (print != nil || !$0.isRead) }
        return NotificationBatch(
            notifications: wire(stored), unread: try await unreadCount(of: account, wanted, answers[1]),
            last: answers[0].last.flatMap(StoredNotification.number), isFull: answers[0].count == Self.notificationsMax)
    }

    /// A page of all notifications of an account, newest first.
    /// - Parameters:
    ///   - number: of the last one of the page before; nil = the first page.
    ///   - hidden: the people with a block between them and the account, as the connection knows them.
    func page(
        of account: AccountID, before number: Int64?, count: Int, without hidden: Set<AccountID>
    ) async throws -> WireNotificationPage {
        let answers = try await store.read([
            StoredNotification.query(of: account, before: number ?? .max, countMax: count + 1),
            StoredNotification.unread(of: account),
        ])
        let (rows, wanted) = (answers[0].prefix(count), try await wanted(by: account, without: hidden))
        var page = WireNotificationPage()
        page.notifications = wire(read(rows).filter(wanted.admits))
        page.unread = UInt32(clamping: try await unreadCount(of: account, wanted, answers[1]))
        page.mark = rows.first.flatMap(StoredNotification.number).map(mark) ?? ""
        if answers[0].count > count { page.next = rows.last.flatMap(StoredNotification.number).map(mark) ?? "" }
        return page
    }

    /// Of a token that the server has issued and stored; nil = the app's backend has issued it.
    static func storedPrint(of token: String) -> SQLValue? { AppToken.isShaped(token) ? nil : print(of: token) }

    /// Stores a notification, in the unit of what causes it. `EntranceAnswer.notified` then names its recipient.
    func notification(_ draft: Notification.Draft) -> Statement {
        Notification.insertion(draft, id: identifiers.next(NotificationTag.self, at: clock.now), at: clock.lasting)
    }

    private func read(_ rows: some Sequence<Row>) -> [StoredNotification] {
        var damage: [DamagedRow] = []
        defer { store.report(damage) }
        return StoredNotification.notifications(in: Array(rows), into: &damage)
    }

    /// The connection knows each block whose answer has left, and each end of one (`Membership`), so nothing is read of
    /// what the account and others are to each other.
    private func wanted(
        by account: AccountID, without hidden: Set<AccountID>
    ) async throws -> WantedNotifications {
        let answers = try await store.read([SettingsRecord.query(account)])
        return WantedNotifications(switches: NotificationSwitches(settings(in: answers[0])), hidden: hidden)
    }

    /// How many a person has not read.
    /// - Parameter counts: the answer to `StoredNotification.unread(of:)`. The person who caused a notification is
    ///   sealed, so the rows themselves are read where there is a block.
    private func unreadCount(
        of account: AccountID, _ wanted: WantedNotifications, _ counts: [Row]
    ) async throws -> Int {
        guard !wanted.hidden.isEmpty else {
            return StoredNotification.unreadCount(in: counts, wanted.switches.isOn)
        }
        return read(try await store.read([StoredNotification.unreadOnes(of: account)])[0]).count(where: wanted.admits)
    }

    // MARK: On the wire

    /// The name of a number for clients.
    func mark(_ number: Int64) -> String {
        identifiers.name(of: NotificationID(rawValue: UInt64(bitPattern: number)))
    }

    /// The number that a mark names; nil = it is none.
    func number(of mark: String) -> Int64? {
        identifiers.identifier(named: mark, NotificationTag.self).map { Int64(bitPattern: $0.rawValue) }
            .flatMap { $0 > 0 ? $0 : nil }
    }

    private func wire(_ stored: [StoredNotification]) -> [WireNotification] {
        let (now, lasting) = (clock.now, clock.lasting)
        return stored.map { stored in
            let notification = stored.notification
            var wire = WireNotification()
            wire.id = identifiers.name(of: notification.id)
            wire.kind = notification.kind.name.text
            wire.at = (now + (notification.at - lasting)).milliseconds
            wire.read = stored.isRead
            if let person = notification.person, let name = names.people.name(of: person) {
                wire.person = identifiers.name(of: person)
                wire.personName = name
            }
            wire.realm = notification.realm.map { identifiers.name(of: $0) } ?? ""
            wire.instance = notification.instance.map { identifiers.name(of: $0) } ?? ""
            wire.label = notification.label
            return wire
        }
    }
}

/// The choice of notifications for a person, by their switches and blocks.
private struct WantedNotifications {
    let switches: NotificationSwitches
    /// People with a block between them and the person: nothing that they have caused counts (FRD-7).
    let hidden: Set<AccountID>

    func admits(_ stored: StoredNotification) -> Bool {
        switches.isOn(stored.notification.kind) && stored.notification.person.map(hidden.contains) != true
    }
}

/// The kinds that a person has switched on and off (NTF-2). Without a setting most kinds are on.
struct NotificationSwitches: Sendable {
    private let chosen: [String: String]

    init(_ settings: [WireSetting]) {
        chosen = Dictionary(settings.map { ($0.key, $0.value) }) { first, _ in first }
    }

    func isOn(_ kind: NotificationKind) -> Bool {
        kind.isOptIn ? chosen[kind.settingKey] == "on" : chosen[kind.settingKey] != "off"
    }
}
