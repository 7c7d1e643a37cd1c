import CairnConfiguration
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// SES-11: whoever comes back goes on where they were.
@Suite("Server: coming back", .serialized, .timeLimit(.minutes(10)))
struct ResumeTests {
    @Test(arguments: [1, 2])
    func comingBackInTime_givesExactlyWhatWasMissed(loops: Int) async throws {
        try await ServerBench.serving(loops: loops) { server in
            let placer = try await server.client("placer", at: Ground.here.centre)
            let before = try await placer.place(at: Ground.here.centre)
            let first = try TestClient(port: server.port)
            let welcome = try await first.hello(.make(name: "person"))
            try await first.stand(at: Ground.here.centre)
            try await first.wait(until: "the instance") { $0.instances[before.id] != nil }
            first.abort()
            _ = try await first.closedCode()
            var missed: [String] = []
            for step in 0..<5 { missed.append(try await placer.place(at: Ground.here.at(east: Double(step))).id) }

            let topics = first.record.topics
            let second = try TestClient(port: server.port, topics: topics)
            var hello = WireHello.make(token: welcome.token, cursors: ClientRecord.cursors(of: topics))
            hello.session = welcome.session
            let again = try await second.hello(hello)
            #expect(again.resumed)
            #expect(again.session == welcome.session)
            try await second.wait(until: "what was missed") { $0.instances.count == 6 }
            let record = second.record
            #expect(record.faults.isEmpty)
            #expect(record.topics.values.allSatisfy { $0.snapshotCount == 0 })
            #expect(record.topics[Ground.here.cell.token]?.history.suffix(5).map(\.id) == missed)
        }
    }

    @Test func comingBackTooLate_givesAFreshSnapshot() async throws {
        try await ServerBench.serving(loops: 1, { $0.cells.ringEvents = 2 }) { server in
            let placer = try await server.client("placer", at: Ground.here.centre)
            let first = try TestClient(port: server.port)
            let welcome = try await first.hello(.make(name: "person"))
            try await first.stand(at: Ground.here.centre)
            first.abort()
            _ = try await first.closedCode()
            for step in 0..<5 { _ = try await placer.place(at: Ground.here.at(east: Double(step))) }
            let topics = first.record.topics
            let second = try TestClient(port: server.port, topics: topics)
            var hello = WireHello.make(token: welcome.token, cursors: ClientRecord.cursors(of: topics))
            hello.session = welcome.session
            try await second.hello(hello)
            try await second.wait(until: "the whole state") { $0.instances.count == 5 }
            #expect(second.record.faults.isEmpty)
            #expect(second.record.topics[Ground.here.cell.token]?.snapshotCount == 1)
        }
    }

    @Test func token_resumesTheAccount() async throws {
        try await ServerBench.serving { server in
            let first = try TestClient(port: server.port)
            let welcome = try await first.hello(.make(name: "person"))
            let second = try TestClient(port: server.port)
            let again = try await second.hello(.make(name: "", token: welcome.token))
            #expect(again.account == welcome.account && again.name == "person")
        }
    }

    @Test func signingOut_endsTheTokenAndThePosition() async throws {
        try await ServerBench.serving { server in
            let person = try TestClient(port: server.port)
            let welcome = try await person.hello(.make(name: "person"))
            try await person.stand(at: Ground.here.centre)
            _ = try await person.ask(.signOut(WireSignOut()))
            #expect(try await person.refusal(of: .placing()).code == "not_signed_in")
            try await server.figures(until: "nobody") { $0["cairn_people"] == 0 }
            let second = try TestClient(port: server.port)
            let again = try await second.hello(.make(name: "", token: welcome.token))
            #expect(again.role == "guest" && again.tokenExpired)
        }
    }
}
