internal import CairnGeo
public import CairnWire
internal import Foundation

extension PresenceBoard {
    /// A batch as an item in a format. JSON readers get the poses as numbers. Numbers cost many times as much as
    /// records, so they are made only here.
    public func item(_ batch: WirePresence, for format: WireFormat) -> WireItem {
        var item = WireItem()
        item.presence = format == .json ? frame.inNumbers(batch) : batch
        return item
    }
}

extension CellFrame {
    /// A batch with `live_poses` instead of `poses`: the same people at the same places, with no more precision than a
    /// record has.
    fileprivate func inNumbers(_ batch: WirePresence) -> WirePresence {
        var told = batch
        told.poses = Data()
        told.livePoses = batch.poses.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: PoseRecord.byteCount).compactMap { offset in
                PoseRecord.read(from: bytes, at: offset).map { pose($0, baseHeight: batch.baseHeight) }
            }
        }
        return told
    }

    private func pose(_ record: PoseRecord, baseHeight: Int32) -> WireLivePose {
        let place = coordinate(of: record)
        var pose = WireLivePose()
        pose.slot = UInt32(record.slot)
        // A tenth of a millimetre, where a step is a centimetre or more.
        pose.lat = place.latitude.rounded(perUnit: 1e9)
        pose.lon = place.longitude.rounded(perUnit: 1e9)
        // A pose on a grid has no height and no orientation; one value of orientation says so (PRF-8).
        guard record.orientation != PoseRecord.orientationUntold else { return pose }
        pose.h = height(of: record, baseHeight: baseHeight).rounded(perUnit: 1e3)
        if let turned = Quaternion(packed: record.orientation) {
            pose.quaternion.x = turned.x.rounded(perUnit: 1e6)
            pose.quaternion.y = turned.y.rounded(perUnit: 1e6)
            pose.quaternion.z = turned.z.rounded(perUnit: 1e6)
            pose.quaternion.w = turned.w.rounded(perUnit: 1e6)
        }
        pose.age = UInt32(record.age) * PoseRecord.ageStepMilliseconds
        if record.accuracy != PoseRecord.accuracyUnknown { pose.accuracy = Double(record.accuracy) / 2 }
        return pose
    }
}

extension Double {
    /// In units of `1 / perUnit`, so that its text is short; 0 has no sign.
    fileprivate func rounded(perUnit: Double) -> Double { (self * perUnit).rounded() / perUnit + 0 }
}
