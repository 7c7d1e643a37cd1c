import Foundation

/// The east-north-up plane at a place, on the WGS 84 ellipsoid: metres east and north of the origin, as GeoPose's outer
/// frame counts them. Used to quantise poses against a cell's centre.
///
/// Exact, also at the poles and across the antimeridian: a place is projected onto the plane along the origin's
/// vertical, at ellipsoidal height 0. There and back differs by less than a micrometre up to 1,000 km from the origin
/// (further out, beyond the horizon of the plane, places fold back). A length in the plane is shorter than on the
/// ground by 1 mm at 8 km; against ``Coordinate/distanceMetres(to:)`` it differs by up to 0.6 %, the sphere's error.
///
/// With `a` = 6378137, `e2` = 0.00669437999014, `s` and `c` the sine and cosine of the origin's latitude, and for any
/// latitude `N` = a / sqrt(1 - e2 sin^2): a place has x = N cos(lat) cos(dlon), y = N cos(lat) sin(dlon) and
/// z = N (1 - e2) sin(lat), where dlon is its longitude less the origin's; with x0 and z0 those of the origin,
/// east = y and north = c (z - z0) - s (x - x0).
public struct LocalPlane: Sendable {
    public let origin: Coordinate
    private let sine: Double
    private let cosine: Double
    /// The origin from the Earth's centre: outwards in the plane of the equator, and along the axis.
    private let outward: Double
    private let axial: Double

    public init(origin: Coordinate) {
        self.origin = origin
        (sine, cosine) = (sin(origin.latitude.radians), cos(origin.latitude.radians))
        (outward, axial) = Self.meridian(sine: sine, cosine: cosine)
    }

    /// Metres east and north of the origin.
    public func metres(of coordinate: Coordinate) -> (east: Double, north: Double) {
        let latitude = coordinate.latitude.radians
        let turn = (coordinate.longitude - origin.longitude).radians
        let (outward, axial) = Self.meridian(sine: sin(latitude), cosine: cos(latitude))
        return (outward * sin(turn), cosine * (axial - self.axial) - sine * (outward * cos(turn) - self.outward))
    }

    /// The place at metres east and north of the origin; NaN counts as 0, and what lies off the Earth as the edge of
    /// it.
    public func coordinate(east: Double, north: Double) -> Coordinate {
        let (east, north) = (Self.bounded(east), Self.bounded(north))
        // The foot in the plane, then down the vertical by `drop` to the ellipsoid x^2 + y^2 + k z^2 = a^2.
        let (x, z) = (outward - north * sine, axial + north * cosine)
        let k = 1 / (1 - Earth.eccentricitySquared)
        let square = cosine * cosine + k * sine * sine
        let half = x * cosine + k * z * sine
        let rest = x * x + east * east + k * z * z - Earth.equatorialRadiusMetres * Earth.equatorialRadiusMetres
        let drop = rest / (half + max(half * half - square * rest, 0).squareRoot())
        let (footX, footZ) = (x - drop * cosine, z - drop * sine)
        let latitude = atan2(footZ, (1 - Earth.eccentricitySquared) * hypot(footX, east)).degrees
        let longitude = origin.longitude + atan2(east, footX).degrees
        return Coordinate(
            clampingLatitude: latitude,
            longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude)
    }

    private static func bounded(_ metres: Double) -> Double { metres.isNaN ? 0 : min(max(metres, -1e7), 1e7) }

    private static func meridian(sine: Double, cosine: Double) -> (outward: Double, axial: Double) {
        let normal =
            Earth.equatorialRadiusMetres / (1 - Earth.eccentricitySquared * sine * sine).squareRoot()
        return (normal * cosine, normal * (1 - Earth.eccentricitySquared) * sine)
    }
}
