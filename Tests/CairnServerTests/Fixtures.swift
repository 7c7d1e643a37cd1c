import CairnGeo
import CairnTesting
import CairnWire

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
}

extension ClientRecord {
    /// What every in-scope viewer of one place must agree about: ids, versions and reactions.
    var summary: [String: String] {
        instances.mapValues { instance in
            let reactions = instance.reactions.map { "\($0.reaction)=\($0.count)" }.joined(separator: " ")
            return "v\(instance.version) \(reactions)"
        }
    }

    /// The same of the topics that another view holds as well.
    func summary(of topics: some Collection<String>) -> [String: String] {
        var all: [String: String] = [:]
        for name in topics {
            for instance in self.topics[name]?.instances.values ?? [:].values {
                all[instance.id] = "v\(instance.version)"
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
