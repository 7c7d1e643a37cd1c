import CairnClient
import CairnCrypto
import CairnEmbedded
import CairnGeo
import CairnWire
import Foundation

/// The tour of `cairn serve --demo`: `config/demo/park.geojson` with two recorded texts, made and published as any
/// organisation does it, and two people who walk it again and again.
struct DemoTour {
    private static let maker = "Olga.demo"
    private static let walkers = ["Wim.demo", "Yuki.demo"]
    private static let organisation = "Friends of the Park"
    /// Highest factor of speed of its walkers: faster ones would jump, and who jumps does not arrive (TRT-9).
    private static let speedMax = 8
    private static let stepSeconds = 0.5
    private static let speedMetresPerSecond = 1.4
    /// How long a walker stays at a stop, in the walker's own time.
    private static let staySeconds = 40.0
    /// How much longer for a stop that is not reached yet: fast walkers are taken for somebody whose receiver is off.
    private static let patienceSeconds = 20
    /// Which words of a stop's history are recorded.
    private static let recordings: [(stop: Int, language: String, sound: [UInt8])] = [
        (0, "en", EmbeddedFiles.bytes(of: "tree-en.opus", in: .demo)),
        (1, "fr", EmbeddedFiles.bytes(of: "lookout-fr.opus", in: .demo)),
    ]

    /// Publishes the tour, and starts its walkers, who walk until the process ends.
    /// - Parameter socketPath: of the stats socket, by which the maker becomes an organisation's user.
    static func start(_ door: DemoDoor, socketPath: String, speed: Int) {
        Task.detached {
            do {
                let tour = try await publish(door, socketPath)
                for (number, name) in walkers.enumerated() {
                    Task.detached { await walk(tour, door, name, number, speed: min(speed, speedMax)) }
                }
            } catch {
                Terminal.error("cairn serve: the demo has no tour: \(error)")
            }
        }
    }

    // MARK: Making

    private static func publish(_ door: DemoDoor, _ socketPath: String) async throws -> String {
        let client = try await door.enter(maker)
        let desk = try StatsConnection(path: socketPath)
        _ = try AdminAnswer.line(desk, "organisation-add \(maker) \(organisation)")
        let park = EmbeddedFiles.bytes(of: "park.geojson", in: .demo)
        var content = try TourGeoJSON.content(of: String(decoding: park, as: UTF8.self))
        for (stop, language, sound) in recordings {
            let asset = try await client.upload(sound, sha256: Array(SHA256.hash(data: sound)))
            guard let words = content.stops[stop].history.words.firstIndex(where: { $0.language == language }) else {
                continue
            }
            content.stops[stop].history.words[words].audio = asset
        }
        let tour = try await client.createTour(content.facts)
        _ = try await client.importTour(tour, version: 1, geoJSON: TourGeoJSON.text(of: content))
        try await client.publishTour(tour)
        await client.disconnect()
        return tour
    }

    // MARK: Walking

    private typealias Way = [(place: Coordinate, isStop: Bool)]

    private static func walk(_ tour: String, _ door: DemoDoor, _ name: String, _ number: Int, speed: Int) async {
        guard let client = try? await door.enter(name) else { return }
        let pace = Pace(client: client, speed: speed)
        var pause = Double(number) * 2 * staySeconds
        while !Task.isCancelled {
            if let way = try? await way(of: tour, client) {
                await pace.appear(at: way[0].place)
                // One behind the other.
                await pace.wait(pause)
                pause = 0
                _ = try? await client.startTour(tour)
                var stops = 0
                for (from, to) in zip(way, way.dropFirst()) {
                    await pace.go(from: from.place, to: to.place)
                    guard to.isStop else { continue }
                    stops += 1
                    await pace.stay(at: to.place, staySeconds, toReach: stops)
                }
                // A walker who has missed a stop begins anew all the same.
                _ = try? await client.leaveRun()
            }
            await pace.wait(staySeconds)
        }
    }

    /// The route with the stops on it, in the order of the walk.
    private static func way(of tour: String, _ client: CairnClient) async throws -> Way {
        let content = try await client.tourContent(tour)
        let route = content.ground.route.compactMap { Coordinate(latitude: $0.lat, longitude: $0.lon) }
        let stops = content.stops.compactMap { stop in
            let position = stop.pose.geopose.position
            return Coordinate(latitude: position.lat, longitude: position.lon)
        }
        guard let line = RouteLine(route), !stops.isEmpty else { throw CocoaError(.coderInvalidValue) }
        let places = route.map { ($0, false) } + stops.map { ($0, true) }
        let sorted = places.map { (place: $0.0, isStop: $0.1, along: line.nearest(to: $0.0).along) }
            .sorted { $0.along < $1.along }
        return sorted.map { ($0.place, $0.isStop) }
    }

    /// How somebody walks.
    private struct Pace {
        let client: CairnClient
        let speed: Int

        /// - Parameter seconds: of the walker's own time.
        func wait(_ seconds: Double) async { try? await Task.sleep(for: .seconds(seconds / Double(speed))) }

        func appear(at place: Coordinate) async { await client.move(to: WirePosition(place, heightMetres: 60)) }

        func go(from start: Coordinate, to end: Coordinate) async {
            let stride = DemoTour.speedMetresPerSecond * DemoTour.stepSeconds
            let plane = LocalPlane(origin: start)
            let (east, north) = plane.metres(of: end)
            let steps = max(1, Int((start.distanceMetres(to: end) / stride).rounded()))
            for step in 1...steps {
                let part = Double(step) / Double(steps)
                var position = WirePosition(
                    plane.coordinate(east: east * part, north: north * part), heightMetres: 60)
                position.heading = Float(start.bearingDegrees(to: end))
                await client.move(to: position)
                await wait(DemoTour.stepSeconds)
            }
        }

        /// Stays until so many stops are reached, at least for these seconds and at most a while longer.
        func stay(at place: Coordinate, _ seconds: Double, toReach stops: Int) async {
            for _ in 0..<Int(seconds) {
                await appear(at: place)
                await wait(1)
            }
            for _ in 0..<DemoTour.patienceSeconds {
                guard let run = try? await client.ownRun(), run.reached < stops else { return }
                await appear(at: place)
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }
}
