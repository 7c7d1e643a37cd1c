/// A place in the air: a coordinate and metres above the WGS 84 ellipsoid (not above the sea: ecosystem.md 1.1).
public struct GeoPoint: Hashable, Sendable {
    public var coordinate: Coordinate
    /// nil = nobody knows.
    public var altitudeMetres: Double?

    public init(coordinate: Coordinate, altitudeMetres: Double?) {
        self.coordinate = coordinate
        self.altitudeMetres = altitudeMetres
    }
}

/// OGC GeoPose 1.0, Basic-Quaternion (21-056r11): a place, a height and which way up.
///
/// The outer frame is the east-north-up plane at the place; the orientation turns a vector of the thing's own axes
/// into that frame (see ``Quaternion``). A value may hold anything a client sent; ``validated()`` judges it.
public struct GeoPose: Hashable, Sendable {
    public var coordinate: Coordinate
    /// Metres above the WGS 84 ellipsoid.
    public var heightMetres: Double
    public var orientation: Quaternion

    public init(coordinate: Coordinate, heightMetres: Double, orientation: Quaternion) {
        self.coordinate = coordinate
        self.heightMetres = heightMetres
        self.orientation = orientation
    }

    /// The pose with its orientation made exactly unit, or `nil` (PLC-4 `bad_pose`) when the height is not finite or
    /// the orientation is not a rotation (``Quaternion/isUnit``).
    public func validated() -> GeoPose? {
        guard heightMetres.isFinite, orientation.isUnit, let unit = orientation.normalised() else { return nil }
        return GeoPose(coordinate: coordinate, heightMetres: heightMetres, orientation: unit)
    }
}
