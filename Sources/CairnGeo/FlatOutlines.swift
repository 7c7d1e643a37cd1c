/// What of the outlines of polygons is near a place, and where a line touches them (NAV-4, TRM-3): decided to the
/// millimetre in whole numbers, as in `FlatArea`, because a person has drawn the line.
public struct FlatOutlines: Sendable {
    private let plane: MillimetrePlane
    private let polygons: [Polygon]
    private let edges: [(MillimetrePlane.Point, MillimetrePlane.Point)]

    /// Furthest from the centre that a line may be, in metres.
    public static let reachMetres = MillimetrePlane.reachMetres

    public init(of polygons: [Polygon], around centre: Coordinate) {
        let plane = MillimetrePlane(centre: centre)
        self.plane = plane
        self.polygons = polygons
        edges = polygons.flatMap { polygon in
            zip(polygon.vertices, polygon.vertices.dropFirst() + polygon.vertices.prefix(1)).compactMap {
                plane.segment(from: $0, to: $1)
            }
        }
    }

    /// The first place of a line that is in a polygon, or at which the way to it touches an outline; nil = none.
    /// - Parameter path: within reach of the centre; what is not counts as touching nothing.
    /// - Throws: when `tests` is used up.
    public func firstTouched(by path: [Coordinate], _ tests: inout EdgeTests) throws(EdgeTests.UsedUp) -> Int? {
        guard let first = path.first else { return nil }
        if polygons.contains(where: { $0.contains(first) }) { return 0 }
        guard !edges.isEmpty else { return nil }
        let grid = SegmentGrid(edges)
        var here = plane.point(of: first)
        for (index, place) in path.enumerated() {
            let there = plane.point(of: place)
            if let from = here ?? there, let there {
                let touches = grid.contains(near: from, there, &tests) { _, edge in
                    MillimetrePlane.Point.meet(from, there, edge.0, edge.1)
                }
                guard !touches else { return index }
                try tests.check(at: index)
            }
            here = there
        }
        return nil
    }
}
