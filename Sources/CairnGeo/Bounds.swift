import CS2
import Foundation

/// A box of latitudes and longitudes, edges included, such as a map's: RFC 7946 section 5, with west > east when it
/// crosses the antimeridian.
public struct Bounds: Hashable, Sendable {
    public let south: Double
    public let west: Double
    public let north: Double
    public let east: Double

    /// `nil` when a value is out of range or not finite, or south is north of north. Longitudes 180 and -180 are the
    /// same place, so a box from 180 starts at -180 and one to -180 ends at 180; -180 to 180 is all the way round.
    public init?(south: Double, west: Double, north: Double, east: Double) {
        guard abs(south) <= 90, abs(north) <= 90, south <= north, abs(west) <= 180, abs(east) <= 180 else { return nil }
        self.south = south
        self.north = north
        let isWhole = west == -180 && east == 180
        let isMeridian = abs(west) == 180 && abs(east) == 180 && !isWhole
        self.west = isMeridian ? 180 : west == 180 ? -180 : west
        self.east = isMeridian || east == -180 ? 180 : east
    }

    /// Whether the place is in the box or on its edge. Longitudes 180 and -180 are the same place here too.
    public func contains(_ coordinate: Coordinate) -> Bool {
        guard south...north ~= coordinate.latitude else { return false }
        let longitude = coordinate.longitude
        if west > east { return longitude >= west || longitude <= east }
        return west...east ~= longitude || abs(longitude) == 180 && (west == -180 || east == 180)
    }

    /// On the sphere: what `area_too_large` is judged by (MAP-1).
    public var areaSquareMetres: Double {
        let width = west > east ? east - west + 360 : east - west
        return Earth.radiusMetres * Earth.radiusMetres * width.radians * (sin(north.radians) - sin(south.radians))
    }

    /// The cells of a level that the box touches, ascending; `nil` when there are more than `limit`. Traps if `level`
    /// is not in ``CellID/levels``.
    public func cells(level: Int, limit: Int) -> [CellID]? {
        covering(level: level, limit: limit, expected: 64) { cells, capacity in
            cs2_cells_touching_box(south, west, north, east, Int32(level), cells, capacity)
        }
    }
}
