import CairnConfiguration
import CairnGeo
import CairnTesting
import CairnWire
import Foundation
import Testing

/// SES-8 end to end: told to resynchronise, then the same as everybody; closed when it stays behind.
@Suite("Server: slow consumers", .serialized, .timeLimit(.minutes(10)))
struct SlowConsumerTests {
    /// A thing of some 4 KB, so that few fill an outbox.
    private static func heavy(_ index: Int) -> WireClientMessage.OneOf_Body {
        var pose = WirePose.make(at: Ground.here.at(east: Double(index % 50)), anchorID: "a\(index)")
        pose.anchor.data = Data(repeating: UInt8(truncatingIfNeeded: index), count: 4_000)
        return .placing("preset:flag", pose)
    }

    private static func slow(_ server: ServerBench) async throws -> TestClient {
        let client = try TestClient(port: server.port, receiveBufferBytes: 8_192)
        try await client.hello(.make(name: "slow"))
        try await client.stand(at: Ground.here.centre)
        client.pauseReading()
        return client
    }

    /// Places until events for somebody had to be dropped; gives how many were placed.
    private static func placeUntilDropped(_ server: ServerBench, _ placer: TestClient) async throws -> Int {
        var count = 0
        repeat {
            let first = count
            _ = try await atOnce(50) { try await placer.ask(heavy(first + $0)) }
            count += 50
        } while try await server.figures()["cairn_drops_total{reason=\"outbox_full\"}"] == 0 && count < 3_000
        return count
    }

    @Test(arguments: [1, 2])
    func slowConsumer_isToldToResynchroniseAndThenConverges(loops: Int) async throws {
        let change: (inout Configuration) -> Void = { $0.connections.outboxBytesMax = 65_536 }
        try await ServerBench.serving(loops: loops, change) { server in
            let slow = try await Self.slow(server)
            let placer = try await server.client("placer", at: Ground.here.centre)
            let count = try await Self.placeUntilDropped(server, placer)
            slow.resumeReading()
            try await slow.wait(until: "the whole state") { record in
                record.instances.count == count && record.topics.values.allSatisfy { !$0.isResynchronising }
            }
            _ = try await placer.ask(Self.heavy(count))
            try await slow.wait(until: "what came after") { $0.instances.count == count + 1 }
            #expect(slow.record.faults.isEmpty)
            #expect(slow.record.items.contains { if case .resync = $0.body { true } else { false } })
            #expect(slow.record.instances == placer.record.instances)
            try await server.figures(until: "the count") { $0["cairn_resynchronisations_total"] > 0 }
        }
    }

    @Test func slowConsumer_doesNotDelayTheOthers() async throws {
        try await ServerBench.serving(loops: 1, { $0.connections.outboxBytesMax = 65_536 }) { server in
            let slow = try await Self.slow(server)
            let placer = try await server.client("placer", at: Ground.here.centre)
            let viewer = try await server.client("viewer", at: Ground.here.centre)
            let count = try await Self.placeUntilDropped(server, placer)
            try await viewer.wait(until: "all instances") { $0.instances.count == count }
            #expect(viewer.record.faults.isEmpty)
            #expect(viewer.record.topics[Ground.here.cell.token]?.snapshotCount == 1)
            slow.abort()
        }
    }

    @Test func consumerThatStaysBehind_isClosedAndCounted() async throws {
        let change: (inout Configuration) -> Void = { configuration in
            configuration.connections.outboxBytesMax = 65_536
            configuration.connections.behindSecondsMax = 1
        }
        try await ServerBench.serving(loops: 1, change) { server in
            let slow = try await Self.slow(server)
            let placer = try await server.client("placer", at: Ground.here.centre)
            _ = try await Self.placeUntilDropped(server, placer)
            let figures = try await server.figures(until: "the closure") {
                $0["cairn_closures_total{reason=\"slow_consumer\"}"] == 1
            }
            #expect(figures["cairn_drops_total{reason=\"outbox_full\"}"] > 0)
            slow.resumeReading()
            _ = try await slow.closedCode()
        }
    }
}
