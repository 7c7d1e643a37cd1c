import CairnGeo
import Testing

@Suite struct CoveringTests {
    @Test func cellsTouching_anywhere_areThoseOfBruteForce() {
        var random = SeededGenerator(9)
        for _ in 0..<300 {
            check(random.coordinate(), radiusMetres: .random(in: 0...300, using: &random), level: 16)
            check(random.coordinate(), radiusMetres: .random(in: 0...100, using: &random), level: 17)
            check(random.coordinate(), radiusMetres: .random(in: 0...1200, using: &random), level: 14)
        }
    }

    @Test(arguments: Coordinate.awkward, [0, 1e-6, 10, 100, 110, 250])
    func cellsTouching_atAwkwardPlaces_areThoseOfBruteForce(place: Coordinate, radiusMetres: Double) {
        check(place, radiusMetres: radiusMetres, level: 16)
    }

    @Test func cellsTouching_fromACorner_areThoseOfBruteForce() {
        var random = SeededGenerator(10)
        for _ in 0..<100 {
            let cell = CellID(random.coordinate(), level: 16)
            // From a corner the disc's edge passes through other corners.
            let edge = cell.vertices[0].distanceMetres(to: cell.vertices[1])
            for radius in [0, edge, edge.nextDown, edge.nextUp] {
                check(cell.vertices[0], radiusMetres: radius, level: 16)
            }
        }
    }

    private func check(_ centre: Coordinate, radiusMetres: Double, level: Int) {
        // A cell of level L is at least 6,006,647 m / 2^L wide, and rings of neighbours reach at least that each.
        let rings = Int(radiusMetres / (6_006_647 / Double(1 << level))) + 2
        let expected = CellID(centre, level: level).neighbourhood(rings: rings)
            .filter { $0.distanceMetres(to: centre) <= radiusMetres }.sorted()
        let found = cells(touching: centre, radiusMetres: radiusMetres, level: level)
        #expect(found == expected, "\(centre) \(radiusMetres) m")
        #expect(found.contains(CellID(centre, level: level)))
    }

    @Test func cellsTouching_holdTheCellOfEveryPlaceInTheDisc() {
        var random = SeededGenerator(11)
        for centre in Coordinate.awkward + (0..<100).map({ _ in random.coordinate() }) {
            let found = Set(cells(touching: centre, radiusMetres: 100, level: 16))
            for _ in 0..<200 {
                let place = random.coordinate(near: centre, metres: 100)
                guard place.distanceMetres(to: centre) <= 100 else { continue }
                #expect(found.contains(CellID(place, level: 16)))
            }
        }
    }

    @Test func cellsTouching_atTheAntimeridian_coversBothSides() {
        let found = cells(touching: .make(0.001, 180), radiusMetres: 100, level: 16)
        #expect(found.contains(CellID(.make(0.001, 179.9995), level: 16)))
        #expect(found.contains(CellID(.make(0.001, -179.9995), level: 16)))
        #expect(found == cells(touching: .make(0.001, -180), radiusMetres: 100, level: 16))
    }

    @Test(arguments: [90.0, -90])
    func cellsTouching_atAPole_goAllTheWayRound(latitude: Double) {
        let found = cells(touching: .make(latitude, 33), radiusMetres: 100, level: 16)
        for longitude in stride(from: -180.0, to: 180, by: 15) {
            let place = Coordinate.make(latitude > 0 ? 89.9995 : -89.9995, longitude)
            #expect(found.contains(CellID(place, level: 16)))
        }
    }

    @Test(arguments: [-1, -.leastNonzeroMagnitude, -.infinity, .nan] as [Double])
    func cellsTouching_aDiscThatIsNone_areNone(radiusMetres: Double) {
        #expect(cells(touching: .westminster, radiusMetres: radiusMetres, level: 16).isEmpty)
    }

    @Test(arguments: [19_990_000, 20_015_200, 1e9, .infinity] as [Double])
    func cellsTouching_theWholeEarth_areAll(radiusMetres: Double) {
        for place in Coordinate.awkward {
            #expect(cells(touching: place, radiusMetres: radiusMetres, level: 3).count == 384)
        }
    }

    @Test(arguments: Coordinate.awkward)
    func cellsTouching_almostTheWholeEarth_areThoseWithinReach(place: Coordinate) {
        let all = cells(touching: place, radiusMetres: .infinity, level: 5)
        for radius in [9e6, 15e6, 19.5e6] {
            let expected = all.filter { $0.distanceMetres(to: place) <= radius }
            #expect(cells(touching: place, radiusMetres: radius, level: 5) == expected)
        }
    }

    @Test func cellsTouching_onTheOutermostLevels_work() {
        #expect(cells(touching: .westminster, radiusMetres: 100, level: 0) == [CellID(.westminster, level: 0)])
        #expect(cells(touching: .westminster, radiusMetres: 0, level: 30).contains(CellID(.westminster, level: 30)))
        check(.westminster, radiusMetres: 0.05, level: 30)
        check(.make(90, 0), radiusMetres: 0.03, level: 30)
    }

    @Test func cellsTouching_manyCells_areCountedInFull() {
        // 20 km on level 16: some 85,000 cells, near the bound.
        let found = cells(touching: .westminster, radiusMetres: 20_000, level: 16)
        #expect((70_000...cellsTouchingMax).contains(found.count))
        #expect(zip(found, found.dropFirst()).allSatisfy(<))
        #expect(found.allSatisfy { $0.distanceMetres(to: .westminster) <= 20_000 })
    }

    @Test func cellsTouching_tooManyCells_traps() async {
        await #expect(processExitsWith: .failure) {
            _ = cells(touching: Coordinate(latitude: 0, longitude: 0)!, radiusMetres: 1_000_000, level: 16)
        }
    }

    @Test(arguments: [-1, 31])
    func cellID_onALevelThatIsNone_traps(level: Int) async {
        await #expect(processExitsWith: .failure) { [level] in
            _ = CellID(Coordinate(latitude: 0, longitude: 0)!, level: level)
        }
    }
}

@Suite struct BoundsTests {
    @Test(
        arguments: [
            (1, 0, 0, 1), (-91, 0, 0, 1), (0, 0, 90.1, 1), (0, -181, 1, 0), (0, 0, 1, 180.5), (.nan, 0, 1, 1),
            (0, .nan, 1, 1),
        ] as [(Double, Double, Double, Double)])
    func bounds_outOfOrderOrRange_areRefused(south: Double, west: Double, north: Double, east: Double) {
        #expect(Bounds(south: south, west: west, north: north, east: east) == nil)
    }

    /// RFC 7946 section 5.2: Fiji.
    @Test func bounds_acrossTheAntimeridian_containBothSides() throws {
        let fiji = try #require(Bounds(south: -20, west: 177, north: -16, east: -178))
        #expect(fiji.contains(.make(-18, 178)) && fiji.contains(.make(-18, -179)))
        #expect(fiji.contains(.make(-18, 180)) && fiji.contains(.make(-18, -180)))
        #expect(!fiji.contains(.make(-18, 0)) && !fiji.contains(.make(-15.9, 178)))
    }

    @Test(arguments: [(180.0, -170.0), (-180, -170), (170, 180), (170, -180), (180, 180), (-180, -180), (180, -180)])
    func bounds_endingAtTheAntimeridian_containItWrittenEitherWay(west: Double, east: Double) throws {
        let bounds = try #require(Bounds(south: -1, west: west, north: 1, east: east))
        #expect(bounds.contains(.make(0, 180)) && bounds.contains(.make(0, -180)))
        #expect(!bounds.contains(.make(0, 0)) && !bounds.contains(.make(0, 90)))
        #expect(bounds.areaSquareMetres < 1e13)
        let cells = try #require(bounds.cells(level: 5, limit: 100))
        #expect(cells.contains(CellID(.make(0, 180), level: 5)))
    }

    @Test func bounds_ofTheWholeEarth_containAll() throws {
        let earth = try #require(Bounds(south: -90, west: -180, north: 90, east: 180))
        #expect(Coordinate.awkward.allSatisfy(earth.contains))
        #expect(abs(earth.areaSquareMetres / 5.1007e14 - 1) < 1e-3)
        #expect(earth.cells(level: 2, limit: 96)?.count == 96)
        #expect(earth.cells(level: 2, limit: 95) == nil)
        #expect(earth.cells(level: 20, limit: 0) == nil)
    }

    @Test func cells_ofABox_areThoseOfTheSamplesInIt() throws {
        var random = SeededGenerator(12)
        for centre in Coordinate.awkward + (0..<50).map({ _ in random.coordinate() }) {
            let (south, north) = (max(centre.latitude - 0.002, -90), min(centre.latitude + 0.002, 90))
            let wide = { (degrees: Double) in degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees }
            let (west, east) = (wide(centre.longitude - 0.003), wide(centre.longitude + 0.003))
            let box = try #require(Bounds(south: south, west: west, north: north, east: east))
            let cells = try #require(box.cells(level: 16, limit: 1000))
            #expect(zip(cells, cells.dropFirst()).allSatisfy(<))
            for _ in 0..<100 {
                let place = Coordinate.make(
                    .random(in: south...north, using: &random), wide(centre.longitude + random.unit() * 0.003))
                #expect(box.contains(place))
                #expect(cells.contains(CellID(place, level: 16)))
            }
            // And none that only looks near: each has a sample in the box, or all but (20 m).
            for cell in cells {
                let reach = cell.samples(side: 15).map { place in
                    place.distanceMetres(
                        to: .make(
                            min(max(place.latitude, south), north),
                            abs(wide(place.longitude - centre.longitude)) <= 0.003
                                ? place.longitude
                                : wide(place.longitude - centre.longitude) > 0 ? east : west))
                }.min()!
                #expect(reach < 20)
            }
        }
    }
}
