import CairnConfiguration
import CairnCore
import CairnStore
import CairnTesting
import CairnWire
import Logging
import Testing

@testable import CairnRoot
@testable import CairnServer

/// Settings that are saved whole (PRF-9), and batches of those that waited for a network (SYN-3).
@Suite("Server: saving settings")
struct SaveSettingsTests {
    private static func body(_ edits: [(key: String, value: String)], edited: Int64) -> WireSaveSettings {
        var body = WireSaveSettings()
        body.settings = edits.map { edit in
            var setting = WireSetting()
            (setting.key, setting.value, setting.edited) = (edit.key, edit.value, edited)
            return setting
        }
        return body
    }

    private static let mixed: [(key: String, value: String)] = [
        ("display.thema", "dark"), ("display.theme", "dark"), ("display.theme", "blue"), ("display.objects", "off"),
    ]

    @Test func changeWithoutATime_isSavedWholeOrNotAtAll() {
        let refusal = #expect(throws: Refusal.self) { try SaveSettings(Self.body(Self.mixed, edited: 0)) }
        #expect(refusal?.code == .invalidSetting && refusal?.details["key"] == "display.thema")
    }

    @Test func batch_keepsWhatCanBeSaved() throws {
        let batch = try SaveSettings(Self.body(Self.mixed, edited: 1_700_000_000_000))
        #expect(batch.edits.map(\.key) == ["display.theme", "display.objects"])
        #expect(batch.edits.map(\.value) == ["dark", "off"])
    }

    @Test func batchOfWhichNothingCanBeSaved_isRefused() {
        for edited in [1, -1] as [Int64] {
            let wrong = Self.body(edited < 0 ? Self.mixed : [Self.mixed[0], Self.mixed[2]], edited: edited)
            let refusal = #expect(throws: Refusal.self) { try SaveSettings(wrong) }
            #expect(refusal?.code == .invalidSetting)
        }
    }

    /// Who signs in with a stolen password has a proof, and five seconds before the push of the warning.
    @Test func warningIsSwitchedOff_andTheOneThatWaits_isPushed() async throws {
        let world = try await TemporaryStore.open(migrations: StorageTools.migrations())
        let logger = Logger(label: "settings") { _ in SwiftLogNoOpLogHandler() }
        let signIn = SignIn(
            store: world.store, suspensions: try await Suspensions(store: world.store),
            organisations: try await Organisations(store: world.store, names: NameDirectory()),
            identifiers: IdentifierIssuer(), names: NameDirectory(), clock: ServerClock(),
            configuration: Configuration(), proofs: SignIn.Proofs(), help: Help(), services: .forTests(world.store),
            logger: logger)
        let (ada, print) = (AccountID(rawValue: 7), SQLValue.blob([UInt8](repeating: 1, count: 16)))
        let notice = Notification.Draft(to: ada, kind: .newDevice)
        try await world.commit([
            AccountRecord(id: ada, name: "ada", foldedName: "ada", now: 1).insertion,
            TokenRecord.insertion(print, account: ada, at: signIn.clock.lasting, nil),
            NotificationDevice.registration("phone", in: "en", by: print, of: ada), signIn.notification(notice),
        ])
        let participant = Participant(place: Place(node: NodeID(0), loop: 0), connection: 1, format: .proto)
        let applicant = Applicant(
            user: Applicant.User(
                participant: participant, account: ada, name: "ada", token: TokenName(of: "token"), storedPrint: print),
            address: nil, frontEnd: try #require(FrontEnd("realm")), language: "en", key: "", nonce: "", now: 1,
            shards: [])
        let off = try SaveSettings(Self.body([(NotificationKind.newDevice.settingKey, "off")], edited: 0))
        _ = try await off.run(for: applicant, by: signIn)
        try await world.commit([signIn.notification(notice)])
        await signIn.services.postman.decidePushes(
            after: try await world.read(StoredNotification.due(at: .distantFuture, countMax: 9))[0])
        var damage: [DamagedRow] = []
        let due = try await world.read(OutboxEntry.due(.push, at: .distantFuture, countMax: 9))[0]
        #expect(OutboxEntry.entries(in: due, into: &damage).map(\.kind) == ["new_device"])
        await world.close()
    }
}
