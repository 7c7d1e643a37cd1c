import CS2
import Foundation

/// A place on the ground: WGS 84 degrees, finite, latitude -90 to 90, longitude -180 to 180.
///
/// Kept as given, bit for bit: longitudes 180 and -180 are the same place but not equal values.
public struct Coordinate: Hashable, Sendable {
    public let latitude: Double
    public let longitude: Double

    /// `nil` when a value is out of range or not finite (SES-5 `bad_position`, PLC-4 `bad_pose`).
    public init?(latitude: Double, longitude: Double) {
        // A comparison with NaN is false, so this refuses it too.
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Where equator and prime meridian meet: for what is nowhere in particular.
    public static let origin = Coordinate(clampingLatitude: 0, longitude: 0)

    /// For results of our own arithmetic, which may pass a bound by rounding. Not for input.
    init(clampingLatitude latitude: Double, longitude: Double) {
        self.latitude = min(max(latitude, -90), 90)
        self.longitude = min(max(longitude, -180), 180)
    }

    /// Metres along the surface, on S2's sphere of 6,371,010 m, like every distance of this module; within 0.6 % of
    /// the WGS 84 ellipsoid. Good to a micrometre for near points.
    public func distanceMetres(to other: Coordinate) -> Double {
        let northward = sin((other.latitude - latitude).radians / 2)
        let eastward = sin((other.longitude - longitude).radians / 2)
        let haversine =
            northward * northward
            + eastward * eastward * cos(latitude.radians) * cos(other.latitude.radians)
        return 2 * asin(min(haversine, 1).squareRoot()) * Earth.radiusMetres
    }

    /// The compass bearing at which the shortest way to `other` sets out: degrees clockwise from north, 0 ..< 360.
    /// 0 for the same place.
    public func bearingDegrees(to other: Coordinate) -> Double {
        let (here, there) = (latitude.radians, other.latitude.radians)
        let turn = (other.longitude - longitude).radians
        let degrees =
            atan2(sin(turn) * cos(there), cos(here) * sin(there) - sin(here) * cos(there) * cos(turn)).degrees
        let bearing = degrees < 0 ? degrees + 360 : degrees
        return bearing < 360 ? bearing : 0
    }

    /// Metres to the nearest point of a line of geodesics, such as a tour's route (TRM-4); infinite for an empty one.
    /// A path of a single point is that point.
    public func distanceMetres(toPath path: [Coordinate]) -> Double {
        guard !path.isEmpty else { return .infinity }
        return path.withLatLngs { cs2_path_distance(latitude, longitude, $0, path.count) }
    }
}

extension Coordinate: CustomStringConvertible {
    /// `51.5007,-0.1246`
    public var description: String { "\(latitude),\(longitude)" }
}

extension [Coordinate] {
    /// Lends the list as latitude, longitude, latitude, longitude ... for C.
    func withLatLngs<Result>(_ body: (UnsafePointer<Double>?) -> Result) -> Result {
        // Sound because a Coordinate is two Doubles in this order and nothing else (tested), and is only read.
        withUnsafeBytes { body($0.bindMemory(to: Double.self).baseAddress) }
    }
}
