import CairnGeo
import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// The square that others are told of (PRF-8, CMP-5).
@Suite("CoarsePlace")
struct CoarsePlaceTests {
    private static let grids = [10.0, 100, 1_000]
    static let margins = EdgeMargins(key: Array(1...16))
    /// Where columns, bands and longitudes end.
    private static let awkward = [(51.5, -0.12), (0, 0), (0.0004, 179.9996), (-33.9, -179.9999), (89.99, 10), (-90, 0)]

    private static func place(at place: Coordinate, _ account: UInt64 = 7, grid: Double = 100) -> CoarsePlace {
        CoarsePlace(of: .make(account), at: place, gridMetres: grid, level: 16, margins: margins)
    }

    /// A place in grids east and north of the middle of a square.
    private static func off(
        _ place: CoarsePlace, east: Double = 0, north: Double = 0, grid: Double = 100
    ) -> Coordinate {
        let lattice = LocationGrid(metres: grid)
        return .make(
            latitude: place.middle.latitude + north * lattice.bandDegrees,
            longitude: place.middle.longitude + east * lattice.columnDegrees(inBand: place.square.band))
    }

    /// Walks from the middle in one direction.
    /// - Returns: at how many grids beyond the edge the square changes.
    private static func crossing(_ place: CoarsePlace, account: UInt64 = 7, east: Double, north: Double) -> Double? {
        var held = place
        for step in stride(from: 0.5, through: 2, by: 0.001)
        where held.follow(
            .make(account), to: off(place, east: east * step, north: north * step), errorMetres: nil, margins: margins)
        {
            return step - 0.5
        }
        return nil
    }

    @Test(arguments: grids)
    func whatIsTold_isTheMiddleOfASquareAndItsCell(grid: Double) {
        var random = SeededRandom(1)
        let lattice = LocationGrid(metres: grid)
        for (latitude, longitude) in Self.awkward {
            var at = Coordinate.make(latitude: latitude, longitude: longitude)
            var held = Self.place(at: at, grid: grid)
            for _ in 0..<500 {
                _ = held.follow(.make(7), to: at, errorMetres: nil, margins: Self.margins)
                #expect(held.holds(at, errorMetres: nil))
                #expect(lattice.middle(of: lattice.square(of: held.middle)) == held.middle)
                #expect(held.cell == CellID(held.middle, level: 16))
                if abs(latitude) < 80 { #expect(held.middle.distanceMetres(to: at) < grid * 1.5 * 1.5) }
                let plane = LocalPlane(origin: at)
                at = plane.coordinate(
                    east: .random(in: -0.6...0.6, using: &random) * grid,
                    north: .random(in: -0.6...0.6, using: &random) * grid)
            }
        }
    }

    @Test func personOfWhomNothingIsHeld_isInTheirOwnSquare() {
        let place = Self.place(at: Ground.here.centre)
        #expect(place.middle == snapped(Ground.here.centre, toGridMetres: 100))
    }

    @Test func square_changesBeyondTheEdgeByItsMargin() throws {
        var random = SeededRandom(2)
        for _ in 0..<100 {
            let latitude = Double.random(in: -60...60, using: &random)
            let longitude = Double.random(in: -170...170, using: &random)
            let place = Self.place(at: .make(latitude: latitude, longitude: longitude))
            let ways: [(EdgeMargins.Side, Double, Double, Int)] = [
                (.north, 0, 1, place.square.band + 1), (.south, 0, -1, place.square.band),
                (.east, 1, 0, place.square.column + 1), (.west, -1, 0, place.square.column),
            ]
            for (side, east, north, line) in ways {
                let margin = Self.margins.margin(of: .make(7), gridMetres: 100, side, line: line)
                let crossing = try #require(Self.crossing(place, east: east, north: north))
                #expect(abs(crossing - margin) < 0.002)
            }
        }
    }

    @Test func wayBack_hasAMarginOfItsOwn() {
        let first = Self.place(at: Ground.here.centre)
        var (place, step) = (first, 0.5)
        while !place.follow(.make(7), to: Self.off(first, east: step), errorMetres: nil, margins: Self.margins) {
            step += 0.01
        }
        #expect(place.square == LocationGrid.Square(band: first.square.band, column: first.square.column + 1))
        // On the edge, and a little beyond it on either side.
        for near in stride(from: 0.26, through: 0.74, by: 0.01) {
            #expect(place.holds(Self.off(first, east: near), errorMetres: nil))
        }
    }

    /// Whoever goes north, and stands a little east of their column, tells nothing about it.
    @Test func changeOfOneAxis_leavesTheOther() {
        let first = Self.place(at: Ground.here.centre)
        var place = first
        let north = Self.off(first, east: 0.7, north: 1.6)
        let isOther = place.follow(.make(7), to: north, errorMetres: nil, margins: Self.margins)
        #expect(isOther)
        #expect(place.square.band > first.square.band)
        #expect(place.middle.longitude == first.middle.longitude)
    }

    @Test func statedErrorOfAFix_holdsTheSquareForThreeTimesAsFar() throws {
        let place = Self.place(at: Ground.here.centre, grid: 10)
        let margin = Self.margins.margin(of: .make(7), gridMetres: 10, .north, line: place.square.band + 1)
        func isHeld(_ metresBeyond: Double, _ error: Float) -> Bool {
            let north = Self.off(place, north: 0.5 + margin + metresBeyond / 10, grid: 10)
            return place.holds(north, errorMetres: error)
        }
        #expect(isHeld(11.9, 4) && !isHeld(12.2, 4))
        // A fix that is out by a mile holds five squares.
        #expect(isHeld(49.8, 1_600) && !isHeld(50.3, 1_600))
        #expect(isHeld(49.8, .infinity) && !isHeld(50.3, .infinity))
    }

    @Test func leap_isFollowedAtOnce() {
        var place = Self.place(at: Ground.here.centre)
        let far = Ground.here.at(east: 3_000, north: -7_000)
        let isOther = place.follow(.make(7), to: far, errorMetres: nil, margins: Self.margins)
        #expect(isOther)
        #expect(place.middle == snapped(far, toGridMetres: 100))
    }

    // MARK: Margins

    @Test func margin_isTheSameForSixteenLines_andSecretOtherwise() {
        func margin(
            _ line: Int, account: UInt64 = 7, grid: Double = 100, side: EdgeMargins.Side = .east
        ) -> Double {
            Self.margins.margin(of: .make(account), gridMetres: grid, side, line: line)
        }
        let one = margin(160)
        #expect((160..<176).allSatisfy { margin($0) == one })
        let others = [
            margin(159), margin(176), margin(160, account: 8), margin(160, grid: 10), margin(160, side: .west),
            EdgeMargins(key: Array(2...17)).margin(of: .make(7), gridMetres: 100, .east, line: 160),
        ]
        #expect(Set(others + [one]).count == others.count + 1)
    }

    @Test func margins_lieEvenlyInTheirRange() {
        var random = SeededRandom(3)
        let drawn = (1...1_000).map {
            Self.margins.margin(of: .make(UInt64($0)), gridMetres: 100, .north, line: 3_000_000 + $0)
        }
        let even = (1...1_000).map { _ in Double.random(in: EdgeMargins.range, using: &random) }
        #expect(drawn.allSatisfy(EdgeMargins.range.contains))
        #expect(KolmogorovSmirnov(drawn, even).pValue > 0.01)
    }
}
