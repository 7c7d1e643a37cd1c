import CairnCore
@testable import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Foundation
import Testing

/// Area and route are checked in bounded time, whatever is sent (TRM-3).
@Suite("Ground of tours")
struct TourGroundTests {
    private static let plane = LocalPlane(origin: Ground.here.centre)

    private static func points(_ metres: [(Double, Double)]) -> [WireTourPoint] {
        metres.map { plane.coordinate(east: $0.0, north: $0.1).point }
    }

    private static func ground(
        _ area: [(Double, Double)] = [(-1_000, -1_000), (1_000, -1_000), (1_000, 1_000), (-1_000, 1_000)],
        _ route: [(Double, Double)] = [(0, 0), (0, 300), (400, 300)]
    ) -> WireTourGround {
        var ground = WireTourGround()
        (ground.area, ground.route, ground.direction) = (points(area), points(route), .forward)
        return ground
    }

    private func fault(_ ground: WireTourGround) -> [String: String] {
        do throws(Refusal) {
            _ = try CheckedGround(ground, .make())
            return [:]
        } catch {
            return error.details
        }
    }

    @Test func length_isTheSumOfGreatCircles_andStartFollowsTheDirection() throws {
        var ground = Self.ground()
        let there = try CheckedGround(ground, .make())
        #expect(abs(there.route.lengthMetres - 700) < 3)
        ground.direction = .backward
        let back = try CheckedGround(ground, .make())
        #expect(back.walk.first == there.walk.last)
        // The same sum in another order.
        #expect(abs(back.route.lengthMetres - there.route.lengthMetres) < 1e-6)
    }

    @Test func concaveArea_holdsARouteAroundTheCorner_andNotAcrossIt() {
        let corner: [(Double, Double)] = [(0, 0), (900, 0), (900, 900), (600, 900), (600, 300), (0, 300)]
        #expect(fault(Self.ground(corner, [(100, 150), (750, 150), (750, 800)])).isEmpty)
        #expect(fault(Self.ground(corner, [(100, 150), (750, 800)]))["reason"] == "outside")
    }

    @Test func crossingEdges_areNamed() {
        let bow: [(Double, Double)] = [(-500, -500), (500, 500), (500, -500), (-500, 500)]
        #expect(fault(Self.ground(bow)) == ["line": "area", "index": "2", "reason": "crossing"])
    }

    /// Teeth whose tips are as near to the equator as doubles can write, and a route along it: S2 would compare each
    /// edge of the route with each tooth in numbers of any length.
    @Test func groundThatNeedsExactArithmetic_isDecidedInBoundedTests() throws {
        let teeth = (0..<499).flatMap { tooth -> [(Double, Double)] in
            let east = 0.1 - 0.1 * Double(tooth) / 499
            return [(0.01, east), (1e-18, east - 0.05 / 499)]
        }
        func point(_ latitude: Double, _ longitude: Double) -> WireTourPoint {
            var point = WireTourPoint()
            (point.lat, point.lon) = (latitude, longitude)
            return point
        }
        var ground = WireTourGround()
        ground.direction = .forward
        ground.area = ([(-0.01, 0), (-0.01, 0.1)] + teeth).map { point($0.0, $0.1) }
        ground.route = (0..<300).map { point(0, $0 % 2 == 0 ? 0.0985 : 0.0011) }
        #expect(try CheckedGround(ground, .make()).edgeTests <= CheckedGround.edgeTestsMax)
        ground.route = (0..<10_000).map { point(0, $0 % 2 == 0 ? 0.0985 : 0.0011) }
        #expect(fault(ground)["reason"] == "too_complex")
    }

    /// The longest route close along the largest outline is far from the bound.
    @Test func honestGround_takesAFractionOfTheTests() throws {
        func ring(_ count: Int, _ radius: Double) -> [(Double, Double)] {
            (0..<count).map { number in
                let angle = 2 * Double.pi * Double(number) / Double(count)
                return (radius * cos(angle), radius * sin(angle))
            }
        }
        let tests = try CheckedGround(Self.ground(ring(1_000, 900), ring(10_000, 899.9)), .make()).edgeTests
        #expect(tests < CheckedGround.edgeTestsMax / 4)
    }

    @Test func outline_belongsToTheArea() {
        let gate: [(Double, Double)] = [(0, 0), (900, 0), (900, 900), (600, 900), (600, 300), (0, 300)]
        // From a corner along an edge to the corner that points inwards, and on along the next one.
        #expect(fault(Self.ground(gate, [(0, 0), (0, 300), (600, 300), (600, 900)])).isEmpty)
        // Through that corner to the outside.
        let across = fault(Self.ground(gate, [(500, 200), (600, 300), (500, 400)]))
        #expect(across == ["line": "route", "index": "2", "reason": "outside"])
    }

    @Test func notANumber_isNoPlace() {
        var ground = Self.ground()
        ground.route[1].lat = .nan
        #expect(fault(ground) == ["line": "route", "index": "1", "reason": "no_place"])
        ground.area[2].lon = .infinity
        #expect(fault(ground) == ["line": "area", "index": "2", "reason": "no_place"])
    }

    @Test func millionPoints_areCountedFirst() {
        var ground = Self.ground()
        ground.route = Array(repeating: ground.route[0], count: 1_000_000)
        let counted = Self.leastTime { #expect(fault(ground)["reason"] == "too_many") }
        let route = (0..<10_000).map { (0.0, Double($0) / 20) }
        let looked = Self.leastTime { #expect(fault(Self.ground(route: route)).isEmpty) }
        #expect(counted < looked, "a hundredth of the points is looked at in \(looked)")
    }

    /// A thousand corners, each edge crossing hundreds of others, and ten thousand points that go to and fro.
    @Test func spitefulOutline_isRefusedInBoundedTime() {
        let corners = (0..<1_000).map { (Double($0 % 2) * 900, Double($0)) }.shuffled(seed: 7)
        let spiteful = Self.leastTime { #expect(fault(Self.ground(corners))["reason"] == "crossing") }
        let round = (0..<1_000).map { number -> (Double, Double) in
            let angle = Double(number) * Double.pi / 500
            return (200 + 900 * cos(angle), 150 + 900 * sin(angle))
        }
        let honest = Self.leastTime { #expect(fault(Self.ground(round)).isEmpty) }
        #expect(spiteful < honest * 20, "an outline that crosses nothing takes \(honest)")
        let toAndFro = (0..<10_000).map { (Double($0 % 2) * 900, Double($0) / 20) }
        let straight = (0..<10_000).map { (0.0, Double($0) / 20) }
        let long = Self.leastTime { #expect(fault(Self.ground(route: toAndFro)).isEmpty) }
        let short = Self.leastTime { #expect(fault(Self.ground(route: straight)).isEmpty) }
        #expect(long < short * 20, "a straight route takes \(short)")
    }

    /// The least of three times, which other tests beside this one disturb least.
    private static func leastTime(_ body: () -> Void) -> Duration {
        (0..<3).map { _ in ContinuousClock().measure(body) }.min() ?? .zero
    }

    @Test func distanceFromARoute_isThatToItsNearestSegment() throws {
        let route = try #require(
            RouteLine(
                [(0.0, 0.0), (0, 300), (400, 300)].map {
                    Self.plane.coordinate(east: $0.0, north: $0.1)
                }))
        let near = route.nearest(to: Self.plane.coordinate(east: 200, north: 340))
        #expect(abs(near.metres - 40) < 0.01 && abs(near.along - 500) < 3)
        let behind = route.nearest(to: Self.plane.coordinate(east: 0, north: -30))
        #expect(abs(behind.metres - 30) < 0.01 && behind.along == 0)
    }
}

extension TourGroundTests {
    private static func ground(route: [(Double, Double)]) -> WireTourGround {
        var ground = ground()
        ground.route = points(route)
        return ground
    }
}

extension Array {
    /// In an order that is the same each time.
    fileprivate func shuffled(seed: UInt64) -> [Element] {
        var (state, copy) = (seed, self)
        for index in stride(from: copy.count - 1, to: 0, by: -1) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            copy.swapAt(index, Int(state >> 33) % (index + 1))
        }
        return copy
    }
}
