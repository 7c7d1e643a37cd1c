/// A line of places that are at most some tens of kilometres apart, such as a tour's route, for many questions about
/// how far other places are from it (TRM-4). In the plane at its first place: at 10 km that is a few millimetres off.
///
/// A question takes one look at each segment: about 10 microseconds for 10,000 of them.
public struct RouteLine: Sendable {
    private let plane: LocalPlane
    private let points: [(east: Double, north: Double)]
    /// Metres along the line up to each place, by great circles.
    private let along: [Double]

    /// - Parameter places: at least one.
    public init?(_ places: [Coordinate]) {
        guard let first = places.first else { return nil }
        let plane = LocalPlane(origin: first)
        self.plane = plane
        points = places.map { plane.metres(of: $0) }
        var (length, along) = (0.0, [0.0])
        along.reserveCapacity(places.count)
        for (one, next) in zip(places, places.dropFirst()) {
            length += one.distanceMetres(to: next)
            along.append(length)
        }
        self.along = along
    }

    /// Metres from the first place to the last, great circles from place to place.
    public var lengthMetres: Double { along.last ?? 0 }

    /// The nearest point of the line.
    /// - Returns: metres to it, and metres along the line up to it.
    public func nearest(to place: Coordinate) -> (metres: Double, along: Double) {
        let (east, north) = plane.metres(of: place)
        guard points.count > 1 else {
            let (x, y) = (points[0].east - east, points[0].north - north)
            return ((x * x + y * y).squareRoot(), 0)
        }
        var (least, nearest, part) = (Double.infinity, 0, 0.0)
        for index in 0..<points.count - 1 {
            let (a, b) = (points[index], points[index + 1])
            let (dx, dy) = (b.east - a.east, b.north - a.north)
            let (px, py) = (east - a.east, north - a.north)
            let square = dx * dx + dy * dy
            let share = square > 0 ? min(max((px * dx + py * dy) / square, 0), 1) : 0
            let (x, y) = (px - share * dx, py - share * dy)
            let distance = x * x + y * y
            if distance < least { (least, nearest, part) = (distance, index, share) }
        }
        let length = along[nearest + 1] - along[nearest]
        return (least.squareRoot(), along[nearest] + part * length)
    }
}
