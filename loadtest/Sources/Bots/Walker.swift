import CairnClient
import CairnGeo
import Foundation

/// The path of a person: walks on, turns a little if they wander, and turns back at the edge of their area.
struct Walker: Sendable {
    private(set) var east: Double
    private(set) var north: Double
    /// Radians from east, counter-clockwise.
    private(set) var direction: Double
    /// Metres a second.
    let speed: Double
    /// How much they turn at each step, radians.
    private let turn: Double
    private let area: Area

    init(area: Area, plan: CrowdPlan, using random: inout SeededGenerator) {
        self.area = area
        speed = .random(in: plan.speedLeast...max(plan.speedLeast, plan.speedMost), using: &random)
        east = .random(in: -area.eastHalf...area.eastHalf, using: &random)
        north = .random(in: -area.northHalf...area.northHalf, using: &random)
        switch plan.motion {
        case .wander:
            turn = 0.4
            direction = .random(in: 0..<2 * .pi, using: &random)
        case .straight:
            turn = 0
            // East or west, with a small deviation.
            direction = (Bool.random(using: &random) ? .pi : 0) + .random(in: -0.1...0.1, using: &random)
        }
    }

    var coordinate: Coordinate { area.coordinate(east: east, north: north) }

    /// Degrees clockwise from north, 0 ..< 360.
    var headingDegrees: Double {
        let degrees = (90 - direction * 180 / .pi).truncatingRemainder(dividingBy: 360)
        return degrees < 0 ? degrees + 360 : degrees
    }

    /// A place within reach.
    func coordinate(eastward: Double, northward: Double) -> Coordinate {
        area.coordinate(
            east: min(max(east + eastward, -area.eastHalf), area.eastHalf),
            north: min(max(north + northward, -area.northHalf), area.northHalf))
    }

    mutating func walk(seconds: Double, using random: inout SeededGenerator) {
        if turn > 0 { direction += .random(in: -turn...turn, using: &random) }
        east += cos(direction) * speed * seconds
        north += sin(direction) * speed * seconds
        if abs(east) > area.eastHalf {
            direction = .pi - direction
            east = min(max(east, -area.eastHalf), area.eastHalf)
        }
        if abs(north) > area.northHalf {
            direction = -direction
            north = min(max(north, -area.northHalf), area.northHalf)
        }
    }
}
