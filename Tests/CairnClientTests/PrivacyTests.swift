import CairnWire
import Testing

@testable import CairnClient

/// What a client asks about the privacy of its person: the policy, an export, the end of the account (CMP-1 to CMP-3).
@Suite(.timeLimit(.minutes(10))) struct PrivacyTests {
    private let transport = ScriptedTransport()
    private let time = ManualTime()

    /// A client that signed in with a token and a device key, and the connection that carries its session.
    private func makeLive() async throws -> (CairnClient, ScriptedConnection) {
        let client = CairnClient(
            url: try #require(ServerURL("ws://127.0.0.1:8080")),
            profile: ClientProfile(name: "ada", token: "t-1", deviceKey: "d-1"), transport: transport,
            time: time.clientTime)
        async let welcome = client.connect()
        let (connection, _) = await transport.welcome(.make(token: ""))
        _ = try await welcome
        return (client, connection)
    }

    /// Cuts the connection; gives the hello of the one after it.
    private func comeBack(_ connection: ScriptedConnection) async -> WireHello {
        connection.receive(.closed(code: 1006, reason: ""))
        await time.skipNextSleep()
        return await transport.welcome(.make(token: "")).hello
    }

    private func refusal(of call: @Sendable () async throws -> Void) async -> Refusal.Code? {
        do {
            try await call()
            return nil
        } catch {
            return (error as? Refusal)?.code
        }
    }

    private static var exportProof: WireExportAccount {
        var proof = WireExportAccount()
        proof.password = "correct horse"
        return proof
    }

    private static var deletionProof: WireDeleteAccount {
        var proof = WireDeleteAccount()
        proof.password = "correct horse"
        return proof
    }

    @Test func policy_isAskedForInALanguage_withoutAKey_andGivenAsItCame() async throws {
        let (client, connection) = try await makeLive()
        async let policy = client.policy(in: "hi")
        let request = await connection.sent()
        #expect(request.getPolicy.language == "hi" && request.key.isEmpty)
        var answer = WirePolicy()
        answer.version = "2026-11"
        answer.region = "US-VA"
        answer.language = "hi"
        answer.text = "# Title"
        connection.receive(.reply(id: request.id, .policy(answer)))
        #expect(try await policy == answer)
    }

    @Test func policyThatIsAnsweredWithSomethingElse_isRefused() async throws {
        let (client, connection) = try await makeLive()
        async let code = refusal { _ = try await client.policy() }
        connection.receive(.reply(id: await connection.sent().id, .done(WireDone())))
        #expect(await code == .internal)
    }

    @Test func agreement_namesTheVersion_andGivesTheRefusalOfAnotherOne() async throws {
        let (client, connection) = try await makeLive()
        async let code = refusal { try await client.agree(toPolicy: "2025-01") }
        let request = await connection.sent()
        #expect(request.agreePolicy.version == "2025-01" && request.key.isEmpty)
        connection.receive(.refusal(id: request.id, .consentRequired))
        #expect(await code == .consentRequired)
        async let agreed = refusal { try await client.agree(toPolicy: "2026-11") }
        connection.receive(.reply(id: await connection.sent().id, .done(WireDone())))
        #expect(await agreed == nil)
    }

    @Test func export_sendsTheProof_andGivesTheAddress() async throws {
        let (client, connection) = try await makeLive()
        let proof = Self.exportProof
        async let address = client.exportAccount(proof)
        let request = await connection.sent()
        #expect(request.exportAccount == proof && request.key.isEmpty)
        var answer = WireAssetAddress()
        answer.path = "/v1/exports/x"
        connection.receive(.reply(id: request.id, .assetAddress(answer)))
        #expect(try await address == answer)
    }

    @Test func exportThatIsAnsweredWithSomethingElse_isRefused() async throws {
        let (client, connection) = try await makeLive()
        async let code = refusal { _ = try await client.exportAccount(WireExportAccount()) }
        connection.receive(.reply(id: await connection.sent().id, .done(WireDone())))
        #expect(await code == .internal)
    }

    @Test func deletion_makesTheClientAGuests_withoutADeviceKey() async throws {
        let (client, connection) = try await makeLive()
        let proof = Self.deletionProof
        async let code = refusal { try await client.deleteAccount(proof) }
        let request = await connection.sent()
        #expect(request.deleteAccount == proof && request.key.isEmpty)
        connection.receive(.reply(id: request.id, .done(WireDone())))
        #expect(await code == nil)
        let hello = await comeBack(connection)
        #expect(hello.token.isEmpty && hello.session.isEmpty)
        let key = await client.core.profile.deviceKey
        #expect(key.isEmpty)
    }

    @Test func deletionThatIsRefused_leavesThePersonSignedIn() async throws {
        let (client, connection) = try await makeLive()
        async let code = refusal { try await client.deleteAccount(WireDeleteAccount()) }
        connection.receive(.refusal(id: await connection.sent().id, .invalidCredentials))
        #expect(await code == .invalidCredentials)
        #expect(await comeBack(connection).token == "t-1")
        let key = await client.core.profile.deviceKey
        #expect(key == "d-1")
    }
}
