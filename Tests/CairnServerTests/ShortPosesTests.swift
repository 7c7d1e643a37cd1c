import CairnConfiguration
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// The short form of batches of poses, which a client asks for in its hello.
@Suite("Server: short batches of poses", .serialized, .timeLimit(.minutes(10)))
struct ShortPosesTests {
    private static func hello(_ name: String, readsShort: Bool) -> WireHello {
        var hello = WireHello.make(name: name, shares: true, accuracy: 0)
        hello.shortPoses = readsShort
        return hello
    }

    /// A client that stands in a cell, and somebody there who has moved before its eyes.
    private static func watching(
        from place: Coordinate, _ server: ServerBench, readsShort: Bool
    ) async throws -> [WirePresence] {
        let reader = try TestClient(port: server.port)
        try await reader.hello(hello("reader-\(readsShort)", readsShort: readsShort))
        try await reader.stand(at: place)
        let walker = try TestClient(port: server.port)
        try await walker.hello(hello("walker-\(readsShort)", readsShort: false))
        for step in 0..<8 {
            let told = reader.record.presence.count
            let east = Double(step) / 10
            try await walker.move(to: LocalPlane(origin: place).coordinate(east: east, north: 0))
            try await reader.wait(until: "the walker") { $0.presence.count > told }
        }
        walker.close()
        return reader.record.presence
    }

    @Test(arguments: [true, false])
    func client_getsTheFormThatItAskedFor(readsShort: Bool) async throws {
        try await ServerBench.serving { server in
            let cell = Ground.here.cell
            let batches = try await Self.watching(from: cell.centre, server, readsShort: readsShort)
            let short = batches.filter { $0.cell.isEmpty }
            #expect(short.isEmpty != readsShort)
            #expect(short.allSatisfy { $0.number == cell.shortNumber && $0.step == 0 && !$0.poses.isEmpty })
            #expect(batches.contains { $0.cell == cell.token && $0.keyframe && $0.step > 0 })
        }
    }

    /// Two neighbours with one number, of which there are few.
    private static func ambiguousPair() throws -> (CellID, CellID) {
        for step in 0..<400_000 {
            let (east, north) = (Double(step % 600) * 100, Double(step / 600) * 100)
            let cell = CellID(Ground.here.at(east: east, north: north), level: 16)
            if let other = cell.neighbours.first(where: { $0.shortNumber == cell.shortNumber }) { return (cell, other) }
        }
        throw BenchError("no two neighbours have one number")
    }

    @Test func clientWithTwoCellsOfOneNumber_getsTheLongForm() async throws {
        let (cell, other) = try Self.ambiguousPair()
        try await ServerBench.serving { server in
            let (from, to) = (cell.centre, other.centre)
            // Between the two, in the first one.
            let (east, north) = LocalPlane(origin: from).metres(of: to)
            let place = LocalPlane(origin: from).coordinate(east: east * 0.45, north: north * 0.45)
            let batches = try await Self.watching(from: place, server, readsShort: true)
            #expect(batches.allSatisfy { !$0.cell.isEmpty })
            #expect(Set(batches.map(\.cell)).isSuperset(of: [cell.token]))
        }
    }
}
