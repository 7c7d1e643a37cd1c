import CairnGeo
import Foundation
import Testing

@Suite struct PolygonTests {
    private static let square: [Coordinate] = [.make(0, 0), .make(0, 0.01), .make(0.01, 0.01), .make(0.01, 0)]

    /// A ring of `count` vertices at random distances, `inner` to `outer` metres: simple, and mostly concave.
    private func star(
        at centre: Coordinate, count: Int, inner: Double = 30, outer: Double = 300, _ random: inout SeededGenerator
    ) -> [Coordinate] {
        let plane = LocalPlane(origin: centre)
        return (0..<count).map { index in
            let angle = 2 * Double.pi * Double(index) / Double(count)
            let radius = Double.random(in: inner...outer, using: &random)
            return plane.coordinate(east: radius * cos(angle), north: radius * sin(angle))
        }
    }

    @Test func polygon_clockwise_isTheSameAsCounterClockwise() throws {
        let (left, right) = (try Polygon(Self.square), try Polygon(Self.square.reversed()))
        for polygon in [left, right] {
            #expect(polygon.contains(.make(0.005, 0.005)))
            #expect(!polygon.contains(.make(0.005, 0.02)) && !polygon.contains(.make(-45, 180)))
            #expect(abs(polygon.areaSquareMetres / 1_236_435 - 1) < 1e-3)
        }
        #expect(left == right && left.vertices == Self.square)
    }

    @Test func polygon_closedAsInGeoJSON_isTheSame() throws {
        #expect(try Polygon(Self.square + [Self.square[0]]) == Polygon(Self.square))
    }

    @Test func polygon_withTooFewVertices_isRefused() {
        for count in 0...2 {
            #expect(throws: Polygon.Fault.tooFewVertices(count)) { try Polygon(Array(Self.square.prefix(count))) }
        }
        #expect(throws: Polygon.Fault.tooFewVertices(2)) {
            try Polygon([Self.square[0], Self.square[1], Self.square[0]])
        }
    }

    @Test func polygon_withTheMostVertices_isAccepted_andOneMoreRefused() throws {
        var random = SeededGenerator(26)
        let ring = star(at: .westminster, count: Polygon.verticesMax + 1, inner: 200, &random)
        #expect(throws: Polygon.Fault.tooManyVertices(10_001)) { try Polygon(ring) }
        let polygon = try Polygon(ring.dropLast())
        #expect(polygon.contains(.westminster) && polygon.vertices.count == 10_000)
    }

    @Test func polygon_crossingItself_isRefused() {
        let bowTie: [Coordinate] = [.make(0, 0), .make(0.01, 0.01), .make(0, 0.01), .make(0.01, 0)]
        #expect(throws: Polygon.Fault.selfIntersection) { try Polygon(bowTie) }
        let spike: [Coordinate] = [.make(0, 0), .make(0, 0.01), .make(0.01, 0.01), .make(-0.01, 0.005)]
        #expect(throws: Polygon.Fault.selfIntersection) { try Polygon(spike) }
    }

    @Test func polygon_touchingItself_isRefused() {
        let pinched = Self.square + [.make(0.005, -0.005), .make(0, 0), .make(-0.005, -0.005)]
        #expect(throws: Polygon.Fault.repeatedVertex) { try Polygon(pinched) }
    }

    @Test func vertexThatStandsThereTwiceInARow_isOne() throws {
        let doubled = Self.square.flatMap { [$0, $0, $0] } + [Self.square[0], Self.square[0]]
        #expect(try Polygon(doubled).vertices == Polygon(Self.square).vertices)
        #expect(throws: Polygon.Fault.tooFewVertices(2)) {
            try Polygon([Self.square[0], Self.square[0], Self.square[1], Self.square[1]])
        }
    }

    @Test func polygon_ofOnePlaceWrittenTwoWays_isRefused() {
        #expect(throws: Polygon.Fault.repeatedVertex) { try Polygon([.make(0, 180), .make(0, -180), .make(1, 179)]) }
        #expect(throws: Polygon.Fault.repeatedVertex) { try Polygon([.make(90, 0), .make(90, 50), .make(89, 10)]) }
    }

    @Test func polygon_beyondAHemisphere_isRefused() {
        let belt: [Coordinate] = [.make(1, 0), .make(1, 90), .make(1, 180), .make(1, -90)]
        #expect(throws: Never.self) { try Polygon(belt) }
        let equator: [Coordinate] = [.make(0, 0), .make(0, 90), .make(0, 180), .make(0, -90)]
        #expect(throws: Polygon.Fault.tooLarge) { try Polygon(equator) }
        let zigzag: [Coordinate] = [
            .make(40, 0), .make(-40, 60), .make(40, 120), .make(-40, 180), .make(40, -120), .make(-40, -60),
        ]
        #expect(throws: Polygon.Fault.tooLarge) { try Polygon(zigzag) }
        #expect(throws: Polygon.Fault.tooLarge) { try Polygon([.make(0, 0), .make(0, 180), .make(90, 0)]) }
    }

    @Test func polygon_acrossTheAntimeridian_holdsItsInside() throws {
        let fiji = try Polygon([.make(-20, 177), .make(-20, -178), .make(-16, -178), .make(-16, 177)])
        for longitude in [177.5, 179.9, 180, -180, -179.9, -178.5] { #expect(fiji.contains(.make(-18, longitude))) }
        for longitude in [0, 90, 176.5, -177.5] { #expect(!fiji.contains(.make(-18, longitude))) }
        #expect(abs(fiji.distanceMetres(to: .make(-18, -177)) - 105_750) < 200)
    }

    @Test(arguments: [80.0, -80])
    func polygon_roundAPole_holdsThePole(latitude: Double) throws {
        let cap = try Polygon(stride(from: -170.0, to: 180, by: 20).map { .make(latitude, $0) })
        #expect(cap.contains(.make(latitude > 0 ? 90 : -90, 0)) && !cap.contains(.make(-latitude, 0)))
    }

    @Test func polygon_withoutWidth_holdsNothing() throws {
        let line = try Polygon([.make(0, 0), .make(0, 0.02), .make(0, 0.01)])
        #expect(line.areaSquareMetres < 1)
        #expect(!line.contains(.make(1, 1)) && !line.contains(.make(-1, 0.01)))
    }

    @Test func polygons_thatTileTheGround_shareNoPlace() throws {
        let east = try Polygon([.make(0, 0.01), .make(0, 0.02), .make(0.01, 0.02), .make(0.01, 0.01)])
        let west = try Polygon(Self.square)
        for latitude in stride(from: 0.0005, to: 0.01, by: 0.0005) {
            let place = Coordinate.make(latitude, 0.01)
            #expect(west.contains(place) != east.contains(place))
        }
    }

    @Test func contains_isThatOfCountingCrossingsOnAPlane() throws {
        var random = SeededGenerator(27)
        for centre in Coordinate.awkward + (0..<100).map({ _ in random.coordinate() }) {
            let ring = star(at: centre, count: .random(in: 3...60, using: &random), &random)
            // A star of three or four may not enclose its centre, nor be simple on the plane; but this is.
            let polygon = try Polygon(ring)
            let plane = LocalPlane(origin: centre)
            let flat = ring.map { plane.metres(of: $0) }
            for _ in 0..<100 {
                let point = (east: random.unit() * 320, north: random.unit() * 320)
                // Places closer to the outline than the plane is true to are undecided.
                let place = plane.coordinate(east: point.east, north: point.north)
                guard place.distanceMetres(toPath: ring + [ring[0]]) > 0.01 else { continue }
                var isInside = false
                for (a, b) in zip(flat, flat.dropFirst() + flat.prefix(1))
                where (a.north > point.north) != (b.north > point.north) {
                    let crossing = a.east + (point.north - a.north) / (b.north - a.north) * (b.east - a.east)
                    if point.east < crossing { isInside.toggle() }
                }
                #expect(polygon.contains(place) == isInside)
                let distance = polygon.distanceMetres(to: place)
                #expect(
                    isInside ? distance == 0 : abs(distance - place.distanceMetres(toPath: ring + [ring[0]])) < 1e-6)
            }
        }
    }

    @Test func cells_ofAPolygon_areThoseThatIntersect() throws {
        var random = SeededGenerator(28)
        for centre in Coordinate.awkward + (0..<20).map({ _ in random.coordinate() }) {
            let polygon = try Polygon(star(at: centre, count: .random(in: 3...20, using: &random), outer: 250, &random))
            let around = CellID(centre, level: 16).neighbourhood(rings: 4)
            let expected = around.filter(polygon.intersects).sorted()
            #expect(polygon.cells(level: 16, limit: 1000) == expected)
            for cell in around {
                let nearest = cell.samples(side: 13).map(polygon.distanceMetres).min()!
                // Samples are at most 16 m apart.
                #expect(polygon.intersects(cell) ? nearest < 12 : nearest > 0)
            }
        }
    }

    @Test func cells_pastTheLimit_areNil() throws {
        let polygon = try Polygon(Self.square)
        let count = try #require(polygon.cells(level: 16, limit: 10_000)).count
        #expect(polygon.cells(level: 16, limit: count)?.count == count)
        #expect(polygon.cells(level: 16, limit: count - 1) == nil)
    }

    @Test func intersects_aCellAroundAndACellInside() throws {
        let polygon = try Polygon(Self.square)
        let middle = Coordinate.make(0.005, 0.005)
        #expect(polygon.intersects(CellID(middle, level: 4)) && polygon.intersects(CellID(middle, level: 24)))
        #expect(!polygon.intersects(CellID(.make(0.5, 0.5), level: 10)))
    }

    @Test func path_throughAPolygon_intersects_andOneInsideIsContained() throws {
        // A horseshoe, open to the north.
        let horseshoe = try Polygon([
            .make(0, 0), .make(0, 0.03), .make(0.03, 0.03), .make(0.03, 0.02), .make(0.01, 0.02), .make(0.01, 0.01),
            .make(0.03, 0.01), .make(0.03, 0),
        ])
        let arms = [Coordinate.make(0.02, 0.005), .make(0.02, 0.025)]
        let round = [arms[0], .make(0.005, 0.005), .make(0.005, 0.025), arms[1]]
        #expect(horseshoe.contains(path: round) && horseshoe.intersects(path: round))
        #expect(!horseshoe.contains(path: arms) && horseshoe.intersects(path: arms))
        let through = [Coordinate.make(0.02, -0.01), .make(0.02, 0.04)]
        #expect(!horseshoe.contains(path: through) && horseshoe.intersects(path: through))
        let between = [Coordinate.make(0.04, 0.015), .make(0.02, 0.015)]
        #expect(!horseshoe.contains(path: between) && !horseshoe.intersects(path: between))
        #expect(horseshoe.contains(path: [arms[0], arms[0]]) && horseshoe.contains(path: []))
        #expect(!horseshoe.intersects(path: []))
        #expect(horseshoe.intersects(path: [arms[0]]))
    }

    @Test func polygon_askedByManyTasks_answersTheSame() async throws {
        var random = SeededGenerator(29)
        let polygon = try Polygon(star(at: .westminster, count: 2000, inner: 100, &random))
        let places = (0..<2000).map { _ in random.coordinate(near: .westminster, metres: 320) }
        let expected = places.map(polygon.contains)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let copy = polygon
                    return places.map(copy.contains) == expected
                        && copy.cells(level: 18, limit: 10_000) == polygon.cells(level: 18, limit: 10_000)
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }
}
