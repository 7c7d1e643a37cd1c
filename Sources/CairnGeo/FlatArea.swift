/// An area of at most some tens of kilometres that a person has drawn, and what lies in it (TRM-3), decided to the
/// millimetre in whole numbers: a drawing decides how many edges are compared, and never what a comparison costs.
///
/// Edges are geodesics, as those of `Polygon`. The outline belongs to the area: a line may run along it and touch it.
public struct FlatArea: Sendable {
    /// Counter-clockwise, as they were given; the first is not repeated.
    public let corners: [Coordinate]
    private let plane: MillimetrePlane
    /// The same to the millimetre, without those that are where the one before them is.
    private let ring: [MillimetrePlane.Point]

    /// Why corners are no area.
    public struct Fault: Error, Hashable {
        /// What is wrong with them.
        public enum Reason: Sendable {
            case tooFew
            case repeated
            case tooLarge
            case crossing
        }

        public let reason: Reason
        /// The first corner that stands a second time, is too far away, or whose edge touches an earlier one.
        public let index: Int

        public init(reason: Reason, index: Int) { (self.reason, self.index) = (reason, index) }
    }

    /// Compares each pair of edges, so the corners have to be bounded: 1,000 take a millisecond or two.
    ///
    /// - Parameter ring: in either direction, with or without the first repeated as last. A corner that stands there
    ///   several times in a row is one, as programs for drawing write a double click.
    public init(_ ring: [Coordinate]) throws(Fault) {
        let drawn = ring.enumerated().filter { $0.offset == 0 || $0.element != ring[$0.offset - 1] }
        let isClosed = drawn.count > 1 && drawn.first?.element == drawn.last?.element
        let places = isClosed ? Array(drawn.dropLast()) : drawn
        let corners = places.map(\.element)
        guard corners.count >= 3 else { throw Fault(reason: .tooFew, index: corners.count) }
        var seen: Set<Coordinate> = []
        if let place = places.first(where: { !seen.insert($0.element).inserted }) {
            throw Fault(reason: .repeated, index: place.offset)
        }
        let plane = MillimetrePlane(centre: corners[0])
        var points: [(point: MillimetrePlane.Point, index: Int)] = []
        points.reserveCapacity(corners.count)
        for (index, corner) in places {
            guard let point = plane.point(of: corner) else { throw Fault(reason: .tooLarge, index: index) }
            if point != points.last?.point { points.append((point, index)) }
        }
        if points.count > 1, points.first?.point == points.last?.point { points.removeLast() }
        guard points.count >= 3 else { throw Fault(reason: .repeated, index: 1) }
        let outline = points.map(\.point)
        if let edge = Self.firstCrossing(of: outline) { throw Fault(reason: .crossing, index: points[edge].index) }
        let isReversed = Self.isClockwise(outline)
        self.corners = isReversed ? corners.reversed() : corners
        self.plane = plane
        self.ring = isReversed ? outline.reversed() : outline
    }

    /// The first place of a line that is outside, or to which the way leads outside; nil = all of it is inside.
    /// - Throws: when `tests` is used up.
    public func firstOutside(of path: [Coordinate], _ tests: inout EdgeTests) throws(EdgeTests.UsedUp) -> Int? {
        guard let first = path.first else { return nil }
        guard var here = plane.point(of: first), holds(here, &tests) else { return 0 }
        let grid = SegmentGrid(ring.indices.map { (ring[$0], ring[next($0)]) })
        for (index, place) in path.enumerated().dropFirst() {
            guard let there = plane.point(of: place) else { return index }
            // What is inside and leaves by no edge and no corner is inside.
            let isLeft =
                there != here && grid.contains(near: here, there, &tests) { edge, _ in leaves(here, there, by: edge) }
            guard !isLeft else { return index }
            try tests.check(at: index)
            here = there
        }
        return nil
    }
}

extension FlatArea {
    fileprivate typealias Point = MillimetrePlane.Point

    private func next(_ corner: Int) -> Int { corner + 1 < ring.count ? corner + 1 : 0 }

    /// The first edge that touches an earlier one elsewhere than at the corner of both.
    private static func firstCrossing(of ring: [Point]) -> Int? {
        let count = ring.count
        for index in 1..<count {
            let (a, b) = (ring[index], ring[index + 1 < count ? index + 1 : 0])
            if turnsBack(ring[index - 1], a, b) { return index }
            let isLast = index == count - 1
            if isLast, turnsBack(a, b, ring[1]) { return index }
            for earlier in (isLast ? 1 : 0)..<max(index - 1, isLast ? 1 : 0)
            where Point.meet(a, b, ring[earlier], ring[earlier + 1]) {
                return index
            }
        }
        return nil
    }

    /// Whether the way by `b` to `c` goes back on the edge from `a`.
    private static func turnsBack(_ a: Point, _ b: Point, _ c: Point) -> Bool {
        Point.side(a, b, c) == 0
            && (b.east - a.east) * (c.east - b.east) + (b.north - a.north) * (c.north - b.north) < 0
    }

    /// Of a ring that does not cross itself, at the corner that is furthest to the west.
    private static func isClockwise(_ ring: [Point]) -> Bool {
        let corner = ring.indices.min { (ring[$0].east, ring[$0].north) < (ring[$1].east, ring[$1].north) } ?? 0
        let (before, after) = (corner == 0 ? ring.count - 1 : corner - 1, corner + 1 < ring.count ? corner + 1 : 0)
        // Not 0: of a straight line the end would be further.
        return Point.side(ring[before], ring[corner], ring[after]) < 0
    }

    private func holds(_ point: Point, _ tests: inout EdgeTests) -> Bool {
        tests.take(ring.count)
        var isInside = false
        for index in ring.indices {
            let (a, b) = (ring[index], ring[next(index)])
            let side = Point.side(a, b, point)
            if side == 0, point.isBetween(a, b) { return true }
            // To the east of the point: each edge counts with its lower end alone.
            if (a.north > point.north) != (b.north > point.north), (side > 0) == (b.north > a.north) {
                isInside.toggle()
            }
        }
        return isInside
    }

    /// Whether the straight way from `a`, which is inside, to `b` passes an edge or its first corner to the outside.
    private func leaves(_ a: Point, _ b: Point, by edge: Int) -> Bool {
        let (p, q) = (ring[edge], ring[next(edge)])
        guard max(a.east, b.east) >= min(p.east, q.east), max(p.east, q.east) >= min(a.east, b.east),
            max(a.north, b.north) >= min(p.north, q.north), max(p.north, q.north) >= min(a.north, b.north)
        else { return false }
        let (sideOfP, sideOfQ) = (Point.side(a, b, p), Point.side(a, b, q))
        if (sideOfP > 0 && sideOfQ > 0) || (sideOfP < 0 && sideOfQ < 0) { return false }
        if sideOfP == 0, p.isBetween(a, b) {
            // Through a corner.
            return (p != b && !isInside(b, from: edge)) || (p != a && !isInside(a, from: edge))
        }
        let (sideOfA, sideOfB) = (Point.side(p, q, a), Point.side(p, q, b))
        if sideOfP != 0, sideOfQ != 0, (sideOfA > 0 && sideOfB < 0) || (sideOfA < 0 && sideOfB > 0) { return true }
        // The inside is on the left. Ends at corners are decided there.
        if sideOfA == 0, a.isBetween(p, q), a != q { return sideOfB < 0 }
        if sideOfB == 0, b.isBetween(p, q), b != q { return sideOfA < 0 }
        return false
    }

    /// Whether the way from a corner towards a point begins inside or along the outline.
    private func isInside(_ point: Point, from corner: Int) -> Bool {
        let (v, before, after) = (ring[corner], ring[corner == 0 ? ring.count - 1 : corner - 1], ring[next(corner)])
        guard Point.side(before, v, after) < 0 else {
            return Point.side(v, point, before) >= 0 && Point.side(point, v, after) >= 0
        }
        return !(Point.side(v, point, after) > 0 && Point.side(point, v, before) > 0)
    }
}
