import CairnGeo

/// A piece of ground in which some of the people stay: a rectangle in the plane at its origin.
struct Area: Sendable {
    let plane: LocalPlane
    /// Half the width, metres east and west of the origin.
    let eastHalf: Double
    /// Half the height, metres north and south of the origin.
    let northHalf: Double

    func coordinate(east: Double, north: Double) -> Coordinate { plane.coordinate(east: east, north: north) }
}

/// The place of a crowd.
enum Ground {
    /// Westminster, as in ecosystem.md 1.4.
    static let usual: Coordinate = {
        guard let place = Coordinate(latitude: 51.5007, longitude: -0.1246) else {
            preconditionFailure("Westminster is on the Earth")
        }
        return place
    }()

    /// Roughly the width of a cell of a level on the ground, metres.
    static func cellWidthMetres(level: Int) -> Double {
        // S2's average edge: a quarter of the Earth's circumference over 2^level, a little less at the edges.
        9_200_000 / Double(UInt64(1) << UInt64(level))
    }

    /// One strip over this many neighbouring cells, so that people walk from one to the next.
    static func strip(cells: Int, level: Int, at middle: Coordinate) -> [Area] {
        let width = cellWidthMetres(level: level)
        return [
            Area(plane: LocalPlane(origin: middle), eastHalf: width * Double(cells) / 2, northHalf: width / 2)
        ]
    }

    /// Areas inside one cell each, more than a kilometre apart, ten to a row.
    static func apart(cells: Int, level: Int, at first: Coordinate) -> [Area] {
        let width = cellWidthMetres(level: level)
        let distance = max(1_300, width * 3)
        let grid = LocalPlane(origin: first)
        return (0..<cells).map { index in
            let place = grid.coordinate(east: Double(index % 10) * distance, north: Double(index / 10) * distance)
            // S2's narrowest cell has two thirds of the average width, and is rotated: a fifth of the width stays
            // within it.
            return Area(
                plane: LocalPlane(origin: CellID(place, level: level).centre), eastHalf: width / 5, northHalf: width / 5
            )
        }
    }
}
