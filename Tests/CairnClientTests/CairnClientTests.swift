import CairnClient
import CairnTime
import CairnWire
import Testing

/// The actor around the core: waiting for answers, coming back, ending.
@Suite(.timeLimit(.minutes(10))) struct CairnClientTests {
    private let transport = ScriptedTransport()
    private let time = ManualTime()

    private func makeClient(options: ClientOptions = ClientOptions()) throws -> CairnClient {
        CairnClient(
            url: try #require(ServerURL("ws://127.0.0.1:8080")), profile: ClientProfile(name: "ada"), options: options,
            transport: transport, time: time.clientTime)
    }

    /// A client with a session, and the connection that carries it.
    private func makeLive(options: ClientOptions = ClientOptions()) async throws -> (CairnClient, ScriptedConnection) {
        let client = try makeClient(options: options)
        async let welcome = client.connect()
        let (connection, _) = await transport.welcome()
        _ = try await welcome
        return (client, connection)
    }

    private func placed(_ number: UInt64) -> WireReply.OneOf_Result {
        var reply = WireReply()
        reply.placed.instance = .make(.number(number))
        return .placed(reply.placed)
    }

    @Test func connect_givesTheWelcome() async throws {
        let client = try makeClient()
        async let welcome = client.connect()
        let (_, hello) = await transport.welcome(.make(session: "s"))
        #expect(try await welcome.session == "s")
        #expect(hello.name == "ada")
        #expect(await client.isLive)
    }

    @Test func connect_whenNobodyListens_throwsUnreachable() async throws {
        let client = try makeClient()
        async let welcome = client.connect()
        await transport.next().receive(.closed(code: 1006, reason: "connection refused"))
        do {
            _ = try await welcome
            Issue.record("it connected")
        } catch {
            #expect((error as? Refusal)?.code == .unreachable)
        }
    }

    @Test func connect_whenHelloIsRefused_throwsTheRefusal() async throws {
        let client = try makeClient()
        async let welcome = client.connect()
        let connection = await transport.next()
        connection.receive(.opened)
        let hello = await connection.sent()
        connection.receive(.refusal(id: hello.id, .unsupportedVersion))
        do {
            _ = try await welcome
            Issue.record("it connected")
        } catch {
            #expect((error as? Refusal)?.code == .unsupportedVersion)
        }
    }

    @Test func place_waitsForItsAnswer() async throws {
        let (client, connection) = try await makeLive()
        async let instance = client.place("preset:heart", pose: .make())
        let request = await connection.sent()
        #expect(request.place.object == "preset:heart")
        connection.receive(.reply(id: request.id, placed(5)))
        #expect(try await instance.id == InstanceID.number(5).description)
    }

    /// PLC-3.
    @Test func place_namesTheSubRealmsThatShareIt() async throws {
        let (client, connection) = try await makeLive()
        async let instance = client.place("preset:heart", pose: .make(), realms: ["garden", "attic"])
        let request = await connection.sent()
        #expect(request.place.realms == ["garden", "attic"])
        connection.receive(.reply(id: request.id, placed(5)))
        _ = try await instance
    }

    @Test func refusal_isThrown() async throws {
        let (client, connection) = try await makeLive()
        async let instance = client.place("preset:heart", pose: .make())
        connection.receive(.refusal(id: await connection.sent().id, .quotaArea))
        do {
            _ = try await instance
            Issue.record("it was placed")
        } catch {
            #expect((error as? Refusal)?.code == .quotaArea)
        }
    }

    @Test func refusalThatIsPassing_isRetriedBehindTheScenes() async throws {
        let (client, connection) = try await makeLive()
        async let instance = client.place("preset:heart", pose: .make())
        let first = await connection.sent()
        connection.receive(.refusal(id: first.id, .tryAgain, retryAfter: .milliseconds(100)))
        await time.skipNextSleep()
        let second = await connection.sent()
        #expect(second.key == first.key)
        connection.receive(.reply(id: second.id, placed(1)))
        _ = try await instance
    }

    @Test func cut_isMended_andWhatWasUnderWayIsSentAgain() async throws {
        let (client, connection) = try await makeLive()
        connection.receive(.snapshot("487604c43", sequence: 3, [.make(.number(1))]))
        async let instance = client.place("preset:heart", pose: .make())
        let first = await connection.sent()
        connection.receive(.closed(code: 1006, reason: ""))
        await time.skipNextSleep()
        let (next, hello) = await transport.welcome(.make(resumed: true))
        #expect(hello.session == "session-1" && hello.cursors.map(\.sequence) == [3])
        let second = await next.sent()
        #expect(second.key == first.key && second.place == first.place)
        next.receive(.reply(id: second.id, placed(2)))
        _ = try await instance
        #expect(await client.view.instance(.number(1)) != nil)
    }

    @Test func closureForGood_isNotFollowedByAConnection() async throws {
        let (client, connection) = try await makeLive()
        connection.receive(.closed(code: 4200, reason: "account_suspended"))
        for await event in client.events {
            guard case .disconnected(let reconnection) = event else { continue }
            #expect(reconnection == .never(reason: "close code 4200"))
            break
        }
        #expect(await !client.isLive)
    }

    @Test func disconnect_endsWhatWaits_andSaysGoodbye() async throws {
        let (client, connection) = try await makeLive()
        async let instance = client.place("preset:heart", pose: .make())
        _ = await connection.sent()
        await client.disconnect()
        do {
            _ = try await instance
            Issue.record("it was placed")
        } catch {
            #expect((error as? Refusal)?.code == .clientClosed)
        }
        #expect(connection.closedWith == 1_000)
        #expect(await client.unansweredCount == 0)
    }

    @Test func cancelledCall_stopsWaiting_butTheChangeStaysUnderWay() async throws {
        let (client, connection) = try await makeLive()
        let call = Task { try await client.place("preset:heart", pose: .make()) }
        _ = await connection.sent()
        call.cancel()
        let result = await call.result
        guard case .failure(let error) = result else {
            Issue.record("it was placed")
            return
        }
        #expect((error as? Refusal)?.code == .cancelled)
        #expect(await client.unansweredCount == 1)
    }

    @Test func positions_areSentAtAFixedRate_atMomentsThatTheServerShifts() async throws {
        let (client, connection) = try await makeLive()
        let sending = Task {
            await client.sendPositions(perSecond: 10) {
                var position = WirePosition()
                position.lat = 45.5
                return position
            }
        }
        #expect(await connection.sent().position.lat == 45.5)
        #expect(await time.skipNextSleep() == .epoch + .milliseconds(100))
        #expect(await connection.sent().position.lat == 45.5)
        var shift = WireItem()
        shift.shiftPositions.milliseconds = 30
        connection.receive(shift)
        for await event in client.events {
            if case .positionsShifted(by: let duration) = event {
                #expect(duration == .milliseconds(30))
                break
            }
        }
        #expect(await time.skipNextSleep() == .epoch + .milliseconds(200))
        #expect(await time.skipNextSleep() == .epoch + .milliseconds(230))
        _ = await connection.sent()
        #expect(await time.skipNextSleep() == .epoch + .milliseconds(330))
        _ = await connection.sent()
        sending.cancel()
        await time.skipNextSleep()
        await sending.value
    }

    @Test func gapInATopic_isMendedByANewConnectionWithoutItsCursor() async throws {
        let (client, connection) = try await makeLive()
        connection.receive(.snapshot("487604c43", sequence: 3), .snapshot("487604c45", sequence: 4))
        connection.receive(.event("487604c43", 5, .enter(.make(.number(1)))))
        await time.skipNextSleep()
        let (_, hello) = await transport.welcome()
        #expect(hello.cursors.map(\.topic) == ["487604c45"])
        #expect(connection.closedWith == 1006)
        withExtendedLifetime(client) {}
    }

    @Test func events_beyondTheBound_areDroppedAndCounted() async throws {
        var options = ClientOptions()
        options.eventsMax = 4
        let (client, connection) = try await makeLive(options: options)
        for number in 1...10 as ClosedRange<UInt64> {
            connection.receive(.snapshot("\(number)", [.make(.number(number))]))
        }
        async let instance = client.place("preset:heart", pose: .make())
        connection.receive(.reply(id: await connection.sent().id, placed(11)))
        _ = try await instance
        // The welcome, ten times appeared and followed, the answer; four of them are kept.
        #expect(await client.eventsDropped == 18)
        #expect(await client.view.instances.count { _ in true } == 10)
    }

    @Test(arguments: [
        ("ws://127.0.0.1:8080", "ws://127.0.0.1:8080/v1"), ("wss://cairn.example", "wss://cairn.example:443/v1"),
        ("ws://[::1]:1/x?y=z", "ws://[::1]:1/x?y=z"),
    ])
    func url_isReadAndCompleted(text: String, full: String) {
        #expect(ServerURL(text)?.description == full)
    }

    @Test(arguments: ["http://a", "ws://", "ws:///v1", "127.0.0.1", "ws://a:99999"])
    func url_thatIsNone_isRefused(text: String) {
        #expect(ServerURL(text) == nil)
    }
}
