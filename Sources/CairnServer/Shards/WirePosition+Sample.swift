internal import CairnCore
internal import CairnGeo
internal import CairnTime
internal import CairnWire

extension WirePosition {
    private static let heightMetresMax = 100_000.0
    /// What phones write for a direction that they do not know. Other negative headings count against the clock.
    private static let headingUnknown: Float = -1

    /// What the message says, checked (SES-5). A negative speed and a heading of -1 are unknown: Core Location writes
    /// them so.
    /// - Parameter now: when it was accepted.
    /// - Throws: `bad_position` with the name of the field that is out of range or not finite.
    func sample(at now: MonotonicTime) throws(Refusal) -> PoseSample {
        guard hasLat, hasLon, let coordinate = Coordinate(latitude: lat, longitude: lon) else {
            throw Self.bad("lat, lon")
        }
        guard h.isFinite, abs(h) <= Self.heightMetresMax else { throw Self.bad("h") }
        guard !hasAccuracy || accuracy.isFinite else { throw Self.bad("accuracy") }
        guard !hasHeading || (heading.isFinite && abs(heading) <= 360) else { throw Self.bad("heading") }
        guard !hasSpeed || speed.isFinite else { throw Self.bad("speed") }
        return PoseSample(
            coordinate: coordinate, heightMetres: h, orientation: try orientation().packed,
            accuracyMetres: errorMetres, at: now)
    }

    /// How far off the place may be; nil = the device does not say. Infinite for a negative accuracy, by which Core
    /// Location says that the coordinate is invalid: such a place leads to no arrival.
    private var errorMetres: Float? {
        guard hasAccuracy else { return nil }
        return accuracy < 0 ? .infinity : accuracy
    }

    private func orientation() throws(Refusal) -> Quaternion {
        guard hasQuaternion else {
            guard hasHeading, heading != Self.headingUnknown else { return .identity }
            return .yaw(compassHeadingDegrees: Double(heading))
        }
        let given = Quaternion(x: quaternion.x, y: quaternion.y, z: quaternion.z, w: quaternion.w)
        guard quaternion.hasX, quaternion.hasY, quaternion.hasZ, quaternion.hasW, given.isUnit,
            let unit = given.normalised()
        else { throw Self.bad("quaternion") }
        return unit
    }

    private static func bad(_ field: String) -> Refusal {
        Refusal(
            .badPosition, "\(field) is out of range", component: Shard.positionComponent, details: ["field": field])
    }
}
