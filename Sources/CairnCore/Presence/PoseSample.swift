public import CairnGeo
public import CairnTime

/// One live position of a user, as accepted (SES-5).
public struct PoseSample: Sendable {
    public var coordinate: Coordinate
    public var heightMetres: Double
    /// Packed as in `Quaternion.packed`.
    public var orientation: UInt32
    /// Metres; nil = unknown.
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

    /// The sample at an accuracy of `gridMetres`: the centre of its square on the grid; 0 = unchanged (PRF-8).
    public func roughened(toGridMetres gridMetres: Double) -> PoseSample {
        guard gridMetres > 0 else { return self }
        var rough = self
        rough.coordinate = snapped(coordinate, toGridMetres: gridMetres)
        return rough
    }
}
