import Foundation

/// Places near a centre as whole millimetres in a plane, in which geodesics are straight lines (the gnomonic
/// projection of the sphere that S2 uses).
///
/// Products of two differences of such numbers have less than 60 bits, so on which side of a line a point is takes two
/// multiplications and is exact. S2 decides the same in doubles and, for what lies within their error, with numbers of
/// any length: a thousand times slower, and whoever draws a line decides how often.
struct MillimetrePlane {
    /// Furthest that a number may be from 0, in millimetres.
    static let reach: Int64 = 200_000_000
    /// A distance in metres within which every place has a point.
    static let reachMetres = 190_000.0

    struct Point: Hashable {
        var east: Int64
        var north: Int64
    }

    private typealias Vector = (x: Double, y: Double, z: Double)

    private let centre: Vector
    private let east: Vector
    private let north: Vector

    init(centre place: Coordinate) {
        let (latitude, longitude) = (place.latitude.radians, place.longitude.radians)
        centre = Self.vector(place)
        east = (-sin(longitude), cos(longitude), 0)
        north = (-sin(latitude) * cos(longitude), -sin(latitude) * sin(longitude), cos(latitude))
    }

    /// nil = the place is too far away.
    func point(of place: Coordinate) -> Point? {
        let local = local(place)
        guard local.z > 0.5 else { return nil }
        let (east, north) = (local.x / local.z * Self.radius, local.y / local.z * Self.radius)
        guard abs(east) <= Double(Self.reach), abs(north) <= Double(Self.reach) else { return nil }
        return Point(east: Int64(east.rounded()), north: Int64(north.rounded()))
    }

    /// What lies within reach of the geodesic between two places; nil = nothing.
    func segment(from a: Coordinate, to b: Coordinate) -> (Point, Point)? {
        var (start, end) = (local(a), local(b))
        // The chord is in the plane of the geodesic: cut short of where it would be seen from behind.
        let least = 1e-3
        guard start.z > least || end.z > least else { return nil }
        if start.z < least { start = Self.cut(start, end, at: least) }
        if end.z < least { end = Self.cut(end, start, at: least) }
        let from = (x: start.x / start.z * Self.radius, y: start.y / start.z * Self.radius)
        let to = (x: end.x / end.z * Self.radius, y: end.y / end.z * Self.radius)
        var (first, last) = (0.0, 1.0)
        for (value, step) in [(from.x, to.x - from.x), (from.y, to.y - from.y)] {
            let reach = Double(Self.reach)
            guard step != 0 else {
                guard abs(value) <= reach else { return nil }
                continue
            }
            let (one, other) = ((-reach - value) / step, (reach - value) / step)
            (first, last) = (max(first, min(one, other)), min(last, max(one, other)))
        }
        guard first <= last else { return nil }
        func at(_ share: Double) -> Point {
            let (x, y) = (from.x + share * (to.x - from.x), from.y + share * (to.y - from.y))
            let reach = Double(Self.reach)
            return Point(
                east: Int64(min(max(x.rounded(), -reach), reach)), north: Int64(min(max(y.rounded(), -reach), reach)))
        }
        return (at(first), at(last))
    }

    private static let radius = Earth.radiusMetres * 1_000

    private static func vector(_ place: Coordinate) -> Vector {
        let (latitude, longitude) = (place.latitude.radians, place.longitude.radians)
        return (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }

    private func local(_ place: Coordinate) -> Vector {
        let place = Self.vector(place)
        func along(_ axis: Vector) -> Double { place.x * axis.x + place.y * axis.y + place.z * axis.z }
        return (along(east), along(north), along(centre))
    }

    private static func cut(_ a: Vector, _ b: Vector, at z: Double) -> Vector {
        let share = (z - a.z) / (b.z - a.z)
        return (a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), z)
    }
}

extension MillimetrePlane.Point {
    /// Above 0 if `c` is on the left of the line from `a` to `b`, below 0 on the right, 0 on it.
    static func side(_ a: Self, _ b: Self, _ c: Self) -> Int64 {
        (b.east &- a.east) &* (c.north &- a.north) &- (b.north &- a.north) &* (c.east &- a.east)
    }

    /// Whether a point that is on the line through `a` and `b` is between them, or one of them.
    func isBetween(_ a: Self, _ b: Self) -> Bool {
        min(a.east, b.east) <= east && east <= max(a.east, b.east)
            && min(a.north, b.north) <= north && north <= max(a.north, b.north)
    }

    /// Whether two segments have a point in common.
    static func meet(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Bool {
        guard max(a.east, b.east) >= min(c.east, d.east), max(c.east, d.east) >= min(a.east, b.east),
            max(a.north, b.north) >= min(c.north, d.north), max(c.north, d.north) >= min(a.north, b.north)
        else { return false }
        // Two segments of one line whose boxes meet have a point in common.
        return side(a, b, c).signum() * side(a, b, d).signum() <= 0
            && side(c, d, a).signum() * side(c, d, b).signum() <= 0
    }
}
