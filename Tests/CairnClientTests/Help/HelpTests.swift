import CairnClient
import CairnWire
import Testing

/// What a client asks for help, and how it shows a refusal in the server's language (PRF-10, ACS-1).
@Suite(.timeLimit(.minutes(10))) struct HelpTests {
    private let transport = ScriptedTransport()
    private let time = ManualTime()

    private func makeLive() async throws -> (CairnClient, ScriptedConnection) {
        let client = CairnClient(
            url: try #require(ServerURL("ws://127.0.0.1:8080")), profile: ClientProfile(language: "fr"),
            transport: transport, time: time.clientTime)
        async let welcome = client.connect()
        let (connection, hello) = await transport.welcome(.make(token: ""))
        #expect(hello.language == "fr")
        _ = try await welcome
        return (client, connection)
    }

    @Test func help_isAskedWithoutAKey_andGivenAsItCame() async throws {
        let (client, connection) = try await makeLive()
        async let help = client.help()
        let request = await connection.sent()
        #expect(request.body == .getHelp(WireGetHelp()) && request.key.isEmpty)
        var answer = WireHelp()
        answer.language = "fr"
        answer.further = "Demandez-nous."
        connection.receive(.reply(id: request.id, .help(answer)))
        #expect(try await help == answer)
    }

    @Test func refusal_saysWhatTheServerSaid() async throws {
        let (client, connection) = try await makeLive()
        async let help = client.help()
        var wire = Refusal(.forbidden).wire(correlation: "")
        wire.message = "Vous n'avez pas le droit de faire cela."
        connection.receive(.reply(id: await connection.sent().id, .refusal(wire)))
        do {
            _ = try await help
            Issue.record("it was answered")
        } catch {
            #expect((error as? Refusal)?.message == "Vous n'avez pas le droit de faire cela.")
            #expect((error as? Refusal)?.code == .forbidden)
        }
    }
}
