import CairnGeo
import CairnTesting
import CairnWire
import Testing

extension ServerBench {
    /// Somebody who stands somewhere and sees all that is around.
    func client(
        _ name: String, at place: Coordinate, format: WireFormat = .proto, shares: Bool = false
    ) async throws -> TestClient {
        let client = try await client(name, format: format, shares: shares)
        try await client.stand(at: place)
        return client
    }

    /// Several people who stand in a row, a metre apart.
    func clients(_ count: Int, _ name: String, at place: Coordinate) async throws -> [TestClient] {
        let plane = LocalPlane(origin: place)
        var clients: [TestClient] = []
        for index in 0..<count {
            clients.append(
                try await client("\(name)\(index)", at: plane.coordinate(east: Double(index), north: 0)))
        }
        return clients
    }

    /// Waits until the refusals counted are these and no others.
    func expect(refusals: [String: Int]) async throws {
        let figures = try await figures(until: "the refusals \(refusals)") { figures in
            figures.family("cairn_refusals_total").values.reduce(0, +) >= refusals.values.reduce(0, +)
        }
        #expect(figures.family("cairn_refusals_total").filter { $0.value > 0 } == refusals)
    }
}

extension ClientRecord {
    /// Versions of the instances of topics that another view holds as well.
    func versions(of topics: some Collection<String>) -> [String: UInt32] {
        var all: [String: UInt32] = [:]
        for name in topics {
            for instance in self.topics[name]?.instances.values ?? [:].values {
                all[instance.id] = instance.version
            }
        }
        return all
    }
}

/// Runs `body` for 0 up to `count` at the same time and gives the results in order.
func atOnce<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Result
) async throws -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
        for index in 0..<count { group.addTask { (index, try await body(index)) } }
        var results: [Int: Result] = [:]
        for try await (index, result) in group { results[index] = result }
        return (0..<count).compactMap { results[$0] }
    }
}
