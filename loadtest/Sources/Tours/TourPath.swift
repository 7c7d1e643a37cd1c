import CairnClient
import CairnGeo
import CairnWire
import Foundation

/// A place on the plane at a tour's start, in metres.
typealias Metres = SIMD2<Double>

extension SIMD2<Double> {
    var length: Double { (x * x + y * y).squareRoot() }
}

/// Where one version of a tour goes. The same number, version and seed give the same path.
struct TourPath: Sendable {
    let plane: LocalPlane
    /// East and north of each stop; walkers begin at zero.
    let stops: [Metres]
    let version: UInt32

    /// How far stops move from one version to the next, so that a walk on the wrong one is noticed.
    private static let versionMetres = 120.0

    init(number: Int, version: UInt32, plan: CrowdPlan) {
        var random = SeededGenerator(seed: plan.seed).branch(UInt64(number)).branch(7)
        plane = LocalPlane(origin: plan.at)
        self.version = version
        var heading = Double.random(in: 0..<2 * .pi, using: &random)
        var place = Metres.zero
        var stops: [Metres] = []
        for _ in 0..<plan.stops {
            place += plan.legMetres * Metres(cos(heading), sin(heading))
            stops.append(place)
            heading += Double.random(in: -0.7...0.7, using: &random)
        }
        // To the side of the first leg, by turns.
        let side = version % 2 == 0 ? Self.versionMetres : 0
        self.stops = stops.map { $0 + Metres(side, 0) }
    }

    func coordinate(_ place: Metres) -> Coordinate { plane.coordinate(east: place.x, north: place.y) }

    /// The name of a stop. It names the version, by which a walker notices a stop of another version.
    func name(of stop: Int) -> String { "Stop \(stop) of version \(version)" }

    /// Stops as the server takes them; `ids` of those that are replaced.
    func wireStops(ids: [String] = []) -> [WireTourStop] {
        stops.indices.map { index in
            let place = coordinate(stops[index])
            var stop = WireTourStop()
            if ids.indices.contains(index) { stop.id = ids[index] }
            stop.object = "preset:heart"
            stop.pose.geopose.position.lat = place.latitude
            stop.pose.geopose.position.lon = place.longitude
            stop.pose.geopose.position.h = 0
            (stop.pose.geopose.quaternion.x, stop.pose.geopose.quaternion.y) = (0, 0)
            (stop.pose.geopose.quaternion.z, stop.pose.geopose.quaternion.w) = (0, 1)
            stop.pose.scale = 1
            stop.name = Self.text(name(of: index))
            stop.history = Self.text("History of stop \(index).")
            stop.alternative = Self.text("A heart.")
            return stop
        }
    }

    /// The ground of all versions.
    static func ground(of number: Int, _ plan: CrowdPlan) -> WireTourGround {
        let path = TourPath(number: number, version: 1, plan: plan)
        let half = plan.legMetres * Double(plan.stops) + 500
        var ground = WireTourGround()
        ground.area = [Metres(-half, -half), Metres(half, -half), Metres(half, half), Metres(-half, half)]
            .map { point(path.coordinate($0)) }
        ground.route = ([.zero] + path.stops).map { point(path.coordinate($0)) }
        ground.direction = .forward
        return ground
    }

    static func text(_ words: String) -> WireTourText {
        var inEnglish = WireTourWords()
        (inEnglish.language, inEnglish.text) = ("en", words)
        var text = WireTourText()
        text.words = [inEnglish]
        return text
    }

    private static func point(_ place: Coordinate) -> WireTourPoint {
        var point = WireTourPoint()
        (point.lat, point.lon) = (place.latitude, place.longitude)
        return point
    }
}
