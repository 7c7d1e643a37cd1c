import CairnGeo
import Testing

@Suite struct CoordinateTests {
    @Test(
        arguments: [
            (90.000001, 0), (-90.000001, 0), (0, 180.000001), (0, -180.000001),
            (.nan, 0), (0, .nan), (.infinity, 0), (0, -.infinity), (.nan, .nan),
        ] as [(Double, Double)])
    func coordinate_outOfRangeOrNotFinite_isRefused(latitude: Double, longitude: Double) {
        #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
    }

    @Test(arguments: [(90, 180), (-90, -180), (51.5007, -0.1246), (1e-300, -1e-300)] as [(Double, Double)])
    func coordinate_withinTheBounds_isKeptBitForBit(latitude: Double, longitude: Double) throws {
        let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
        #expect(coordinate.latitude.bitPattern == latitude.bitPattern)
        #expect(coordinate.longitude.bitPattern == longitude.bitPattern)
    }

    @Test func coordinate_isTwoDoublesInOrder_asTheCBoundaryAssumes() {
        #expect(MemoryLayout<Coordinate>.size == 16 && MemoryLayout<Coordinate>.stride == 16)
        withUnsafeBytes(of: Coordinate.make(1, 2)) { #expect($0.load(as: Double.self) == 1) }
    }

    @Test(arguments: [
        (Coordinate.make(0, 0), Coordinate.make(1, 0), 111_195.1),
        (.make(0, 0), .make(0, 1), 111_195.1),
        (.make(60, 10), .make(60, 11), 55_597.0),
        (.make(0, 179.5), .make(0, -179.5), 111_195.1),
        (.make(10, 180), .make(10, -180), 0),
        (.make(90, 10), .make(90, -100), 0),
        (.make(90, 0), .make(-90, 77), 20_015_118.4),
        (.make(30, 20), .make(-30, -160), 20_015_118.4),
    ])
    func distance_isTheArcOnTheSphere(a: Coordinate, b: Coordinate, metres: Double) {
        #expect(abs(a.distanceMetres(to: b) - metres) < 0.1 + metres * 1e-5)
        #expect(a.distanceMetres(to: b) == b.distanceMetres(to: a))
    }

    @Test func distance_ofNearPlaces_isWithinSixPerMilleOfTheEllipsoid() {
        var random = SeededGenerator(1)
        for _ in 0..<10_000 {
            let a = random.coordinate()
            let b = random.coordinate(near: a, metres: 100)
            let (east, north) = LocalPlane(origin: a).metres(of: b)
            let straight = (east * east + north * north).squareRoot()
            #expect(abs(a.distanceMetres(to: b) - straight) <= 0.006 * straight)
        }
    }

    @Test(arguments: [
        (Coordinate.make(0, 0), Coordinate.make(1, 0), 0.0), (.make(0, 0), .make(0, 1), 90),
        (.make(0, 0), .make(-1, 0), 180), (.make(0, 0), .make(0, -1), 270),
        (.make(0, 179), .make(0, -179), 90), (.make(51.5, 0), .make(51.5, 0), 0),
        (.make(80, 10), .make(80, -170), 0),
    ])
    func bearing_isClockwiseFromNorth(a: Coordinate, b: Coordinate, degrees: Double) {
        #expect(abs(a.bearingDegrees(to: b) - degrees) < 1e-6)
    }

    @Test func bearing_isAlwaysInRange() {
        var random = SeededGenerator(2)
        for _ in 0..<10_000 {
            #expect((0..<360).contains(random.coordinate().bearingDegrees(to: random.coordinate())))
        }
    }

    @Test func distanceToPath_countsFromTheNearestPointOfALeg() {
        let street: [Coordinate] = [.make(0, 0), .make(0, 0.01), .make(0.01, 0.01)]
        #expect(abs(Coordinate.make(0.0005, 0.005).distanceMetres(toPath: street) - 55.6) < 0.1)
        #expect(Coordinate.make(0, 0.0032).distanceMetres(toPath: street) < 1e-6)
        #expect(abs(Coordinate.make(0, -0.001).distanceMetres(toPath: street) - 111.2) < 0.1)
    }

    @Test func distanceToPath_ofOnePlaceOrNone_isThatDistanceOrInfinite() {
        let here = Coordinate.westminster
        #expect(abs(here.distanceMetres(toPath: [.make(51.5017, -0.1246)]) - 111.2) < 0.1)
        #expect(here.distanceMetres(toPath: []) == .infinity)
    }
}
