public import CairnTime
public import CairnWire
internal import Foundation

/// What receivers get for whom some of the people are absent (FRD-7).
extension PresenceBoard {
    /// A batch without the people in these slots; nil = nothing is left of it.
    public static func batch(_ batch: WirePresence, without absent: Set<UInt16>) -> WirePresence? {
        guard !absent.isEmpty else { return batch }
        let isAbsent = { (slot: UInt32) in absent.contains(UInt16(truncatingIfNeeded: slot)) }
        var batch = batch
        batch.joined.removeAll { isAbsent($0.slot) }
        batch.left.removeAll(where: isAbsent)
        batch.poses = batch.poses.withUnsafeBytes { bytes in
            var kept = Data(capacity: bytes.count)
            for offset in stride(from: 0, to: bytes.count, by: PoseRecord.byteCount) {
                guard let record = PoseRecord.read(from: bytes, at: offset), !absent.contains(record.slot) else {
                    continue
                }
                kept.append(contentsOf: bytes[offset..<offset + PoseRecord.byteCount])
            }
            return kept
        }
        return batch.joined.isEmpty && batch.left.isEmpty && batch.poses.isEmpty ? nil : batch
    }

    /// The batch by which people leave or join for one receiver only; nil = nobody does.
    public mutating func batch(leaving gone: Set<AccountID>, joining back: Set<AccountID>, now: MonotonicTime)
        -> WirePresence?
    {
        let (left, joined) = (slots(of: gone), slots(of: back).filter { slots[Int($0)].person != nil })
        guard !left.isEmpty || !joined.isEmpty else { return nil }
        var batch = heading()
        batch.left = left.sorted().map(UInt32.init)
        batch.joined = joined.sorted().map(described)
        batch.poses = bytes(of: joined.sorted(), now: now)
        return batch
    }
}
