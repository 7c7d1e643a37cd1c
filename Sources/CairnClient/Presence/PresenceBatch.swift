public import CairnGeo
public import CairnWire

/// One `Presence` message, read in place: nothing is copied or allocated until a name is read.
///
/// Apply in the order of session.proto: `isKeyframe`, `forEachLeft`, `forEachJoined`, `forEachPose`. It borrows the
/// bytes of the message it came in, so it cannot be copied and must not outlive the call it is handed to.
public struct PresenceBatch: ~Copyable {
    public let cell: CellID
    /// True: forget everybody known in this cell first.
    public let isKeyframe: Bool
    /// Length of a step of `PoseRecord` in metres.
    public let stepMetres: Double
    /// The base of `PoseRecord.up`, in metres above the ellipsoid.
    public let baseHeightMetres: Double
    /// People in the cell, sharing their position or not; 0 = too few to say, nil = unchanged.
    public let peopleCount: Int?
    /// The pose records, `PoseRecord.byteCount` bytes each. An unsafe pointer, because at millions of poses a second a
    /// copy of them would cost more than reading them.
    public let poses: UnsafeRawBufferPointer
    /// The whole message, borrowed like `poses`: good as long as the batch, which cannot be copied or kept.
    private let body: UnsafeRawBufferPointer
    private let hasRosterChanges: Bool

    /// A person who joined the cell, as long as the batch lives.
    public struct Joined {
        public let slot: UInt16
        /// UTF-8 of the person's id.
        public let idBytes: UnsafeRawBufferPointer
        /// UTF-8 of the person's name.
        public let nameBytes: UnsafeRawBufferPointer

        public var id: String { String(decoding: idBytes, as: UTF8.self) }
        public var name: String { String(decoding: nameBytes, as: UTF8.self) }
    }

    /// Values that a short batch omits because an earlier batch has them.
    struct Heading: Sendable {
        let cell: CellID
        let stepMillimetres: UInt64
        let baseHeight: Int32
    }

    var heading: Heading {
        Heading(
            cell: cell, stepMillimetres: UInt64((stepMetres * 1_000).rounded()), baseHeight: Int32(baseHeightMetres))
    }

    /// Number of pose records.
    public var poseCount: Int { poses.count / PoseRecord.byteCount }

    /// Whether people joined or left.
    public var changesRoster: Bool { hasRosterChanges || isKeyframe }

    /// Hands out the poses in order.
    @inlinable
    public func forEachPose(_ body: (PoseRecord) -> Void) {
        var offset = 0
        while let record = PoseRecord.read(from: poses, at: offset) {
            body(record)
            offset &+= PoseRecord.byteCount
        }
    }

    /// Calls `body` for each person who joined, in order.
    public func forEachJoined(_ body: (Joined) -> Void) {
        guard hasRosterChanges else { return }
        var reader = ByteReader(self.body)
        while !reader.isAtEnd, let tag = reader.varint() {
            if tag == Tag.joined {
                // Both were checked when the batch was read.
                guard let bytes = reader.lengthDelimited(), let person = Self.person(bytes) else { return }
                body(person)
            } else if !reader.skip(wireType: tag & 7) {
                return
            }
        }
    }

    /// Calls `body` for each slot whose person left or stopped sharing.
    public func forEachLeft(_ body: (UInt16) -> Void) {
        guard hasRosterChanges else { return }
        var reader = ByteReader(self.body)
        while !reader.isAtEnd, let tag = reader.varint() {
            switch tag {
            case Tag.left:
                if let slot = reader.varint() { body(UInt16(truncatingIfNeeded: slot)) }
            case Tag.leftPacked:
                guard let bytes = reader.lengthDelimited() else { return }
                var slots = ByteReader(bytes)
                while !slots.isAtEnd, let slot = slots.varint() { body(UInt16(truncatingIfNeeded: slot)) }
            default:
                guard reader.skip(wireType: tag & 7) else { return }
            }
        }
    }

    /// Field numbers of session.proto with their wire types.
    private enum Tag {
        static let cell: UInt64 = 1 << 3 | 2
        static let keyframe: UInt64 = 2 << 3
        static let joined: UInt64 = 3 << 3 | 2
        static let left: UInt64 = 4 << 3
        static let leftPacked: UInt64 = 4 << 3 | 2
        static let poses: UInt64 = 5 << 3 | 2
        static let step: UInt64 = 6 << 3
        static let baseHeight: UInt64 = 7 << 3
        static let people: UInt64 = 8 << 3
        static let number: UInt64 = 12 << 3
        static let base: UInt64 = 13 << 3
    }

    /// Reads the body of a `Presence`; nil if it is malformed or names no known cell.
    /// - Parameter known: the values of the last batch of the cell with this short number; nil = there was none.
    init?(_ body: UnsafeRawBufferPointer, of known: (UInt32) -> Heading?) {
        var cell: CellID?
        var isKeyframe = false
        var stepMillimetres: UInt64 = 0
        var baseHeight: Int32 = 0
        var people: Int?
        var poses = UnsafeRawBufferPointer(start: nil, count: 0)
        var hasRosterChanges = false
        var reader = ByteReader(body)
        while !reader.isAtEnd {
            guard let tag = reader.varint() else { return nil }
            switch tag {
            case Tag.cell:
                guard let token = reader.lengthDelimited() else { return nil }
                cell = Self.cell(token)
            case Tag.keyframe:
                guard let value = reader.varint() else { return nil }
                isKeyframe = value != 0
            case Tag.joined:
                guard let bytes = reader.lengthDelimited(), Self.person(bytes) != nil else { return nil }
                hasRosterChanges = true
            case Tag.left:
                guard reader.varint() != nil else { return nil }
                hasRosterChanges = true
            case Tag.leftPacked:
                guard let bytes = reader.lengthDelimited(), Self.isPacked(bytes) else { return nil }
                hasRosterChanges = true
            case Tag.poses:
                guard let bytes = reader.lengthDelimited() else { return nil }
                poses = bytes
            case Tag.step:
                guard let value = reader.varint() else { return nil }
                stepMillimetres = value
            case Tag.baseHeight:
                guard let value = reader.varint() else { return nil }
                baseHeight = Int32(truncatingIfNeeded: value)
            case Tag.people:
                guard let value = reader.varint() else { return nil }
                people = Int(clamping: value)
            case Tag.number:
                guard let value = reader.varint(), let heading = known(UInt32(truncatingIfNeeded: value)) else {
                    return nil
                }
                (cell, stepMillimetres, baseHeight) = (heading.cell, heading.stepMillimetres, heading.baseHeight)
            case Tag.base:
                guard let value = reader.varint() else { return nil }
                baseHeight = Int32(truncatingIfNeeded: Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
            default:
                guard reader.skip(wireType: tag & 7) else { return nil }
            }
        }
        guard let cell, poses.count % PoseRecord.byteCount == 0, poses.isEmpty || stepMillimetres > 0 else {
            return nil
        }
        self.cell = cell
        self.isKeyframe = isKeyframe
        self.stepMetres = Double(stepMillimetres) / 1_000
        self.baseHeightMetres = Double(baseHeight)
        self.peopleCount = people
        self.poses = poses
        self.body = body
        self.hasRosterChanges = hasRosterChanges
    }

    private static func isPacked(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var slots = ByteReader(bytes)
        while !slots.isAtEnd {
            guard let slot = slots.varint(), slot <= UInt16.max else { return false }
        }
        return true
    }

    /// A cell's token: 1 to 16 hexadecimal digits, without a String in between.
    private static func cell(_ token: UnsafeRawBufferPointer) -> CellID? {
        guard (1...16).contains(token.count) else { return nil }
        var value: UInt64 = 0
        for byte in token {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(byte &- UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(byte &- UInt8(ascii: "a") &+ 10)
            default: return nil
            }
        }
        return CellID(rawValue: value << UInt64(4 * (16 - token.count)))
    }

    private static func person(_ bytes: UnsafeRawBufferPointer) -> Joined? {
        var slot: UInt64 = 0
        // Empty until the field comes; then a part of `bytes`, good as long as they are.
        var id = UnsafeRawBufferPointer(start: nil, count: 0)
        var name = id
        var reader = ByteReader(bytes)
        while !reader.isAtEnd {
            guard let tag = reader.varint() else { return nil }
            switch tag {
            case 1 << 3:
                guard let value = reader.varint(), value <= UInt16.max else { return nil }
                slot = value
            case 2 << 3 | 2:
                guard let text = reader.lengthDelimited() else { return nil }
                id = text
            case 3 << 3 | 2:
                guard let text = reader.lengthDelimited() else { return nil }
                name = text
            default:
                guard reader.skip(wireType: tag & 7) else { return nil }
            }
        }
        return Joined(slot: UInt16(slot), idBytes: id, nameBytes: name)
    }
}
