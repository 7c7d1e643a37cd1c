import CairnConfiguration
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// Invariant 8: every user with a position is in exactly one cell, and the sums agree.
@Suite("Server: occupancy", .serialized, .timeLimit(.minutes(10)))
struct OccupancyTests {
    /// People that each cell says it holds, as last told to this client.
    private static func told(_ record: ClientRecord) -> [String: Int] {
        var counts: [String: Int] = [:]
        for batch in record.presence where batch.hasPeople { counts[batch.cell] = Int(batch.people) }
        return counts
    }

    @Test(arguments: [1, 2])
    func occupancies_addUpToTheConnectionsWithAPosition(loops: Int) async throws {
        try await ServerBench.serving(loops: loops) { server in
            let people = try await atOnce(13) { try await server.client("person\($0)") }
            // All at once, over borders and back; the last step decides.
            let cells = [Ground.here.cell, Ground.here.neighbour, CellID(Ground.here.at(north: 300), level: 16)]
            let expected = [cells[0].token: 6, cells[1].token: 4, cells[2].token: 3]
            _ = try await atOnce(people.count) { index in
                for step in 0..<20 { try await people[index].move(to: cells[(index + step) % 3].centre) }
                let cell = index < 6 ? cells[0] : index < 10 ? cells[1] : cells[2]
                try await people[index].move(to: cell.centre)
            }
            let viewers = try await atOnce(3) { index in
                let viewer = try await server.client("viewer\(index)")
                // They look on from where nobody else is, but see the cell.
                try await viewer.stand(at: LocalPlane(origin: cells[index].centre).coordinate(east: 0, north: 110))
                return viewer
            }
            for (index, viewer) in viewers.enumerated() {
                let token = cells[index].token
                try await viewer.wait(until: "the count") { Self.told($0)[token] == expected[token] }
            }
            try await server.figures(until: "the sum") { $0["cairn_people"] == 16 }
            for index in 0..<5 {
                people[index].close()
                _ = try await people[index].closedCode()
            }
            try await viewers[0].wait(until: "the smaller count") { Self.told($0)[cells[0].token] == 0 }
            try await server.figures(until: "the smaller sum") { $0["cairn_people"] == 11 }
        }
    }

    @Test func connectionWithoutAPosition_isInNoCell() async throws {
        try await ServerBench.serving { server in
            _ = try await server.client("person")
            let other = try await server.client("other", at: Ground.here.centre)
            try await server.figures(until: "one person") { $0["cairn_people"] == 1 && $0["cairn_connections"] == 2 }
            #expect(other.record.faults.isEmpty)
        }
    }

    // MARK: VIS-9

    @Test func whoeverDoesNotShare_isSeenByNobody() async throws {
        try await ServerBench.serving(loops: 2) { server in
            let viewer = try await server.client("viewer", at: Ground.here.centre)
            let hidden = try await server.client("hidden", at: Ground.here.at(east: 5))
            let sharing = try await server.client("sharing", at: Ground.here.at(east: 9), shares: true)
            for step in 0..<30 {
                try await hidden.move(to: Ground.here.between(Double(step) / 30))
                try await sharing.move(to: Ground.here.between(Double(step) / 30))
            }
            try await viewer.wait(until: "the one who shares") { record in
                record.presence.contains { $0.joined.contains { $0.name == "sharing" } }
            }
            let names = Set(viewer.record.presence.flatMap(\.joined).map(\.name))
            #expect(names == ["sharing"])
        }
    }

    @Test func whoeverStopsSharing_leavesTheScreensOfOthers() async throws {
        try await ServerBench.serving { server in
            let viewer = try await server.client("viewer", at: Ground.here.centre)
            let person = try await server.client("person", at: Ground.here.at(east: 5), shares: true)
            let slot = try await viewer.wait(for: "the person") { record in
                record.presence.flatMap(\.joined).first { $0.name == "person" }?.slot
            }
            var share = WireShare()
            share.position = false
            _ = try await person.ask(.share(share))
            try await viewer.wait(until: "the end of sharing") { $0.presence.contains { $0.left.contains(slot) } }
        }
    }

    @Test func positionsFasterThanTheLimit_areConflatedToTheNewest() async throws {
        try await ServerBench.serving(loops: 1, { $0.connections.positionsPerSecond = 2 }) { server in
            let person = try await server.client("person")
            for step in 0...40 { person.push(.position(.make(at: Ground.here.between(Double(step) / 40)))) }
            let last = try await person.reply(to: 42)
            guard case .positioned(let positioned) = last else { throw BenchError("\(last)") }
            #expect(positioned.cell == Ground.here.neighbour.token)
            let figures = try await server.figures(until: "the count") { $0["cairn_positions_conflated_total"] > 0 }
            #expect(figures["cairn_positions_total"] + figures["cairn_positions_conflated_total"] == 41)
        }
    }
}
