public import CairnTime
public import CairnWire
internal import Foundation

/// What receivers get for whom some of the people are absent (FRD-7).
extension PresenceBoard {
    /// What is left of a batch for a receiver.
    public enum Excerpt: Sendable {
        /// All of it: no person in it is absent.
        case whole
        case part(WirePresence)
        case nothing
    }

    /// A batch without the people in these slots.
    public static func excerpt(of batch: WirePresence, without absent: Set<UInt16>) -> Excerpt {
        let absent = Few(absent)
        let isAbsent = { (slot: UInt32) in absent.contains(UInt16(truncatingIfNeeded: slot)) }
        let kept = poses(batch.poses, without: absent)
        guard kept != nil || batch.joined.contains(where: { isAbsent($0.slot) }) || batch.left.contains(where: isAbsent)
        else { return .whole }
        var part = batch
        part.joined.removeAll { isAbsent($0.slot) }
        part.left.removeAll(where: isAbsent)
        if let kept { part.poses = kept }
        return part.joined.isEmpty && part.left.isEmpty && part.poses.isEmpty ? .nothing : .part(part)
    }

    /// Records without those of absent slots; nil = there are none of these.
    private static func poses(_ records: Data, without absent: Few<UInt16>) -> Data? {
        records.withUnsafeBytes { bytes in
            var kept: Data?
            // All records between two absent people are copied at once.
            var copied = 0
            for offset in stride(from: 0, to: bytes.count, by: PoseRecord.byteCount)
            where absent.contains(PoseRecord.slot(in: bytes, at: offset)) {
                kept = kept ?? Data(capacity: bytes.count)
                kept?.append(contentsOf: bytes[copied..<offset])
                copied = offset + PoseRecord.byteCount
            }
            kept?.append(contentsOf: bytes[copied...])
            return kept
        }
    }

    /// The batch by which people leave or join for one receiver only; nil = none does.
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
