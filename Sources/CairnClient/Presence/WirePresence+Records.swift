internal import CairnGeo
internal import CairnWire
internal import Foundation

extension WirePresence {
    /// A batch of the JSON form as the binary form has it: what its numbers were made from, so that there is one way to
    /// read poses. Nil if a number is missing or cannot be.
    func inRecords() -> WirePresence? {
        guard !livePoses.isEmpty else { return self }
        guard let cell = CellID(token: cell), step > 0 else { return nil }
        let plane = LocalPlane(origin: cell.centre)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(livePoses.count * PoseRecord.byteCount)
        for pose in livePoses {
            guard let record = record(of: pose, in: plane) else { return nil }
            record.append(to: &bytes)
        }
        var batch = self
        batch.livePoses = []
        batch.poses = Data(bytes)
        return batch
    }

    private func record(of pose: WireLivePose, in plane: LocalPlane) -> PoseRecord? {
        guard let slot = UInt16(exactly: pose.slot), pose.hasLat, pose.hasLon,
            let place = Coordinate(latitude: pose.lat, longitude: pose.lon)
        else { return nil }
        let (east, north) = plane.metres(of: place)
        var record = PoseRecord(
            slot: slot, east: steps(east), north: steps(north), up: 0, orientation: PoseRecord.orientationUntold,
            age: .max, accuracy: PoseRecord.accuracyUnknown)
        guard pose.hasH else { return record }
        let turned = pose.quaternion
        record.up = steps(pose.h - Double(baseHeight))
        record.orientation = Quaternion(x: turned.x, y: turned.y, z: turned.z, w: turned.w).packed
        if pose.hasAge { record.age = UInt8(clamping: pose.age / PoseRecord.ageStepMilliseconds) }
        if pose.hasAccuracy { record.accuracy = UInt8(Self.bounded(pose.accuracy * 2, to: 0...254)) }
        return record
    }

    private func steps(_ metres: Double) -> Int16 {
        Int16(Self.bounded((metres * 1_000 / Double(step)).rounded(), to: -32_768...32_767))
    }

    /// JSON can say what is no number; that counts as the least.
    private static func bounded(_ value: Double, to range: ClosedRange<Double>) -> Double {
        value.isNaN ? range.lowerBound : min(max(value, range.lowerBound), range.upperBound)
    }
}
