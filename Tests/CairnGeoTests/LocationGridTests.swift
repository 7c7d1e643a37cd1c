import CairnGeo
import Testing

@Suite struct LocationGridTests {
    private static let grids = [10.0, 100, 1000]

    @Test(arguments: grids)
    func snapped_again_isTheSame(grid: Double) {
        var random = SeededGenerator(22)
        for place in Coordinate.awkward + (0..<20_000).map({ _ in random.coordinate() }) {
            let once = snapped(place, toGridMetres: grid)
            #expect(snapped(once, toGridMetres: grid) == once)
        }
    }

    @Test(arguments: grids)
    func snapped_isNearTheCoordinate(grid: Double) {
        var random = SeededGenerator(23)
        for place in Coordinate.awkward + (0..<20_000).map({ _ in random.coordinate() }) {
            let distance = snapped(place, toGridMetres: grid).distanceMetres(to: place)
            #expect(distance <= grid * (abs(place.latitude) < 85 ? 0.72 : 1.51))
        }
    }

    /// What is told apart is a grid apart: the finer value is gone.
    @Test(arguments: grids)
    func snapped_placesThatDiffer_areAGridApart(grid: Double) {
        var random = SeededGenerator(24)
        for _ in 0..<5000 {
            let place = random.coordinate()
            let a = snapped(place, toGridMetres: grid)
            let b = snapped(random.coordinate(near: place, metres: grid), toGridMetres: grid)
            guard a.latitude == b.latitude, a != b else { continue }
            #expect(a.distanceMetres(to: b) >= grid * 0.999)
        }
    }

    @Test func snapped_withinASquare_isOnePlace() {
        let middle = snapped(.westminster, toGridMetres: 100)
        var random = SeededGenerator(25)
        for _ in 0..<1000 {
            let plane = LocalPlane(origin: middle)
            let near = plane.coordinate(east: random.unit() * 49.5, north: random.unit() * 49.5)
            #expect(snapped(near, toGridMetres: 100) == middle)
        }
    }

    @Test func snapped_eastwards_stepsEvenlyAlongABand() {
        // The step in longitude follows from the band alone, so that it does not tell where in the band.
        let north = snapped(.make(51.50009, 0), toGridMetres: 100).latitude
        let places = stride(from: -0.05, to: 0.05, by: 0.0001).map { snapped(.make(north, $0), toGridMetres: 100) }
        let columns = Set(places.map(\.longitude)).sorted()
        let steps = zip(columns, columns.dropFirst()).map { $1 - $0 }
        #expect(steps.max()! - steps.min()! < 1e-9)
        for offset in [-0.0004, 0.0004] {
            let shifted = snapped(.make(north + offset, 0.01), toGridMetres: 100)
            #expect(shifted.latitude == north ? columns.contains(shifted.longitude) : true)
        }
    }

    @Test func snapped_onALineBetweenSquares_goesOneWay() {
        // Just below and just above a line differ; the line itself belongs to one of them.
        let middle = snapped(.westminster, toGridMetres: 100)
        let halfDegrees = 90 / (180 * 111_195.1 / 100).rounded(.down)
        let (below, above) = (middle.latitude + halfDegrees - 1e-9, middle.latitude + halfDegrees + 1e-9)
        #expect(snapped(.make(below, middle.longitude), toGridMetres: 100) == middle)
        #expect(snapped(.make(above, middle.longitude), toGridMetres: 100).latitude > middle.latitude)
    }

    @Test(arguments: grids)
    func snapped_atTheEdgesOfTheMap_isOnePlaceHoweverWritten(grid: Double) {
        for latitude in [-90.0, -51.5, 0, 20, 90] {
            let east = snapped(.make(latitude, 180), toGridMetres: grid)
            #expect(east == snapped(.make(latitude, -180), toGridMetres: grid))
        }
        #expect(snapped(.make(90, 12), toGridMetres: grid) == snapped(.make(90, -99), toGridMetres: grid))
    }

    @Test func snapped_toAGridOutOfRange_isHeldToIt() {
        let place = Coordinate.westminster
        #expect(snapped(place, toGridMetres: 0) == snapped(place, toGridMetres: 1))
        #expect(snapped(place, toGridMetres: -5) == snapped(place, toGridMetres: 1))
        #expect(snapped(place, toGridMetres: .nan) == snapped(place, toGridMetres: 1_000_000))
        #expect(snapped(place, toGridMetres: .infinity) == snapped(place, toGridMetres: 1_000_000))
    }
}

/// The middle of the square that holds the place.
private func snapped(_ place: Coordinate, toGridMetres gridMetres: Double) -> Coordinate {
    let grid = LocationGrid(metres: gridMetres)
    return grid.middle(of: grid.square(of: place))
}
