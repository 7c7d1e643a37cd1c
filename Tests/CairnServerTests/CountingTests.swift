import CairnConfiguration
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// Invariant 10: whatever is refused or closed shows in `/metrics` under its reason, once.
@Suite("Server: counting", .serialized, .timeLimit(.minutes(10)))
struct CountingTests {
    private static func expect(_ server: ServerBench, closures: [String: Int]) async throws {
        let figures = try await server.figures(until: "the closures \(closures)") { figures in
            figures.family("cairn_closures_total").values.reduce(0, +) >= closures.values.reduce(0, +)
        }
        #expect(figures.family("cairn_closures_total").filter { $0.value > 0 } == closures)
    }

    // MARK: Refusals

    @Test func refusalsOfTheSession_areCountedByCode() async throws {
        try await ServerBench.serving { server in
            let client = try TestClient(port: server.port)
            var seen: [String: Int] = [:]
            func refused(_ body: WireClientMessage.OneOf_Body) async throws {
                seen[try await client.refusal(of: body).code, default: 0] += 1
            }
            try await refused(.placing())
            try await refused(.hello(.make(name: "no spaces, please")))
            var hello = WireHello.make(name: "person")
            hello.frontEnd = "Toaster"
            try await refused(.hello(hello))
            try await client.hello(.make(name: "person"))
            try await refused(.hello(.make(name: "person")))
            var position = WirePosition.make()
            position.lat = 91
            try await refused(.position(position))
            client.send(raw: [0xFF, 0xFF, 0xFF])
            seen["bad_message", default: 0] += 1
            var withoutKey = WireClientMessage()
            withoutKey.id = 1_000
            withoutKey.body = .placing()
            client.send(withoutKey)
            guard case .refusal(let refusal) = try await client.reply(to: 1_000) else { throw BenchError("no refusal") }
            seen[refusal.code, default: 0] += 1
            #expect(
                seen == [
                    "hello_required": 1, "invalid_username": 1, "invalid_field": 2, "bad_position": 1,
                    "bad_message": 1, "missing_field": 1,
                ])
            try await server.expect(refusals: seen)
        }
    }

    @Test func guestsAreRefusedAndCounted() async throws {
        try await ServerBench.serving { server in
            let guest = try TestClient(port: server.port)
            let welcome = try await guest.hello(.make(name: ""))
            #expect(welcome.role == "guest")
            #expect(try await guest.refusal(of: .placing()).code == "not_signed_in")
            #expect(try await guest.refusal(of: .position(.make())).code == "not_signed_in")
            try await server.expect(refusals: ["not_signed_in": 2])
        }
    }

    @Test func refusal_namesItsCorrelation() async throws {
        try await ServerBench.serving { server in
            let client = try TestClient(port: server.port)
            let first = try await client.refusal(of: .placing())
            let second = try await client.refusal(of: .placing())
            #expect(!first.correlation.isEmpty && first.correlation != second.correlation)
        }
    }

    // MARK: Closures

    @Test func wrongVersion_isRefusedClosedAndCounted() async throws {
        try await ServerBench.serving { server in
            let client = try TestClient(port: server.port)
            var hello = WireHello.make()
            hello.version = 99
            #expect(try await client.refusal(of: .hello(hello)).code == "unsupported_version")
            #expect(try await client.closedCode() == 4_100)
            #expect(client.record.closing?.code == "unsupported_version")
            try await Self.expect(server, closures: ["unsupported_version": 1])
        }
    }

    @Test func wrongFrame_isClosedAndCounted() async throws {
        try await ServerBench.serving { server in
            let client = try TestClient(port: server.port, format: .proto)
            client.send(raw: Array("{}".utf8), asText: true)
            #expect(try await client.closedCode() == 1_003)
            try await Self.expect(server, closures: ["wrong_frame": 1])
        }
    }

    @Test func messageBeyondTheLimit_isClosedAndCounted() async throws {
        try await ServerBench.serving { server in
            let client = try TestClient(port: server.port)
            client.send(raw: Array(repeating: 0, count: 65_537))
            #expect(try await client.closedCode() == 1_009)
            try await server.figures(until: "the rejection") {
                $0["cairn_transport_rejections_total{reason=\"messageBytes\"}"] == 1
            }
        }
    }

    @Test func tooManyConnectionsOfOneAccount_areRefusedClosedAndCounted() async throws {
        try await ServerBench.serving(loops: 2, { $0.connections.perAccountMax = 2 }) { server in
            _ = try await server.client("person")
            _ = try await server.client("person")
            let third = try TestClient(port: server.port)
            #expect(try await third.refusal(of: .hello(.make(name: "person"))).code == "too_many_connections")
            #expect(try await third.closedCode() == 4_102)
            try await Self.expect(server, closures: ["too_many_connections": 1])
        }
    }

    @Test func connectionThatSaysNothing_isClosedAndCounted() async throws {
        try await ServerBench.serving(loops: 1, { $0.connections.handshakeSeconds = 1 }) { server in
            let client = try TestClient(port: server.port)
            #expect(try await client.closedCode() == 4_003)
            try await Self.expect(server, closures: ["hello_required": 1])
        }
    }

    @Test func messagesThatKeepComingTooFast_areRefusedThenClosedAndCounted() async throws {
        let change: (inout Configuration) -> Void = { configuration in
            configuration.connections.messagesPerSecond = 1
            configuration.connections.messagesBurst = 5
        }
        try await ServerBench.serving(loops: 1, change) { server in
            let client = try TestClient(port: server.port)
            for _ in 0..<700 { client.push(.position(.make())) }
            #expect(try await client.closedCode() == 4_002)
            try await Self.expect(server, closures: ["rate_limited": 1])
            let figures = try await server.figures()
            #expect(figures["cairn_refusals_total{code=\"rate_limited\"}"] > 0)
        }
    }

    @Test func connectionBeyondTheCap_isCounted() async throws {
        try await ServerBench.serving(loops: 1, { $0.listen.connectionsPerAddress = 2 }) { server in
            let clients = try [TestClient(port: server.port), TestClient(port: server.port)]
            #expect(throws: (any Error).self) { try TestClient(port: server.port) }
            clients[0].close()
            _ = try await clients[0].closedCode()
            try await server.figures(until: "the rejection") {
                $0["cairn_transport_rejections_total{reason=\"admission\"}"] > 0
            }
        }
    }

    // MARK: The pages themselves

    @Test func healthPages_say200WhileTheServerServes() async throws {
        try await ServerBench.serving { server in
            for (path, status) in [("/livez", 200), ("/readyz", 200), ("/nothing", 404)] {
                let answer = try await server.get(path)
                #expect(answer.status == status)
            }
        }
    }
}
