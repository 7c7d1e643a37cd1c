import CairnClient
import CairnWire
import Foundation
import Synchronization

/// The makers of a crowd's tours: a user of an organisation who publishes them, and new versions while people walk.
final class TourMakers: Sendable {
    /// The ids of the tours, by number.
    let tours: [String]
    private let plan: CrowdPlan
    private let client: CairnClient
    private let versions: Mutex<[Versions]>

    /// What is known of the published version of a tour.
    private struct Versions {
        var acknowledged: UInt32 = 1
        var requested: UInt32 = 1
        /// Ids of the stops, and the version of each.
        var stops: [(id: String, version: UInt32)] = []
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Makes and publishes all tours.
    /// - Parameter promote: makes the account of this name a user of an organisation.
    init(_ plan: CrowdPlan, url: String, promote: (String) throws -> Void) async throws {
        self.plan = plan
        guard let address = ServerURL(url) else { throw Failure(description: "tours need a ws:// address, not \(url)") }
        let name = "maker-\(UInt32.random(in: 0...UInt32.max))"
        client = CairnClient(url: address, profile: ClientProfile(name: name, frontEnd: "bot"))
        try await client.connect()
        try promote(name)
        var made: [(id: String, versions: Versions)] = []
        for number in 0..<plan.tours { made.append(try await Self.make(number, plan, client)) }
        tours = made.map(\.id)
        versions = Mutex(made.map(\.versions))
    }

    private static func make(
        _ number: Int, _ plan: CrowdPlan, _ client: CairnClient
    ) async throws -> (id: String, versions: Versions) {
        var facts = WireTourFacts()
        (facts.name, facts.description_p) = (TourPath.text("Tour \(number)"), TourPath.text("A walk."))
        let id = try await client.createTour(facts)
        var ground = WireSetTourGround()
        (ground.tour, ground.ground) = (id, TourPath.ground(of: number, plan))
        _ = try await client.setTourGround(ground)
        var versions = Versions()
        for stop in TourPath(number: number, version: 1, plan: plan).wireStops() {
            var body = WireSetTourStop()
            (body.tour, body.stop) = (id, stop)
            let edited = try await client.setTourStop(body)
            versions.stops.append((edited.part, edited.version))
        }
        try await client.publishTour(id)
        return (id, versions)
    }

    /// The version that is published for certain.
    func acknowledged(_ tour: Int) -> UInt32 { versions.withLock { $0[tour].acknowledged } }

    /// The newest version that may be published.
    func requested(_ tour: Int) -> UInt32 { versions.withLock { $0[tour].requested } }

    /// Publishes a new version of one tour after the other until it is cancelled.
    /// - Returns: how many.
    func publish(every seconds: Double) async throws -> Int {
        var count = 0
        while !Task.isCancelled {
            do {
                try await Task.sleep(for: .seconds(seconds))
                try await publish(count % tours.count)
            } catch {
                // The run is over.
                guard Task.isCancelled else { throw error }
                break
            }
            count += 1
        }
        return count
    }

    private func publish(_ tour: Int) async throws {
        let before = versions.withLock { $0[tour] }
        let version = before.acknowledged + 1
        let stops = TourPath(number: tour, version: version, plan: plan).wireStops(ids: before.stops.map(\.id))
        var known = before.stops
        for (index, stop) in stops.enumerated() {
            var body = WireSetTourStop()
            (body.tour, body.stop, body.version) = (tours[tour], stop, known[index].version)
            known[index].version = try await client.setTourStop(body).version
        }
        versions.withLock { [known] in
            $0[tour].stops = known
            $0[tour].requested = version
        }
        let published = try await client.publishTour(tours[tour])
        guard published == version else { throw Failure(description: "version \(published) for \(version)") }
        versions.withLock { $0[tour].acknowledged = version }
    }

    func end() async { await client.disconnect() }
}
