import CairnConfiguration
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// SES-10: cells sleep when nobody needs them and wake as they were; so does the whole server.
@Suite("Server: sleep and restart", .serialized, .timeLimit(.minutes(10)))
struct SleepTests {
    /// Leaves some things behind, in every state that things can be in; gives what is to be seen then.
    private static func leaveThings(_ server: ServerBench) async throws -> [String: WireInstance] {
        let person = try await server.client("person", at: Ground.here.centre)
        let other = try await server.client("other", at: Ground.here.centre)
        var instances: [WireInstance] = []
        for index in 0..<6 {
            let pose = WirePose.make(at: Ground.here.between(Double(index) / 10), scale: 1 + Double(index) / 3)
            guard case .placed(let placed) = try await person.ask(.placing("preset:star", pose)) else { continue }
            instances.append(placed.instance)
        }
        _ = try await other.ask(.reacting("like", to: instances[0]))
        _ = try await person.ask(.reacting("wow", to: instances[0]))
        _ = try await person.ask(.editing(instances[1], to: .make(heightMetres: 99.125)))
        _ = try await person.ask(.editing(instances[2], to: .make(at: Ground.here.between(0.65))))
        _ = try await person.ask(.removing(instances[3]))
        let last = try await server.client("last", at: Ground.here.centre)
        let seen = last.record.instances
        // Figures are up to a second old: those of before are not those of afterwards.
        try await server.figures(until: "cells to be awake") { $0["cairn_cells_awake"] > 0 }
        for client in [person, other, last] {
            client.close()
            _ = try await client.closedCode()
        }
        return seen
    }

    private static func epochs(_ client: TestClient) -> [UInt64] {
        client.record.topics.values.compactMap(\.epoch).sorted()
    }

    @Test(arguments: [1, 2])
    func sleepingCells_wakeWithTheIdenticalState(loops: Int) async throws {
        try await ServerBench.serving(loops: loops, { $0.cells.sleepSeconds = 0 }) { server in
            let before = try await Self.leaveThings(server)
            #expect(before.count == 5)
            try await server.figures(until: "all cells to sleep") { $0["cairn_cells_awake"] == 0 }
            let client = try await server.client("later", at: Ground.here.centre)
            #expect(client.record.instances == before)
            #expect(client.record.faults.isEmpty)
        }
    }

    @Test func cellThatSomebodyWatches_staysAwake() async throws {
        try await ServerBench.serving(loops: 1, { $0.cells.sleepSeconds = 0 }) { server in
            let client = try await server.client("person", at: Ground.here.centre)
            let view = client.record.topics.count
            // Two figures later than the first that shows the whole view.
            try await server.figures(until: "the view") { $0["cairn_cells_awake"] >= view }
            let sweeps = try await server.figures()["cairn_messages_received_total"]
            try await client.move(to: Ground.here.at(east: 1))
            let figures = try await server.figures(until: "another sweep") {
                $0["cairn_messages_received_total"] > sweeps
            }
            #expect(figures["cairn_cells_awake"] == view)
            #expect(figures["cairn_cell_wakeups_total"] == view)
        }
    }

    @Test func wokenCell_numbersItsEventsInANewEpoch() async throws {
        try await ServerBench.serving(loops: 1, { $0.cells.sleepSeconds = 0 }) { server in
            let first = try await server.client("first", at: Ground.here.centre)
            _ = try await first.place(at: Ground.here.centre)
            let (epochs, topics) = (Self.epochs(first), first.record.topics)
            try await server.figures(until: "cells to be awake") { $0["cairn_cells_awake"] > 0 }
            first.close()
            _ = try await first.closedCode()
            try await server.figures(until: "all cells to sleep") { $0["cairn_cells_awake"] == 0 }

            // A cursor of the old epoch must never be read as "nothing missed".
            let second = try TestClient(port: server.port, topics: topics)
            try await second.hello(.make(name: "second", cursors: ClientRecord.cursors(of: topics)))
            try await second.stand(at: Ground.here.centre)
            #expect(Set(Self.epochs(second)).isDisjoint(with: epochs))
            #expect(second.record.topics.values.allSatisfy { $0.snapshotCount == 1 && $0.continuedCount == 0 })
        }
    }

    @Test func restartedServer_showsTheIdenticalState() async throws {
        let first = try await ServerBench.start()
        let before = try await Self.leaveThings(first)
        await first.stop()
        let second = try await ServerBench.start(in: first.folder)
        let client = try await second.client("later", at: Ground.here.centre)
        #expect(client.record.instances == before)
        await second.stop()
    }

    @Test func stop_tellsEverybodyToComeBackAndLosesNothingAcknowledged() async throws {
        let first = try await ServerBench.start(loops: 2)
        let person = try await first.client("person", at: Ground.here.centre)
        for _ in 0..<200 { person.push(.placing()) }
        await first.stop()
        #expect(try await person.closedCode() == 1_012)
        #expect(person.record.closing?.code == "server_shutdown")
        #expect(person.record.closing?.hasReconnectAfter == true)
        let acknowledged = person.record.replies.values.compactMap { reply in
            if case .placed(let placed) = reply.result { placed.instance.id } else { nil }
        }
        let second = try await ServerBench.start(in: first.folder)
        let later = try await second.client("later", at: Ground.here.centre)
        #expect(Set(later.record.instances.keys).isSuperset(of: acknowledged))
        await second.stop()
    }
}
