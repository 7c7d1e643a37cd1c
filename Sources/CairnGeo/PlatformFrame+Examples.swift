extension PlatformFrame {
    /// One place and orientation in ENU and what it is on a platform. ``examples`` are five, the same for every client
    /// library, so that each can check its two maps.
    public struct Example: Sendable {
        public let name: String
        public let enuPosition: SIMD3<Double>
        public let enuOrientation: Quaternion
        /// In ``PlatformFrame/arkit``, ``PlatformFrame/arcore`` and ``PlatformFrame/webXR``, which agree.
        public let rightHanded: (position: SIMD3<Double>, orientation: Quaternion)
        /// In ``PlatformFrame/unityEUN``.
        public let unity: (position: SIMD3<Double>, orientation: Quaternion)
    }

    public static let examples: [Example] = [
        Example(
            name: "unturned, 1 m east, 2 m north, 3 m up",
            enuPosition: [1, 2, 3],
            enuOrientation: .identity,
            rightHanded: ([1, 3, -2], .identity),
            unity: ([1, 3, 2], .identity)
        ),
        Example(
            name: "a quarter turn to the left about the vertical",
            enuPosition: [0, 10, 0],
            enuOrientation: Quaternion(x: 0, y: 0, z: root, w: root),
            rightHanded: ([0, 0, -10], Quaternion(x: 0, y: root, z: 0, w: root)),
            unity: ([0, 0, 10], Quaternion(x: 0, y: -root, z: 0, w: root))
        ),
        Example(
            name: "a quarter turn about east",
            enuPosition: [-4, 0, 1.5],
            enuOrientation: Quaternion(x: root, y: 0, z: 0, w: root),
            rightHanded: ([-4, 1.5, 0], Quaternion(x: root, y: 0, z: 0, w: root)),
            unity: ([-4, 1.5, 0], Quaternion(x: -root, y: 0, z: 0, w: root))
        ),
        Example(
            name: "a quarter turn about north",
            enuPosition: [0, -7, -0.25],
            enuOrientation: Quaternion(x: 0, y: root, z: 0, w: root),
            rightHanded: ([0, -0.25, 7], Quaternion(x: 0, y: 0, z: -root, w: root)),
            unity: ([0, -0.25, -7], Quaternion(x: 0, y: 0, z: -root, w: root))
        ),
        Example(
            name: "a third of a turn about the diagonal, which swaps the axes round",
            enuPosition: [1, -1, 1],
            enuOrientation: Quaternion(x: 0.5, y: 0.5, z: 0.5, w: 0.5),
            rightHanded: ([1, 1, 1], Quaternion(x: 0.5, y: 0.5, z: -0.5, w: 0.5)),
            unity: ([1, 1, -1], Quaternion(x: -0.5, y: -0.5, z: -0.5, w: 0.5))
        ),
    ]

    private static let root = 0.5.squareRoot()
}
