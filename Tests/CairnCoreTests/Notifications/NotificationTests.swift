import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// NTF-1: a notification is a row of the turn that causes it.
@Suite("Notifications")
struct NotificationTests {
    private static let recipient = AccountID.make(7)

    private static func draft(_ kind: NotificationKind = .friendRequest, label: String = "") -> Notification.Draft {
        Notification.Draft(to: recipient, kind: kind, person: .make(8), label: label)
    }

    // MARK: From a turn

    @Test func devicesAreNotified_whenTheRowIsOnDisk() throws {
        var home = HomeBench.make(disk: .later, register: .things)
        #expect(home.hear(Nudge(Self.draft())).isEmpty)
        let statement = try #require(home.pending.first?.statements.first)
        #expect(home.pending.count == 1 && statement.sql.text.hasPrefix("INSERT INTO notifications"))
        #expect(home.commit().notified == [Self.recipient])
    }

    @Test func turnThatTheStoreRefuses_notifiesNobody() {
        var home = HomeBench.make(disk: .later, register: .things)
        home.hear(Nudge(Self.draft()))
        #expect(home.refuse().notified.count == 1, "a message that reports a fact is heard again; nothing is written")
        #expect(home.kept.isEmpty)
    }

    @Test func questionThatNotifies_needsTheDisk() {
        #expect(Effect.notify(Self.draft()).needsDisk && Effect.notify(Self.draft()).isKept)
    }

    // MARK: On the disk

    @Test func row_isReadAsItWasWritten() async throws {
        let world = try await TemporaryStore.open(.things)
        let draft = Notification.Draft(
            to: Self.recipient, kind: .realmInvitation, person: .make(8), realm: RealmID(rawValue: 9),
            instance: .make(10), label: "Bergen")
        try await world.commit([Notification.insertion(draft, id: NotificationID(rawValue: 5), at: 1_000)])
        let stored = try await Self.all(in: world)
        let expected = Notification(draft, id: NotificationID(rawValue: 5), at: 1_000)
        #expect(stored.map(\.notification) == [expected])
        #expect(stored.first?.isRead == false)
        await world.close()
    }

    /// A device's mark is a number: what is committed later has a later one, whatever its id.
    @Test func number_followsTheOrderOfCommits() async throws {
        let world = try await TemporaryStore.open(.things)
        for id: UInt64 in [50, 20, 51, 10] {
            try await world.commit([
                Notification.insertion(Self.draft(), id: NotificationID(rawValue: id), at: 1_000)
            ])
        }
        let stored = try await Self.all(in: world)
        #expect(stored.map(\.notification.id.rawValue) == [50, 20, 51, 10])
        #expect(Set(stored.map(\.number)).count == 4)
        await world.close()
    }

    /// Marks outlive the notifications that they were of.
    @Test func number_doesNotBeginAnew_whenAllHaveExpired() async throws {
        let world = try await TemporaryStore.open(.things)
        try await world.commit([Notification.insertion(Self.draft(), id: NotificationID(rawValue: 50), at: 1_000)])
        let mark = try #require(try await Self.all(in: world).first?.number)
        try await world.expire(StoredNotification.expiries(before: 1_001))
        #expect(try await Self.all(in: world).isEmpty)
        try await world.commit([Notification.insertion(Self.draft(), id: NotificationID(rawValue: 51), at: 2_000)])
        #expect(try await Self.all(in: world, after: mark).count == 1)
        await world.close()
    }

    @Test func surplus_isTheOldest() async throws {
        let world = try await TemporaryStore.open(.things)
        for id: UInt64 in 1...10 {
            try await world.commit([Notification.insertion(Self.draft(), id: NotificationID(rawValue: id), at: 1_000)])
        }
        try await world.commit([StoredNotification.surplus(of: Self.recipient, beyond: 3)])
        #expect(try await Self.all(in: world).map(\.notification.id.rawValue) == [8, 9, 10])
        try await world.commit([StoredNotification.surplus(of: Self.recipient, beyond: 3)])
        #expect(try await Self.all(in: world).count == 3)
        await world.close()
    }

    @Test func unread_areCountedByKind_andNotThoseThatAreSwitchedOff() async throws {
        let world = try await TemporaryStore.open(.things)
        let kinds: [NotificationKind] = [.friendRequest, .friendRequest, .realmAdded]
        for (id, kind) in kinds.enumerated() {
            try await world.commit([
                Notification.insertion(Self.draft(kind), id: NotificationID(rawValue: UInt64(id + 1)), at: 1_000)
            ])
        }
        try await world.commit([StoredNotification.reading(NotificationID(rawValue: 1), of: Self.recipient)])
        let rows = try await world.read(StoredNotification.unread(of: Self.recipient))[0]
        #expect(StoredNotification.unreadCount(in: rows) { _ in true } == 2)
        #expect(StoredNotification.unreadCount(in: rows) { $0 != .realmAdded } == 1)
        await world.close()
    }

    @Test func anotherAccount_marksNothingAsRead() async throws {
        let world = try await TemporaryStore.open(.things)
        try await world.commit([Notification.insertion(Self.draft(), id: NotificationID(rawValue: 1), at: 1_000)])
        try await world.commit([StoredNotification.reading(NotificationID(rawValue: 1), of: .make(8))])
        #expect(try await Self.all(in: world).map(\.isRead) == [false])
        await world.close()
    }

    private static func all(in world: TemporaryStore, after number: Int64 = 0) async throws -> [StoredNotification] {
        let rows = try await world.read(StoredNotification.query(of: recipient, after: number, countMax: 100))[0]
        var damage: [DamagedRow] = []
        let stored = StoredNotification.notifications(in: rows, into: &damage)
        #expect(damage.isEmpty)
        return stored
    }

    // MARK: Bounds

    @Test func labelThatIsTooLong_isCutToWholeCharacters() {
        let label = Self.draft(label: String(repeating: "é", count: 200)).label
        #expect(label.count == 128 && label.utf8.count == Notification.labelBytesMax)
        #expect(Self.draft(label: "Bergen").label == "Bergen")
    }

    @Test func kinds_areFoundByTheirNames() {
        for kind in NotificationKind.all { #expect(NotificationKind.named(kind.name.text) == kind) }
        #expect(NotificationKind.named("weather_of_tomorrow") == nil)
        #expect(NotificationKind.friendRequest.settingKey == "notifications.friend_request")
    }
}

/// Has the receiving home notify somebody.
private struct Nudge: HomeMessage {
    static let kind: StaticText = "nudges.nudge"
    let draft: Notification.Draft

    init(_ draft: Notification.Draft) { self.draft = draft }

    init(payload: [UInt8], register: FeatureRegister) {
        self.init(Notification.Draft(to: AccountID(rawValue: payload.numbers[0]), kind: .friendRequest))
    }

    var payload: [UInt8] { [UInt8](numbers: [draft.recipient.rawValue]) }

    func heard(in turn: inout Turn) -> [Effect] { [.notify(draft)] }
}
