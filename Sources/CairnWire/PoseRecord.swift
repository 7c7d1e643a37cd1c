/// One live pose as `Presence.poses` carries it: 14 bytes, little-endian, in this order: slot, east, north, up,
/// orientation, age, accuracy (the layout is part of the protocol: session.proto).
public struct PoseRecord: Hashable, Sendable {
    /// Length of a record in bytes.
    public static let byteCount = 14
    /// Value of `accuracy` that means unknown.
    public static let accuracyUnknown: UInt8 = 255
    /// Value of `orientation` for a person who shares only the square that they are in: `up`, `age` and `accuracy` have
    /// no meaning then. No orientation packs to it.
    public static let orientationUntold = UInt32.max
    /// A step of `age`. Inlinable: every record divides by it.
    @inlinable public static var ageStepMilliseconds: UInt32 { 4 }

    /// Whose pose: `Person.slot` of the cell, 0 to 65,535.
    public var slot: UInt16
    /// Distance east of the cell's centre in steps of `Presence.step` millimetres.
    public var east: Int16
    /// Distance north of the cell's centre in steps.
    public var north: Int16
    /// Height above `Presence.base_height` in steps.
    public var up: Int16
    /// How the device is turned, smallest three: `Quaternion.packed` of CairnGeo; or `orientationUntold`.
    public var orientation: UInt32
    /// How old the position was when the batch was made, in steps of `ageStepMilliseconds`; 255 = 1,020 ms or more.
    public var age: UInt8
    /// Estimated error of the position in half metres; 254 = 127 m or more, 255 = unknown.
    public var accuracy: UInt8

    public init(
        slot: UInt16, east: Int16, north: Int16, up: Int16, orientation: UInt32, age: UInt8, accuracy: UInt8
    ) {
        self.slot = slot
        self.east = east
        self.north = north
        self.up = up
        self.orientation = orientation
        self.age = age
        self.accuracy = accuracy
    }

    /// Appends the record.
    public func append(to bytes: inout [UInt8]) {
        // One append of a buffer on the stack in place of fourteen appends: the array checks its capacity once for each
        // record.
        withUnsafeTemporaryAllocation(byteCount: Self.byteCount, alignment: 1) { buffer in
            buffer.storeBytes(of: slot.littleEndian, toByteOffset: 0, as: UInt16.self)
            buffer.storeBytes(of: east.littleEndian, toByteOffset: 2, as: Int16.self)
            buffer.storeBytes(of: north.littleEndian, toByteOffset: 4, as: Int16.self)
            buffer.storeBytes(of: up.littleEndian, toByteOffset: 6, as: Int16.self)
            buffer.storeBytes(of: orientation.littleEndian, toByteOffset: 8, as: UInt32.self)
            buffer[12] = age
            buffer[13] = accuracy
            bytes.append(contentsOf: buffer)
        }
    }

    /// The slot of the record that begins at an offset of at least `byteCount` bytes before the end.
    public static func slot(in bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt16 {
        UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    /// Reads the record that begins at an offset.
    /// - Returns: nil if `offset` is negative or fewer than `byteCount` bytes follow it.
    public static func read(from bytes: UnsafeRawBufferPointer, at offset: Int) -> PoseRecord? {
        guard offset >= 0, bytes.count >= byteCount, offset <= bytes.count - byteCount else { return nil }
        return PoseRecord(
            slot: UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)),
            east: Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 2, as: Int16.self)),
            north: Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: Int16.self)),
            up: Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 6, as: Int16.self)),
            orientation: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self)),
            age: bytes[offset + 12],
            accuracy: bytes[offset + 13]
        )
    }
}
