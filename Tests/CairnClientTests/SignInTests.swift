import CairnClient
import CairnWire
import Testing

/// A client's sign-in while it is connected: renewed by its own app, ended by the server (ACC-6, ACC-12).
@Suite(.timeLimit(.minutes(10))) struct SignInTests {
    private let transport = ScriptedTransport()
    private let time = ManualTime()

    /// A client that signed in with a token, and the connection that carries its session.
    private func makeLive() async throws -> (CairnClient, ScriptedConnection) {
        let client = CairnClient(
            url: try #require(ServerURL("ws://127.0.0.1:8080")), profile: ClientProfile(name: "ada", token: "old"),
            transport: transport, time: time.clientTime)
        async let welcome = client.connect()
        let (connection, _) = await transport.welcome(.make(token: ""))
        _ = try await welcome
        return (client, connection)
    }

    /// Cuts the connection; gives the one after it.
    private func cut(_ connection: ScriptedConnection) async -> (connection: ScriptedConnection, hello: WireHello) {
        connection.receive(.closed(code: 1006, reason: ""))
        await time.skipNextSleep()
        return await transport.welcome(.make(token: ""))
    }

    @Test func refresh_sendsTheToken_andGivesWhenItExpires() async throws {
        let (client, connection) = try await makeLive()
        async let expires = client.refresh("new")
        let request = await connection.sent()
        #expect(request.refresh.token == "new" && request.key.isEmpty)
        connection.receive(.reply(id: request.id, refreshed(at: 1_800_000_000_000)))
        #expect(try await expires == 1_800_000_000_000)
    }

    @Test func tokenThatWasTaken_isTheOneToComeBackWith() async throws {
        let (client, connection) = try await makeLive()
        async let expires = client.refresh("new")
        connection.receive(.reply(id: await connection.sent().id, refreshed(at: 1)))
        _ = try await expires
        #expect(await cut(connection).hello.token == "new")
    }

    @Test func tokenThatWasRefused_leavesTheOneBefore() async throws {
        let (client, connection) = try await makeLive()
        async let expires = client.refresh("bad")
        connection.receive(.refusal(id: await connection.sent().id, .tokenInvalid))
        do {
            _ = try await expires
            Issue.record("it was taken")
        } catch {
            #expect((error as? Refusal)?.code == .tokenInvalid)
        }
        #expect(await cut(connection).hello.token == "old")
    }

    @Test func refreshThatIsAnsweredWithSomethingElse_isRefused() async throws {
        let (client, connection) = try await makeLive()
        async let expires = client.refresh("new")
        connection.receive(.reply(id: await connection.sent().id, .done(WireDone())))
        do {
            _ = try await expires
            Issue.record("it was taken")
        } catch {
            #expect((error as? Refusal)?.code == .internal)
        }
        #expect(await cut(connection).hello.token == "old")
    }

    @Test func signedOut_isTold_withItsReason() async throws {
        let (client, connection) = try await makeLive()
        connection.receive(.signedOut("token_expired"))
        for await event in client.events {
            guard case .signedOut(let signedOut) = event else { continue }
            #expect(signedOut.code == "token_expired")
            break
        }
    }

    @Test func clientThatWasSignedOut_comesBackAsAGuest_andSaysNoPlace() async throws {
        let (client, connection) = try await makeLive()
        await client.move(to: WirePosition())
        _ = await connection.sent()
        connection.receive(.signedOut("token_invalid"))
        let (next, hello) = await cut(connection)
        #expect(hello.token.isEmpty && hello.session.isEmpty)
        // Before the cut the position would have been the first thing said after the welcome.
        async let instance = client.place("preset:heart", pose: .make())
        let request = await next.sent()
        #expect(request.place.object == "preset:heart")
        next.receive(.refusal(id: request.id, .notSignedIn))
        do {
            _ = try await instance
            Issue.record("a guest placed something")
        } catch {
            #expect((error as? Refusal)?.code == .notSignedIn)
        }
    }

    private func refreshed(at time: Int64) -> WireReply.OneOf_Result {
        var refreshed = WireRefreshed()
        refreshed.expires = time
        return .refreshed(refreshed)
    }
}
