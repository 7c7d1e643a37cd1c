import CS2

/// A simple polygon without holes: restricted areas (NAV-4), hazards, tour areas (TRM-3).
///
/// 3 to 10,000 vertices, joined by geodesics, no two the same, no edge crossing another, all within a quarter of the
/// Earth's girth of their middle. The
/// inside is the smaller side, whichever way round the vertices are given (RFC 7946 asks for counter-clockwise and asks
/// parsers to take both), and may hold a pole or cross the antimeridian. RFC 7946 means straight lines on an
/// equirectangular map by its edges: the two differ by centimetres over a kilometre of edge, and by the square of that
/// beyond.
public struct Polygon: Sendable {
    public static let verticesMax = 10_000

    /// Counter-clockwise, starting with whichever was given first or last; the first not repeated.
    public let vertices: [Coordinate]
    private let outline: Outline

    /// Why vertices are no polygon.
    public enum Fault: Error, Hashable, Sendable {
        case tooFewVertices(Int)
        case tooManyVertices(Int)
        case repeatedVertex
        case selfIntersection
        /// One is a quarter of the Earth's girth or more from the middle of all, so neither side is plainly the inside.
        case tooLarge
    }

    /// Takes either winding, with or without the first vertex repeated as last (a GeoJSON ring has it). A vertex that
    /// stands there several times in a row is one.
    ///
    /// 100 vertices take 0.2 ms, 10,000 some 85 ms and, spitefully drawn, seconds: lists that clients send deserve a
    /// lower bound than ``verticesMax``.
    public init(_ ring: [Coordinate]) throws(Fault) {
        var vertices = ring.indices.filter { $0 == 0 || ring[$0] != ring[$0 - 1] }.map { ring[$0] }
        if vertices.count > 1, vertices.first == vertices.last { vertices.removeLast() }
        guard vertices.count >= 3 else { throw .tooFewVertices(vertices.count) }
        guard vertices.count <= Self.verticesMax else { throw .tooManyVertices(vertices.count) }
        var (fault, reversed) = (CS2_POLYGON_OK, Int32(0))
        guard let polygon = vertices.withLatLngs({ cs2_polygon_new($0, vertices.count, &fault, &reversed) }) else {
            switch fault {
            case CS2_POLYGON_REPEATED_VERTEX: throw .repeatedVertex
            case CS2_POLYGON_TOO_LARGE: throw .tooLarge
            default: throw .selfIntersection
            }
        }
        self.vertices = reversed == 0 ? vertices : vertices.reversed()
        outline = Outline(polygon)
    }

    /// Whether the coordinate is inside. Of polygons that tile the ground, just one contains a place on their edges.
    public func contains(_ coordinate: Coordinate) -> Bool {
        cs2_polygon_contains(outline.polygon, coordinate.latitude, coordinate.longitude) != 0
    }

    /// Whether a line of geodesics stays inside, not touching the outline: a tour's route in its area (TRM-3). An empty
    /// one does.
    public func contains(path: [Coordinate]) -> Bool {
        path.allSatisfy(contains) && !zip(path, path.dropFirst()).contains(where: isCrossed)
    }

    /// Whether a line of geodesics enters or touches the polygon: a route through a restricted area (NAV-4).
    public func intersects(path: [Coordinate]) -> Bool {
        path.contains(where: contains) || zip(path, path.dropFirst()).contains(where: isCrossed)
    }

    /// Whether the cell and the polygon share a point; errs towards yes by less than 0.1 micrometre.
    public func intersects(_ cell: CellID) -> Bool {
        cs2_polygon_intersects_cell(outline.polygon, cell.rawValue) != 0
    }

    /// The cells of a level that the polygon touches, ascending: an index for many polygons. `nil` when there are more
    /// than `limit`. Traps if `level` is not in ``CellID/levels``.
    public func cells(level: Int, limit: Int) -> [CellID]? {
        covering(level: level, limit: limit, expected: 64) { cells, capacity in
            cs2_cells_touching_polygon(outline.polygon, Int32(level), cells, capacity)
        }
    }

    /// Metres from the coordinate to the nearest point of the polygon: 0 inside.
    public func distanceMetres(to coordinate: Coordinate) -> Double {
        cs2_polygon_distance(outline.polygon, coordinate.latitude, coordinate.longitude)
    }

    /// On the sphere.
    public var areaSquareMetres: Double { cs2_polygon_area_square_metres(outline.polygon) }

    private func isCrossed(from a: Coordinate, to b: Coordinate) -> Bool {
        cs2_polygon_crosses(outline.polygon, a.latitude, a.longitude, b.latitude, b.longitude) != 0
    }
}

extension Polygon: Hashable {
    /// The same vertices in the same order, once both are counter-clockwise.
    public static func == (a: Polygon, b: Polygon) -> Bool { a.vertices == b.vertices }
    public func hash(into hasher: inout Hasher) { hasher.combine(vertices) }
}

extension Polygon.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooFewVertices(let count): "polygon: \(count) vertices, needs 3"
        case .tooManyVertices(let count): "polygon: \(count) vertices, may have \(Polygon.verticesMax)"
        case .repeatedVertex: "polygon: a vertex occurs twice"
        case .selfIntersection: "polygon: two edges cross"
        case .tooLarge: "polygon: larger than a hemisphere"
        }
    }
}

/// Owns S2's polygon.
private final class Outline: @unchecked Sendable {
    // @unchecked because of the pointer: what it points to never changes after `cs2_polygon_new`, which also builds its
    // index, and S2 allows const calls on any thread.
    let polygon: OpaquePointer

    init(_ polygon: OpaquePointer) {
        self.polygon = polygon
    }

    deinit { cs2_polygon_free(polygon) }
}
