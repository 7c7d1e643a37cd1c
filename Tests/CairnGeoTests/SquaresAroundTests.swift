import CairnGeo
import Testing

@Suite("Location grid: the squares around a cell")
struct SquaresAroundTests {
    private let grid = LocationGrid(metres: 1_000)

    @Test(arguments: [(45.5, -73.57), (-33.9, 151.2), (0.001, 0.001), (0.0, 179.9999), (69.6, 18.9)])
    func squares_holdEveryPlaceOfTheCell(_ latitude: Double, _ longitude: Double) throws {
        for level in [12, 14, 16, 20] {
            let cell = CellID(.make(latitude, longitude), level: level)
            let squares = try #require(grid.squares(around: cell, countMax: 400))
            #expect(Set(squares).count == squares.count)
            for place in cell.vertices + [cell.centre] {
                #expect(squares.contains(grid.square(of: place)), "\(cell) level \(level)")
            }
        }
    }

    @Test func cellOfAHundredMetres_touchesFourSquaresAtMost() throws {
        for step in 0..<40 {
            let cell = CellID(.make(45 + Double(step) * 0.0037, 7 + Double(step) * 0.0041), level: 16)
            #expect(try (1...4).contains(#require(grid.squares(around: cell, countMax: 400)).count))
        }
    }

    @Test func corners_areThoseOfWholeSquares() throws {
        let place = Coordinate.make(45.5, -73.57)
        let square = grid.square(of: place)
        let corners = grid.corners(of: square)
        #expect(corners[0].latitude <= place.latitude && place.latitude < corners[2].latitude)
        #expect(corners[0].longitude <= place.longitude && place.longitude < corners[2].longitude)
        #expect((corners[2].latitude - corners[0].latitude) / LocationGrid.degreesPerMetre >= grid.metres)
        let middle = grid.middle(of: square)
        #expect(abs((corners[0].longitude + corners[2].longitude) / 2 - middle.longitude) < 1e-9)
    }

    @Test func cellThatTouchesTooMany_orAPole_hasNone() {
        let large = CellID(.make(45, 7), level: 4)
        #expect(grid.squares(around: large, countMax: 400) == nil)
        #expect(grid.squares(around: CellID(.make(89.9999, 0), level: 16), countMax: 400) == nil)
    }
}
