import Foundation

/// An orientation as OGC GeoPose 1.0 writes it: x, y, z, w, Hamilton, active: `v_enu = q v_own q*` turns a vector of
/// the thing's own axes into east-north-up. `q` and `-q` are the same orientation; compare with
/// ``isSameRotation(as:tolerance:)``, not with `==`.
public struct Quaternion: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var z: Double
    public var w: Double

    public init(x: Double, y: Double, z: Double, w: Double) {
        self.x = x
        self.y = y
        self.z = z
        self.w = w
    }

    /// Own axes are east, north, up: the thing's x axis faces east.
    public static let identity = Quaternion(x: 0, y: 0, z: 0, w: 1)

    /// How far from 1 a norm may be and still be taken as careless rounding (ecosystem.md 1.1).
    public static let normTolerance = 1e-3

    public var norm: Double { (x * x + y * y + z * z + w * w).squareRoot() }

    /// Whether this is a rotation as it stands: finite, and the norm within ``normTolerance`` of 1.
    public var isUnit: Bool { abs(norm - 1) <= Self.normTolerance }

    /// The same direction with norm 1; `nil` when there is none, for zero and for values that are not finite, or so
    /// large or small that their squares are not.
    public func normalised() -> Quaternion? {
        let norm = norm
        guard norm.isNormal else { return nil }
        return Quaternion(x: x / norm, y: y / norm, z: z / norm, w: w / norm)
    }

    /// Upright and facing a compass bearing, in degrees clockwise from north. GeoPose counts yaw counter-clockwise from
    /// east, so yaw = 90 - bearing. A bearing that is not finite gives ``identity``.
    public static func yaw(compassHeadingDegrees bearing: Double) -> Quaternion {
        guard bearing.isFinite else { return identity }
        let half = (90 - bearing).remainder(dividingBy: 360).radians / 2
        return Quaternion(x: 0, y: 0, z: sin(half), w: cos(half))
    }

    /// Turns a vector from the thing's own axes to the outer frame. For a unit quaternion.
    public func rotated(_ vector: SIMD3<Double>) -> SIMD3<Double> {
        let axis = SIMD3(x, y, z)
        let twist = 2 * cross(axis, vector)
        return vector + w * twist + cross(axis, twist)
    }

    /// Whether both are the same rotation, by |dot|, whatever their signs and norms. `tolerance` is 1 - |dot|, which
    /// is the square of the angle between them in radians, over 8. False if either is not a rotation at all.
    public func isSameRotation(as other: Quaternion, tolerance: Double = 1e-9) -> Bool {
        let dot = x * other.x + y * other.y + z * other.z + w * other.w
        return abs(dot) >= (1 - tolerance) * norm * other.norm && norm.isNormal && other.norm.isNormal
    }

    /// The angle of the rotation from this one to the other: radians, 0 to pi. For unit quaternions.
    public func angleRadians(to other: Quaternion) -> Double {
        // By the half chord, since acos of a dot near 1 loses half the digits.
        let difference = SIMD4(x - other.x, y - other.y, z - other.z, w - other.w)
        let sum = SIMD4(x + other.x, y + other.y, z + other.z, w + other.w)
        let chordSquared = min((difference * difference).sum(), (sum * sum).sum())
        return 4 * asin(min(chordSquared.squareRoot() / 2, 1))
    }
}

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
