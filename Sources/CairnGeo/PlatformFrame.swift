/// The axes that a client's AR platform uses, and the two maps between them and GeoPose's east-north-up (ENU) frame
/// (docs/protocol.md, "Axes and handedness"). Both frames are re-based: the world's axes and the thing's own.
/// docs/frames.json has vectors that every client library can check its two maps by.
///
/// A vector is `SIMD3(x, y, z)`, in ENU `SIMD3(east, north, up)`, in metres.
public enum PlatformFrame: String, CaseIterable, Sendable {
    /// ARKit `gravityAndHeading`: +X east, +Y up, +Z south.
    case arkit
    /// ARCore, native and iOS (EUS): the same axes as ARKit.
    case arcore
    /// WebXR and three.js, with the world aligned to north: right-handed, +Y up, -Z north.
    case webXR
    /// Unity with ARCore Extensions (EUN): +X east, +Y up, +Z north, left-handed.
    case unityEUN

    /// A position in this frame, from one in ENU.
    public func position(fromENU enu: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(enu.x, enu.z, isLeftHanded ? enu.y : -enu.y)
    }

    /// A position in ENU, from one in this frame.
    public func enu(fromPosition position: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(position.x, isLeftHanded ? position.z : -position.z, position.y)
    }

    /// An orientation in this frame, from one in ENU.
    public func orientation(fromENU enu: Quaternion) -> Quaternion {
        isLeftHanded
            ? Quaternion(x: -enu.x, y: -enu.z, z: -enu.y, w: enu.w)
            : Quaternion(x: enu.x, y: enu.z, z: -enu.y, w: enu.w)
    }

    /// An orientation in ENU, from one in this frame.
    public func enu(fromOrientation orientation: Quaternion) -> Quaternion {
        isLeftHanded
            ? Quaternion(x: -orientation.x, y: -orientation.z, z: -orientation.y, w: orientation.w)
            : Quaternion(x: orientation.x, y: -orientation.z, z: orientation.y, w: orientation.w)
    }

    private var isLeftHanded: Bool { self == .unityEUN }
}
