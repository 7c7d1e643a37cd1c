extension Polygon {
    /// The first place of a line that is outside, or at which an edge to it touches the outline; nil = all is inside.
    public func firstOutside(of path: [Coordinate]) -> Int? {
        for (index, place) in path.enumerated() {
            guard contains(place), index == 0 || contains(path: [path[index - 1], place]) else { return index }
        }
        return nil
    }

    /// For a ring that `init` refuses: the first corner that stands a second time, or whose edge crosses an earlier
    /// one; nil = none is found. Looks at each pair of edges, so the ring has to be bounded: 1,000 corners take some
    /// milliseconds.
    public static func firstFault(of ring: [Coordinate]) -> Int? {
        let ring = ring.count > 1 && ring.first == ring.last ? ring.dropLast() : ring
        guard let origin = ring.first else { return nil }
        let plane = LocalPlane(origin: origin)
        let points = ring.map { plane.metres(of: $0) }
        let count = points.count
        var seen: Set<Coordinate> = []
        if let index = ring.firstIndex(where: { !seen.insert($0).inserted }) { return index }
        for index in 0..<count {
            let (a, b) = (points[index], points[(index + 1) % count])
            for earlier in 0..<index where (index + 1) % count != earlier && earlier + 1 != index {
                if crosses(a, b, points[earlier], points[earlier + 1]) { return index }
            }
        }
        return nil
    }

    private typealias Point = (east: Double, north: Double)

    private static func crosses(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
        side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0
    }

    /// On which side of the line from `a` to `b`: above, below or equal to 0.
    private static func side(_ a: Point, _ b: Point, _ c: Point) -> Double {
        (b.east - a.east) * (c.north - a.north) - (b.north - a.north) * (c.east - a.east)
    }
}
