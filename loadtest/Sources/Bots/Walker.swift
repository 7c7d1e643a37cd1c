import CairnClient
import CairnGeo
import Foundation

/// Somebody on foot: goes straight on for a while, turns a little, and turns back at the edge of their area.
struct Walker: Sendable {
    private(set) var east: Double
    private(set) var north: Double
    /// Radians from east, counter-clockwise.
    private(set) var direction: Double
    /// Metres a second.
    let speed: Double
    private let area: Area

    init(area: Area, speed: Double, using random: inout SeededGenerator) {
        self.area = area
        self.speed = speed * .random(in: 0.7...1.3, using: &random)
        east = .random(in: -area.eastHalf...area.eastHalf, using: &random)
        north = .random(in: -area.northHalf...area.northHalf, using: &random)
        direction = .random(in: 0..<2 * .pi, using: &random)
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
        direction += .random(in: -0.4...0.4, using: &random)
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
