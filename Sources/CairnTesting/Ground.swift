public import CairnGeo

/// A place for tests: a cell, a neighbouring cell, and coordinates in metres.
public struct Ground: Sendable {
    /// The origin of metres: the centre of `cell`.
    public let centre: Coordinate
    public let cell: CellID
    /// Shares an edge with `cell`.
    public let neighbour: CellID
    private let plane: LocalPlane

    /// Westminster, level 16.
    public static let here = Ground.make()

    /// - Parameter coordinate: any place in the wanted cell.
    public static func make(near coordinate: Coordinate = .make(), level: Int = 16) -> Ground {
        let cell = CellID(coordinate, level: level)
        let centre = cell.centre
        // Neighbours that share an edge are nearer than those that share a corner.
        let neighbour = cell.neighbours.min {
            $0.centre.distanceMetres(to: centre) < $1.centre.distanceMetres(to: centre)
        }
        return Ground(
            centre: centre, cell: cell, neighbour: neighbour ?? cell, plane: LocalPlane(origin: centre))
    }

    /// The place at these metres east and north of the centre.
    public func at(east: Double = 0, north: Double = 0) -> Coordinate {
        plane.coordinate(east: east, north: north)
    }

    /// A place on the line from the centre of `cell` (0) to the centre of `neighbour` (1).
    public func between(_ share: Double) -> Coordinate {
        let (east, north) = plane.metres(of: neighbour.centre)
        return at(east: east * share, north: north * share)
    }
}

extension Coordinate {
    /// Westminster by default. Traps for an invalid coordinate.
    public static func make(latitude: Double = 51.5007, longitude: Double = -0.1246) -> Coordinate {
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            preconditionFailure("\(latitude),\(longitude) is no place on the ground")
        }
        return coordinate
    }
}
