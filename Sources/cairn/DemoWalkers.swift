import CairnClient
import CairnGeo
import CairnRoot
import CairnWire
import Foundation

/// The people of `cairn serve --demo`: they connect as any app does, walk about, leave things and react to them.
struct DemoWalkers {
    static let count = 20
    /// Allowed factors of speed; 1 = as fast as people.
    static let speeds = 1...100
    /// The middle of the demo's world: a park in Montreal.
    static let centre = (latitude: 45.5048, longitude: -73.5872)
    /// The same, for the page for players.
    static var scene: DemoScene {
        let place = Coordinate(latitude: centre.latitude, longitude: centre.longitude) ?? .origin
        return DemoScene(place: "\(place)", ground: DemoTown.geoJSON(around: place))
    }

    /// Length of a step in the walkers' own time.
    private static let stepSeconds = 0.5
    /// Most instances of one walker: the oldest is removed before another is placed, so the world stops growing.
    private static let thingsMax = 6
    private static let speedMetresPerSecond = 1.4
    private static let radiusMetres = 120.0
    private static let objects = ["preset:heart", "preset:star", "preset:flag", "preset:balloon", "preset:cairn"]
    private static let names = [
        "Ada", "Alan", "Barbara", "Claude", "Donald", "Edsger", "Frances", "Grace", "Hedy", "Ivan", "Jean", "Ken",
        "Leslie", "Margaret", "Niklaus", "Ole", "Peter", "Radia", "Sophie", "Tim",
    ]

    /// Starts the walkers, who walk until the process ends.
    /// - Parameter speed: factor of speed; 1 = as fast as people.
    static func start(_ door: DemoDoor, speed: Int) {
        for number in 0..<count { Task.detached { await walk(number, door, speed) } }
    }

    private static func walk(_ number: Int, _ door: DemoDoor, _ speed: Int) async {
        guard let centre = Coordinate(latitude: centre.latitude, longitude: centre.longitude),
            let client = try? await door.enter("\(names[number % names.count]).demo")
        else { return }
        let plane = LocalPlane(origin: centre)
        var (east, north) = (Double.random(in: -60...60), Double.random(in: -60...60))
        var heading = Double.random(in: 0..<360)
        var things: [WireInstance] = []
        while !Task.isCancelled {
            let stride = speedMetresPerSecond * stepSeconds
            heading += .random(in: -20...20)
            // A walker outside the park turns back to its middle.
            if (east * east + north * north).squareRoot() > radiusMetres {
                heading = plane.coordinate(east: east, north: north).bearingDegrees(to: centre)
            }
            east += stride * sin(heading * .pi / 180)
            north += stride * cos(heading * .pi / 180)
            let place = plane.coordinate(east: east, north: north)
            var position = WirePosition(place, heightMetres: 60)
            position.heading = Float(heading.truncatingRemainder(dividingBy: 360))
            await client.move(to: position)
            if Int.random(in: 0..<80) == 0 { await leaveSomething(at: place, by: client, of: &things) }
            if Int.random(in: 0..<30) == 0 { await reactToSomething(client) }
            try? await Task.sleep(for: .seconds(stepSeconds / Double(speed)))
        }
    }

    /// - Parameter things: the walker's present instances, oldest first.
    private static func leaveSomething(
        at place: Coordinate, by client: CairnClient, of things: inout [WireInstance]
    ) async {
        if things.count >= thingsMax {
            do {
                try await client.remove(things[0])
                things.removeFirst()
            } catch {
                // A refusal is part of the demo, because quotas hold for walkers, too. Nothing is placed until the
                // removal succeeds.
                return
            }
        }
        let pose = WirePose(
            GeoPose(
                coordinate: place, heightMetres: 61,
                orientation: .yaw(compassHeadingDegrees: .random(in: 0..<360))))
        if let left = try? await client.place(objects.randomElement() ?? "preset:heart", pose: pose) {
            things.append(left)
        }
    }
}
