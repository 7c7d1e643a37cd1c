import CairnGeo
import Testing

@Suite struct CellIDTests {
    /// ecosystem.md 1.4.
    @Test(arguments: [
        (10, "487605"), (12, "487604d"), (13, "487604c4"), (14, "487604c5"), (15, "487604c44"),
        (16, "487604c43"), (17, "487604c43c"), (19, "487604c43f4"),
    ])
    func token_atWestminster_isTheKnownOne(level: Int, token: String) {
        let cell = CellID(.westminster, level: level)
        #expect(cell.token == token)
        #expect(cell.description == token)
        #expect(CellID(token: token) == cell)
    }

    @Test(arguments: [
        "", "0", "x", "X", "487604c42", "c1", "4876 04c43", "+87604c43", "-87604c43", "0x487604c43", "487604c43é",
        "48760000000000000", "ffffffffffffffff", "0000000000000002",
    ])
    func token_thatIsNoCell_isRefused(token: String) {
        #expect(CellID(token: token) == nil)
    }

    @Test func token_inUpperCaseOrWithItsZeros_isTheSameCell() {
        #expect(CellID(token: "487604C43") == CellID(token: "487604c43"))
        #expect(CellID(token: "487604c430000000") == CellID(token: "487604c43"))
        #expect(CellID(token: "xx487604c43".dropFirst(2)) == CellID(token: "487604c43"))
    }

    @Test(arguments: [0, 2, 8, .max, 0xD000_0000_0000_0000, 0x4876_04C4_2000_0000] as [UInt64])
    func rawValue_thatIsNoCell_isRefused(rawValue: UInt64) {
        #expect(CellID(rawValue: rawValue) == nil)
    }

    @Test func cells_ofAllLevels_roundTripAndNest() {
        var random = SeededGenerator(3)
        for place in Coordinate.awkward + (0..<500).map({ _ in random.coordinate() }) {
            let leaf = CellID(place, level: 30)
            for level in CellID.levels {
                let cell = CellID(place, level: level)
                #expect(cell.level == level)
                #expect(CellID(token: cell.token) == cell)
                #expect(CellID(rawValue: cell.rawValue) == cell)
                #expect(leaf.parent(level: level) == cell)
                #expect(cell.contains(leaf) && cell.contains(cell) && cell.contains(place))
                #expect(level == 30 || !leaf.contains(cell))
                #expect(CellID(cell.centre, level: level) == cell)
            }
        }
    }

    @Test func descendants_areTheCellsInside() {
        let cell = CellID(.westminster, level: 16)
        for neighbour in cell.neighbours {
            #expect(!cell.descendants.contains(neighbour.rawValue))
            #expect(!cell.descendants.overlaps(neighbour.descendants))
        }
        #expect(cell.descendants.contains(CellID(.westminster, level: 30).rawValue))
        #expect(!cell.descendants.contains(cell.parent(level: 15).rawValue))
    }

    @Test func order_ofTokensAndIds_isTheSame() {
        var random = SeededGenerator(4)
        let cells = (0..<1000).map { _ in CellID(random.coordinate(), level: .random(in: 0...30, using: &random)) }
        #expect(cells.sorted().map(\.token) == cells.map(\.token).sorted())
    }

    @Test func cellID_isOneWord_asTheCBoundaryAssumes() {
        #expect(MemoryLayout<CellID>.size == 8 && MemoryLayout<CellID>.stride == 8)
    }
}

@Suite struct CellIDGroundTests {
    @Test(arguments: [(0.0, 180.0, -180.0), (51.5, 180, -180), (90, 0, 77), (-90, 0, -120), (90, 180, -180)])
    func cell_ofOnePlaceWrittenTwoWays_isOneCell(latitude: Double, a: Double, b: Double) {
        #expect(CellID(.make(latitude, a), level: 16) == CellID(.make(latitude, b), level: 16))
    }

    @Test func neighbours_areEightAndMutual() {
        var random = SeededGenerator(5)
        for _ in 0..<300 {
            let cell = CellID(random.coordinate(), level: .random(in: 3...30, using: &random))
            let neighbours = cell.neighbours
            #expect(neighbours.count == 8)
            #expect(neighbours == Set(neighbours).sorted())
            for neighbour in neighbours {
                #expect(neighbour.level == cell.level && neighbour != cell)
                #expect(neighbour.neighbours.contains(cell))
                #expect(cell.vertices.contains { neighbour.distanceMetres(to: $0) < 1e-6 })
            }
        }
    }

    @Test(arguments: 2...30)
    func neighbours_atACornerOfTheCube_areSeven(level: Int) {
        let corner = CellID(.make(35.264389682754654, 45), level: level)
        #expect(corner.neighbours.count == 7)
    }

    @Test func neighbours_ofTheLargestCells_leaveOutTheCellItself() {
        for face in 0..<6 as Range<UInt64> {
            let cell = CellID(rawValue: face << 61 | 1 << 60)!
            #expect(cell.neighbours.count == 4 && !cell.neighbours.contains(cell))
        }
        for quarter in 0..<24 as Range<UInt64> {
            let cell = CellID(rawValue: quarter << 59 | 1 << 58)!
            #expect(cell.neighbours.count == 7 && !cell.neighbours.contains(cell))
        }
    }

    @Test(arguments: Coordinate.awkward)
    func neighbours_atAwkwardPlaces_goRoundTheCell(place: Coordinate) {
        let cell = CellID(place, level: 16)
        // Just outside every corner and edge lies a neighbour.
        let plane = LocalPlane(origin: cell.centre)
        let corners = cell.vertices.map { plane.metres(of: $0) }
        for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
            for (east, north) in [(a.east, a.north), ((a.east + b.east) / 2, (a.north + b.north) / 2)] {
                let outside = CellID(plane.coordinate(east: east * 1.01, north: north * 1.01), level: 16)
                #expect(cell.neighbours.contains(outside))
            }
        }
    }

    @Test func distance_insideAndOnTheEdge_isZero() {
        var random = SeededGenerator(6)
        for _ in 0..<2000 {
            let cell = CellID(random.coordinate(), level: .random(in: 8...20, using: &random))
            #expect(cell.distanceMetres(to: cell.centre) == 0)
            for vertex in cell.vertices { #expect(cell.distanceMetres(to: vertex) < 1e-6) }
        }
    }

    @Test func distance_toTheOwnersOfAPlace_isExactlyZero() {
        var random = SeededGenerator(7)
        for _ in 0..<20_000 {
            // Corners of cells are where rounding decides.
            let corner = CellID(random.coordinate(), level: .random(in: 0...30, using: &random)).vertices[0]
            let owner = CellID(corner, level: .random(in: 0...30, using: &random))
            #expect(owner.distanceMetres(to: corner) == 0, "\(owner) \(corner)")
        }
    }

    @Test func distance_isThatOfTheNearestOfManyPlacesInTheCell() {
        var random = SeededGenerator(8)
        for centre in Coordinate.awkward + (0..<200).map({ _ in random.coordinate() }) {
            let cell = CellID(random.coordinate(near: centre, metres: 300), level: 16)
            let nearest = cell.samples(side: 41).map { $0.distanceMetres(to: centre) }.min()!
            let distance = cell.distanceMetres(to: centre)
            #expect(distance <= nearest + 1e-3)
            // Samples are at most 6 m apart, so one is within 3 m along the nearest edge.
            #expect(nearest - distance < 4.5)
        }
    }

    @Test(arguments: Coordinate.awkward)
    func edges_areSharedByClosedCells_butOwnedByOne(place: Coordinate) {
        let cell = CellID(place, level: 16)
        for vertex in cell.vertices {
            let around = cell.neighbourhood(rings: 1)
            #expect(around.filter { $0.contains(vertex) }.count == 1)
            #expect(around.filter { $0.distanceMetres(to: vertex) < 1e-6 }.count >= 3)
        }
    }
}
