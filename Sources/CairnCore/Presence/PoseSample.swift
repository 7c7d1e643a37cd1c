public import CairnGeo
public import CairnTime

/// One live position of a user, as accepted (SES-5).
public struct PoseSample: Sendable {
    public var coordinate: Coordinate
    public var heightMetres: Double
    /// Packed as in `Quaternion.packed`.
    public var orientation: UInt32
    /// Metres; nil = unknown. Infinite = the device calls the place invalid.
    public var accuracyMetres: Float?
    /// When it was accepted.
    public var at: MonotonicTime

    public init(
        coordinate: Coordinate, heightMetres: Double, orientation: UInt32, accuracyMetres: Float?, at: MonotonicTime
    ) {
        self.coordinate = coordinate
        self.heightMetres = heightMetres
        self.orientation = orientation
        self.accuracyMetres = accuracyMetres
        self.at = at
    }

    /// The same sample at a place that others may learn (PRF-8).
    public func shown(at place: Coordinate) -> PoseSample {
        var shown = self
        shown.coordinate = place
        return shown
    }
}
