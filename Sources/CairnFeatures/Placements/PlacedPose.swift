internal import CairnCore
internal import CairnGeo
internal import CairnWire

/// A pose that has passed the checks of PLC-4. The message itself is stored, bit for bit.
struct PlacedPose {
    static let providerBytesMax = 64
    static let anchorIDBytesMax = 256
    static let anchorDataBytesMax = 4_096

    let coordinate: Coordinate
    let heightMetres: Double
    /// Nil = absent in the message.
    private let scale: Double?

    /// - Throws: `bad_pose`, `invalid_field` for anchor data beyond its bounds.
    init(_ pose: WirePose) throws(Refusal) {
        let position = pose.geopose.position
        let wire = pose.geopose.quaternion
        guard position.hasLat, position.hasLon, position.hasH, wire.hasX, wire.hasY, wire.hasZ, wire.hasW else {
            throw Self.bad("geopose needs position {lat, lon, h} and quaternion {x, y, z, w}")
        }
        guard let coordinate = Coordinate(latitude: position.lat, longitude: position.lon) else {
            throw Self.bad("lat must be -90 to 90 and lon -180 to 180")
        }
        guard position.h.isFinite, abs(position.h) <= 100_000 else { throw Self.bad("h must be within 100 km") }
        let norm = (wire.x * wire.x + wire.y * wire.y + wire.z * wire.z + wire.w * wire.w).squareRoot()
        guard norm.isFinite, abs(norm - 1) <= 1e-3 else {
            throw Self.bad("the quaternion's norm must be 1, it is \(norm)")
        }
        guard !pose.hasAccuracy || (pose.accuracy.isFinite && pose.accuracy >= 0) else {
            throw Self.bad("accuracy must be a finite number of metres")
        }
        let anchor = pose.anchor
        guard anchor.provider.utf8.count <= Self.providerBytesMax, anchor.id.utf8.count <= Self.anchorIDBytesMax,
            anchor.data.count <= Self.anchorDataBytesMax
        else {
            throw Refusal(
                .invalidField, "anchor: provider, id or data is too long", component: Placements.name,
                details: ["field": "anchor"])
        }
        guard anchor.transform.isEmpty || anchor.transform.count == 16, anchor.transform.allSatisfy(\.isFinite) else {
            throw Self.bad("anchor.transform must hold 16 finite numbers or none")
        }
        self.coordinate = coordinate
        heightMetres = position.h
        scale = pose.hasScale ? Double(pose.scale) : nil
    }

    /// Checks the scale against the operators' bounds.
    /// - Throws: `bad_pose`.
    func check(_ settings: PlacementSettings) throws(Refusal) {
        guard let scale else { return }
        let bounds = (settings.scaleMin, settings.scaleMax)
        guard bounds.0 <= scale, scale <= bounds.1 else {
            throw Self.bad("scale must be \(bounds.0) to \(bounds.1)")
        }
    }

    private static func bad(_ message: String) -> Refusal {
        Refusal(.badPose, Refusal.Text(english: message), component: Placements.name)
    }
}
