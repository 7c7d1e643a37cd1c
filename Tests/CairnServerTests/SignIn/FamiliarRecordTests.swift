import CairnConfiguration
import CairnCore
import CairnCredentials
import CairnStore
import CairnTesting
import CairnWire
import Logging
import Testing

@testable import CairnRoot
@testable import CairnServer

/// Devices and addresses that an account knows (ACC-4).
@Suite("Familiar devices")
struct FamiliarRecordTests {
    @Test func manyDevices_leaveTheNewest() async throws {
        let world = try await TemporaryStore.open(migrations: StorageTools.migrations())
        let (ada, eve) = (AccountID(rawValue: 1), AccountID(rawValue: 2))
        for (account, name) in [(ada, "ada"), (eve, "eve")] {
            try await world.commit([AccountRecord(id: account, name: name, foldedName: name, now: 1).insertion])
        }
        func note(_ account: AccountID, _ number: Int) async throws {
            let now = LastingTime(milliseconds: Int64(number))
            try await world.commit(FamiliarRecord.notes(account, [.device(key: "\(number)")], at: now))
        }
        try await note(eve, 0)
        for number in 0..<FamiliarRecord.countMax + 3 { try await note(ada, number) }
        // Used once more, so it is one of the newest.
        try await note(ada, 3 + FamiliarRecord.countMax)
        let rows = try await world.read(
            Query("SELECT count(*) FROM familiar WHERE account = ?", .integer(Int64(ada.rawValue))))[0]
        #expect(try rows[0].integer(0) == Int64(FamiliarRecord.countMax))
        var damage: [DamagedRow] = []
        for (account, number, isKnown) in [(ada, 3, false), (ada, 4, true), (ada, 203, true), (eve, 0, true)] {
            let answer = try await world.read(FamiliarRecord.query(account, .device(key: "\(number)")))[0]
            #expect(FamiliarRecord.isKnown(answer, &damage) == isKnown, "\(number)")
        }
        #expect(damage.isEmpty)
        await world.close()
    }

    @Test func signInThatIsRefusedForItsPace_writesNothing() async throws {
        let world = try await TemporaryStore.open(migrations: StorageTools.migrations())
        let signIn = SignIn(
            store: world.store, suspensions: try await Suspensions(store: world.store),
            organisations: try await Organisations(store: world.store, names: NameDirectory()),
            identifiers: IdentifierIssuer(), names: NameDirectory(), clock: ServerClock(),
            configuration: Configuration(), proofs: SignIn.Proofs(), help: Help(), services: .forTests(world.store),
            logger: Logger(label: "familiar") { _ in SwiftLogNoOpLogHandler() })
        let applicant = Applicant(
            user: nil, address: nil, frontEnd: try #require(FrontEnd("realm")), language: "en", key: "", nonce: "",
            now: 1, refusalByPace: { _ in Refusal(.rateLimited) }, shards: [])
        let ada = AccountID(rawValue: 1)
        var credentials = CredentialsRecord(account: ada)
        credentials.password = try await signIn.hash(PreparedPassword("Correct horse 7"), for: applicant).text
        try await world.commit([
            AccountRecord(id: ada, name: "ada", foldedName: "ada", now: 1).insertion, credentials.insertion,
        ])
        var body = WireSignIn()
        (body.login, body.password) = ("ada", "Correct horse 7")
        let command = try SignInByPassword(body)
        let refusal = await #expect(throws: Refusal.self) { try await command.run(for: applicant, by: signIn) }
        #expect(refusal?.code == .rateLimited)
        for query in [Query("SELECT count(*) FROM familiar"), Query("SELECT count(*) FROM tokens")] {
            #expect(try await world.read(query)[0][0].integer(0) == 0)
        }
        await world.close()
    }
}
