import CairnAdaptors
import CairnConfiguration
import CairnCore
import CairnStore
import CairnTesting
import CairnWire
import Logging
import Testing

@testable import CairnServer

/// NTF-3: which notifications a push follows, and to which devices. What happens to the pushes then is as with mails.
@Suite("Pushes (NTF-3)", .timeLimit(.minutes(10)))
struct PushTests {
    private static let ada = AccountID(rawValue: 7)

    private struct Bench {
        let world: TemporaryStore
        let postman: Postman
        let clock = ServerClock()

        static func make() async throws -> Bench {
            let world = try await TemporaryStore.open(migrations: WorldSchema.migrations(of: Nudges.register))
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            // Nothing is sent: the outbox is looked at.
            let adaptors = Adaptors(settings: AdaptorSettings(), logger: logger)
            let postman = Postman(
                store: world.store, adaptors: adaptors, clock: ServerClock(), identifiers: IdentifierIssuer(),
                configuration: Configuration(), logger: logger)
            let account = AccountRecord(id: ada, name: "ada", foldedName: "ada", now: WallTime(milliseconds: 1))
            try await world.commit([account.insertion])
            return Bench(world: world, postman: postman)
        }

        /// Signs a device in.
        func addDevice(_ number: UInt8, pushesTo address: String = "", in language: String = "en") async throws {
            try await world.commit([
                TokenRecord.insertion(Self.print(number), account: ada, at: clock.lasting, nil),
                NotificationDevice.registration(address, in: language, by: Self.print(number), of: ada),
            ])
        }

        func decide() async throws {
            let due = StoredNotification.due(at: clock.lasting, countMax: Postman.decisionsMax)
            await postman.decidePushes(after: try await world.read(due)[0])
        }

        static func print(_ number: UInt8) -> SQLValue { .blob([UInt8](repeating: number, count: 16)) }

        /// Stores one that was caused so long ago.
        func notify(
            _ number: UInt64, _ kind: NotificationKind = .friendRequest, about person: AccountID? = nil,
            age: Duration = .seconds(10)
        ) async throws {
            try await world.commit([
                Notification.insertion(
                    Notification.Draft(to: ada, kind: kind, person: person, label: "Bergen"),
                    id: NotificationID(rawValue: number), at: clock.lasting - age)
            ])
        }

        func receive(_ number: UInt8, through last: Int64) async throws {
            try await world.commit([NotificationDevice.receipt(last, by: Self.print(number), of: ada)])
        }

        /// Where the pushes go that wait and would be sent now.
        var wanted: [String] {
            get async throws {
                var recipients: [String] = []
                for push in try await pushes {
                    if try await postman.isWanted(push) { recipients.append(push.recipient) }
                }
                return recipients.sorted()
            }
        }

        var pushes: [OutboxEntry] {
            get async throws {
                var damage: [DamagedRow] = []
                let rows = try await world.read(OutboxEntry.due(.push, at: clock.lasting, countMax: 100))[0]
                defer { #expect(damage.isEmpty) }
                return OutboxEntry.entries(in: rows, into: &damage)
            }
        }
    }

    @Test func everyDeviceWithAnAddress_isPushedOnce_andNothingOfTheContent() async throws {
        let bench = try await Bench.make()
        try await bench.addDevice(1, pushesTo: "phone")
        try await bench.addDevice(2, pushesTo: "tablet", in: "fr-CA")
        try await bench.addDevice(3)
        try await bench.notify(1)
        for _ in 0..<3 { try await bench.decide() }
        let pushes = try await bench.pushes
        #expect(pushes.map(\.recipient).sorted() == ["phone", "tablet"])
        let texts: Set = ["Somebody wants to be your friend.", "Quelqu'un souhaite devenir votre ami."]
        #expect(Set(pushes.map(\.text)) == texts)
        for push in pushes {
            #expect(Set(push.call(from: "").fields.keys) == ["device", "text", "kind", "date"])
            #expect(!push.text.contains("Bergen") && push.kind == "friend_request" && push.subject.isEmpty)
        }
    }

    @Test func notificationThatADeviceMayStillAcknowledge_waits() async throws {
        let bench = try await Bench.make()
        try await bench.addDevice(1, pushesTo: "phone")
        try await bench.notify(1, age: .seconds(1))
        try await bench.decide()
        #expect(try await bench.pushes.isEmpty)
    }

    @Test func notificationThatADeviceHasAcknowledged_isNotPushed_butAWarningIs() async throws {
        let bench = try await Bench.make()
        try await bench.addDevice(1, pushesTo: "phone")
        try await bench.addDevice(2, pushesTo: "tablet")
        try await bench.notify(1)
        try await bench.notify(2, .newDevice)
        // The intruder's own device may be the one that has.
        try await bench.receive(2, through: .max)
        try await bench.decide()
        #expect(try await bench.pushes.map(\.kind) == ["new_device"])
        #expect(try await bench.pushes.map(\.recipient) == ["phone"])
    }

    @Test func notificationThatIsReadOrOff_isNotPushed() async throws {
        let bench = try await Bench.make()
        try await bench.addDevice(1, pushesTo: "phone")
        try await bench.notify(1)
        try await bench.notify(2, .realmAdded)
        try await bench.notify(3, .realmDeleted)
        var settings = SettingsRecord(account: Self.ada)
        let time = WallTime(milliseconds: 1)
        settings.edit(NotificationKind.realmAdded.settingKey, "off", at: time, now: time)
        try await bench.world.commit([
            settings.saving, StoredNotification.reading(NotificationID(rawValue: 1), of: Self.ada),
        ])
        try await bench.decide()
        #expect(try await bench.pushes.map(\.kind) == ["realm_deleted"])
    }

    /// The intruder may have read it, and switched off what comes next.
    @Test func warningThatIsRead_isPushed() async throws {
        let bench = try await Bench.make()
        try await bench.addDevice(1, pushesTo: "phone")
        try await bench.notify(1, .newDevice)
        try await bench.notify(2, .signInChanged)
        try await bench.world.commit([StoredNotification.reading(upTo: .max, of: Self.ada)])
        try await bench.decide()
        #expect(try await bench.pushes.map(\.kind) == ["new_device", "sign_in_changed"])
    }

    @Test func warningThatIsSwitchedOffAfterwards_isPushedOnce_andTheNextIsNot() async throws {
        let bench = try await Bench.make()
        try await bench.addDevice(1, pushesTo: "phone")
        try await bench.notify(1, .newDevice, age: .zero)
        try await bench.postman.decidePushes(of: [.newDevice], to: Self.ada)
        var settings = SettingsRecord(account: Self.ada)
        let time = WallTime(milliseconds: 1)
        settings.edit(NotificationKind.newDevice.settingKey, "off", at: time, now: time)
        try await bench.world.commit([settings.saving])
        try await bench.notify(2, .newDevice)
        for _ in 0..<2 { try await bench.decide() }
        #expect(try await bench.pushes.map(\.kind) == ["new_device"])
        #expect(try await bench.world.read(StoredNotification.due(at: .distantFuture, countMax: 9))[0].isEmpty)
    }

    // MARK: Pushes that wait

    @Test func waitingPush_goesToNoDeviceThatIsSignedOut() async throws {
        let bench = try await Bench.make()
        try await bench.addDevice(1, pushesTo: "phone")
        try await bench.addDevice(2, pushesTo: "stolen")
        try await bench.notify(1)
        try await bench.decide()
        try await bench.world.commit([TokenRecord.removals(of: Self.ada, except: Bench.print(1))])
        #expect(try await bench.wanted == ["phone"])
        try await bench.world.commit([
            NotificationDevice.registration("other", in: "en", by: Bench.print(1), of: Self.ada)
        ])
        #expect(try await bench.wanted.isEmpty)
        #expect(try await bench.pushes.count == 2)
    }

    @Test func waitingPush_isNotAboutSomebodyWhoIsBlockedMeanwhile() async throws {
        let bench = try await Bench.make()
        try await bench.addDevice(1, pushesTo: "phone")
        let eve = AccountID(rawValue: 9)
        try await bench.notify(1, about: eve)
        try await bench.notify(2)
        try await bench.decide()
        #expect(try await bench.wanted == ["phone", "phone"])
        var relation = Relation(Self.ada, eve)
        relation.block(by: Self.ada, at: 1)
        let account = AccountRecord(id: eve, name: "eve", foldedName: "eve", now: WallTime(milliseconds: 1))
        try await bench.world.commit([account.insertion, relation.saving])
        #expect(try await bench.wanted == ["phone"])
    }

    @Test func language_isThatOfTheSettings_whereOneIsSet() async throws {
        let bench = try await Bench.make()
        try await bench.addDevice(1, pushesTo: "phone", in: "fr")
        var settings = SettingsRecord(account: Self.ada)
        let time = WallTime(milliseconds: 1)
        settings.edit(UserSetting.language, "es", at: time, now: time)
        try await bench.world.commit([settings.saving])
        try await bench.notify(1)
        try await bench.decide()
        #expect(try await bench.pushes.map(\.text) == ["Alguien quiere ser tu amigo."])
    }

    @Test func everyKind_hasASentenceInEveryLanguage() throws {
        for texts in Texts.languages.values {
            for kind in NotificationKind.all { #expect(!texts["push.\(kind.name.text)"].isEmpty) }
        }
    }

    @Test func ofManyNotifications_theNewestAreKept_andTheRestIsCounted() async throws {
        let bench = try await Bench.make()
        for number: UInt64 in 1...80 { try await bench.notify(number) }
        var configuration = Configuration()
        configuration.notifications.countMax = 64
        await bench.postman.apply(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        for _ in 0..<2 { try await bench.decide() }
        let rows = try await bench.world.read(StoredNotification.query(of: Self.ada, after: 0, countMax: 100))[0]
        #expect(try rows.map { try $0.integer(0) } == Array(17...80))
        #expect(bench.postman.figures(.push).dropped == 16)
    }

    @Test func damagedNotification_isReportedAndDecidedOnce() async throws {
        let bench = try await Bench.make()
        try await bench.addDevice(1, pushesTo: "phone")
        try await bench.notify(1)
        try await bench.notify(2)
        try await bench.world.commit([Statement("UPDATE notifications SET kind = 'other' WHERE id = 1")])
        for _ in 0..<2 { try await bench.decide() }
        #expect(try await bench.pushes.count == 1)
        #expect(bench.world.store.damage.count == 1)
    }

    // MARK: Devices

    @Test func deviceThatSignsOut_isForgotten_andOneThatSignsInAgain_goesOn() async throws {
        let bench = try await Bench.make()
        try await bench.addDevice(1, pushesTo: "phone")
        try await bench.addDevice(2, pushesTo: "tablet")
        try await bench.notify(1)
        try await bench.receive(1, through: .max)
        try await bench.world.commit([
            TokenRecord.insertion(Bench.print(3), account: Self.ada, at: bench.clock.lasting, nil),
            NotificationDevice.succession(of: Bench.print(1), by: Bench.print(3)),
            TokenRecord.removals(of: Self.ada, except: Bench.print(3)),
        ])
        var damage: [DamagedRow] = []
        let rows = try await bench.world.read(NotificationDevice.query(of: Self.ada))[0]
        let devices = NotificationDevice.devices(in: rows, into: &damage)
        #expect(devices.map(\.address) == ["phone"] && devices.allSatisfy { $0.received > 0 })
        let unreceived = NotificationDevice.unreceived(by: Bench.print(3), of: Self.ada, after: 0, countMax: 10)
        #expect(try await bench.world.read(unreceived)[0].isEmpty)
    }

    @Test func markOfATokenThatHasEnded_isPassedOver() async throws {
        let bench = try await Bench.make()
        try await bench.receive(9, through: 5)
        #expect(try await bench.world.read(NotificationDevice.query(of: Self.ada))[0].isEmpty)
    }
}
