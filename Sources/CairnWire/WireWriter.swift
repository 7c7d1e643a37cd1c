internal import Foundation
internal import SwiftProtobuf

/// Writes a message as binary protobuf in one pass.
///
/// SwiftProtobuf's own encoder computes the size of each nested message before writing it, again at every level: an
/// event about an instance has six levels, so its pose is measured six times. Here a nested message is written first
/// and its length is put in front. The bytes are the same; maps stand in the order of their keys.
///
/// It writes into memory that is borrowed during `bytes(_:)`. It is passed as `inout` and never copied.
struct WireWriter {
    /// The borrowed memory, or the writer's own when the borrowed memory was too small.
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private var count = 0
    /// Whether the memory is the writer's own.
    private var isOwner = false

    /// Size of the borrowed memory on the stack, into which most messages fit.
    private static let lentBytes = 1_024

    private enum WireType: UInt32 {
        case varint = 0
        case fixed64 = 1
        case delimited = 2
        case startGroup = 3
        case endGroup = 4
        case fixed32 = 5
    }

    /// The bytes that `write` writes.
    static func bytes(_ write: (inout WireWriter) throws -> Void) rethrows -> [UInt8] {
        try withUnsafeTemporaryAllocation(byteCount: lentBytes, alignment: 1) { lent in
            guard let start = lent.baseAddress else { preconditionFailure("memory at no address is lent") }
            var writer = WireWriter(memory: start, capacity: lent.count)
            defer { if writer.isOwner { writer.memory.deallocate() } }
            try write(&writer)
            // Reads the present memory, which may have been replaced; the array is a copy.
            return [UInt8](UnsafeRawBufferPointer(start: writer.memory, count: writer.count))
        }
    }

    private init(memory: UnsafeMutableRawPointer, capacity: Int) {
        self.memory = memory
        self.capacity = capacity
    }

    /// The place for the next bytes.
    @inline(__always)
    private mutating func room(for bytes: Int) -> UnsafeMutableRawPointer {
        if capacity - count < bytes { grow(by: bytes) }
        defer { count += bytes }
        return memory + count
    }

    private mutating func grow(by bytes: Int) {
        // Freed when it is too small in turn, or at the end of `bytes(_:)`.
        let larger = max(2 * capacity, count + bytes)
        let fresh = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 1)
        fresh.copyMemory(from: memory, byteCount: count)
        if isOwner { memory.deallocate() }
        (memory, capacity, isOwner) = (fresh, larger, true)
    }

    private mutating func put(varint value: UInt64) {
        let bytes = Self.byteCount(ofVarint: value)
        Self.write(varint: value, to: room(for: bytes))
    }

    private static func byteCount(ofVarint value: UInt64) -> Int {
        value < 0x80 ? 1 : (UInt64.bitWidth - value.leadingZeroBitCount + 6) / 7
    }

    private static func write(varint value: UInt64, to start: UnsafeMutableRawPointer) {
        var (rest, place) = (value, start)
        while rest >= 0x80 {
            place.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
            rest >>= 7
            place += 1
        }
        place.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    }

    private mutating func put(_ fieldNumber: Int, _ type: WireType) {
        put(varint: UInt64(fieldNumber) << 3 | UInt64(type.rawValue))
    }

    private mutating func put<Number: FixedWidthInteger>(fixed value: Number) {
        room(for: Number.bitWidth / 8).storeBytes(of: value.littleEndian, as: Number.self)
    }

    private mutating func put(_ content: UnsafeRawBufferPointer) {
        guard let start = content.baseAddress else { return }
        room(for: content.count).copyMemory(from: start, byteCount: content.count)
    }

    /// A field whose length is known when its content has been written: one byte is kept free for it, which is enough
    /// for up to 127. A longer content makes room for more.
    private mutating func delimited(_ fieldNumber: Int, _ write: (inout WireWriter) throws -> Void) rethrows {
        put(fieldNumber, .delimited)
        let start = count
        _ = room(for: 1)
        try write(&self)
        let length = count - start - 1
        let lengthBytes = Self.byteCount(ofVarint: UInt64(length))
        if lengthBytes > 1 {
            _ = room(for: lengthBytes - 1)
            // The two places may overlap.
            (memory + start + lengthBytes).copyMemory(from: memory + start + 1, byteCount: length)
        }
        Self.write(varint: UInt64(length), to: memory + start)
    }
}

extension WireWriter: Visitor {
    mutating func visitUnknown(bytes unknown: Data) throws {
        unknown.withUnsafeBytes { put($0) }
    }

    // MARK: Numbers

    mutating func visitSingularFloatField(value: Float, fieldNumber: Int) throws {
        try visitSingularFixed32Field(value: value.bitPattern, fieldNumber: fieldNumber)
    }

    mutating func visitSingularDoubleField(value: Double, fieldNumber: Int) throws {
        try visitSingularFixed64Field(value: value.bitPattern, fieldNumber: fieldNumber)
    }

    mutating func visitSingularInt64Field(value: Int64, fieldNumber: Int) throws {
        try visitSingularUInt64Field(value: UInt64(bitPattern: value), fieldNumber: fieldNumber)
    }

    mutating func visitSingularUInt64Field(value: UInt64, fieldNumber: Int) throws {
        put(fieldNumber, .varint)
        put(varint: value)
    }

    mutating func visitSingularSInt32Field(value: Int32, fieldNumber: Int) throws {
        try visitSingularSInt64Field(value: Int64(value), fieldNumber: fieldNumber)
    }

    mutating func visitSingularSInt64Field(value: Int64, fieldNumber: Int) throws {
        try visitSingularUInt64Field(value: Self.zigZag(value), fieldNumber: fieldNumber)
    }

    mutating func visitSingularFixed32Field(value: UInt32, fieldNumber: Int) throws {
        put(fieldNumber, .fixed32)
        put(fixed: value)
    }

    mutating func visitSingularFixed64Field(value: UInt64, fieldNumber: Int) throws {
        put(fieldNumber, .fixed64)
        put(fixed: value)
    }

    mutating func visitSingularSFixed32Field(value: Int32, fieldNumber: Int) throws {
        try visitSingularFixed32Field(value: UInt32(bitPattern: value), fieldNumber: fieldNumber)
    }

    mutating func visitSingularSFixed64Field(value: Int64, fieldNumber: Int) throws {
        try visitSingularFixed64Field(value: UInt64(bitPattern: value), fieldNumber: fieldNumber)
    }

    mutating func visitSingularBoolField(value: Bool, fieldNumber: Int) throws {
        try visitSingularUInt64Field(value: value ? 1 : 0, fieldNumber: fieldNumber)
    }

    mutating func visitSingularEnumField<Value: Enum>(value: Value, fieldNumber: Int) throws {
        try visitSingularInt64Field(value: Int64(value.rawValue), fieldNumber: fieldNumber)
    }

    private static func zigZag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

    // MARK: Text, bytes and messages

    mutating func visitSingularStringField(value: String, fieldNumber: Int) throws {
        put(fieldNumber, .delimited)
        var text = value
        text.withUTF8 { utf8 in
            put(varint: UInt64(utf8.count))
            // Read before the text's bytes are taken back.
            put(UnsafeRawBufferPointer(utf8))
        }
    }

    mutating func visitSingularBytesField(value: Data, fieldNumber: Int) throws {
        put(fieldNumber, .delimited)
        put(varint: UInt64(value.count))
        value.withUnsafeBytes { put($0) }
    }

    mutating func visitSingularMessageField<Body: Message>(value: Body, fieldNumber: Int) throws {
        try delimited(fieldNumber) { try value.traverse(visitor: &$0) }
    }

    mutating func visitSingularGroupField<Group: Message>(value: Group, fieldNumber: Int) throws {
        put(fieldNumber, .startGroup)
        try value.traverse(visitor: &self)
        put(fieldNumber, .endGroup)
    }

    // MARK: Packed numbers

    mutating func visitPackedFloatField(value: [Float], fieldNumber: Int) throws {
        delimited(fieldNumber) { for number in value { $0.put(fixed: number.bitPattern) } }
    }

    mutating func visitPackedDoubleField(value: [Double], fieldNumber: Int) throws {
        delimited(fieldNumber) { for number in value { $0.put(fixed: number.bitPattern) } }
    }

    mutating func visitPackedInt32Field(value: [Int32], fieldNumber: Int) throws {
        delimited(fieldNumber) { for number in value { $0.put(varint: UInt64(bitPattern: Int64(number))) } }
    }

    mutating func visitPackedInt64Field(value: [Int64], fieldNumber: Int) throws {
        delimited(fieldNumber) { for number in value { $0.put(varint: UInt64(bitPattern: number)) } }
    }

    mutating func visitPackedUInt32Field(value: [UInt32], fieldNumber: Int) throws {
        delimited(fieldNumber) { for number in value { $0.put(varint: UInt64(number)) } }
    }

    mutating func visitPackedUInt64Field(value: [UInt64], fieldNumber: Int) throws {
        delimited(fieldNumber) { for number in value { $0.put(varint: number) } }
    }

    mutating func visitPackedSInt32Field(value: [Int32], fieldNumber: Int) throws {
        delimited(fieldNumber) { for number in value { $0.put(varint: Self.zigZag(Int64(number))) } }
    }

    mutating func visitPackedSInt64Field(value: [Int64], fieldNumber: Int) throws {
        delimited(fieldNumber) { for number in value { $0.put(varint: Self.zigZag(number)) } }
    }

    mutating func visitPackedFixed32Field(value: [UInt32], fieldNumber: Int) throws {
        delimited(fieldNumber) { for number in value { $0.put(fixed: number) } }
    }

    mutating func visitPackedFixed64Field(value: [UInt64], fieldNumber: Int) throws {
        delimited(fieldNumber) { for number in value { $0.put(fixed: number) } }
    }

    mutating func visitPackedSFixed32Field(value: [Int32], fieldNumber: Int) throws {
        delimited(fieldNumber) { for number in value { $0.put(fixed: number) } }
    }

    mutating func visitPackedSFixed64Field(value: [Int64], fieldNumber: Int) throws {
        delimited(fieldNumber) { for number in value { $0.put(fixed: number) } }
    }

    mutating func visitPackedBoolField(value: [Bool], fieldNumber: Int) throws {
        delimited(fieldNumber) { for flag in value { $0.put(varint: flag ? 1 : 0) } }
    }

    mutating func visitPackedEnumField<Value: Enum>(value: [Value], fieldNumber: Int) throws {
        delimited(fieldNumber) { for one in value { $0.put(varint: UInt64(bitPattern: Int64(one.rawValue))) } }
    }

    // MARK: Maps, in the order of their keys

    mutating func visitMapField<Key, Value: MapValueType>(
        fieldType: _ProtobufMap<Key, Value>.Type, value: _ProtobufMap<Key, Value>.BaseType, fieldNumber: Int
    ) throws {
        for (key, value) in value.sorted(by: { Key._lessThan(lhs: $0.key, rhs: $1.key) }) {
            try delimited(fieldNumber) { writer in
                try Key.visitSingular(value: key, fieldNumber: 1, with: &writer)
                try Value.visitSingular(value: value, fieldNumber: 2, with: &writer)
            }
        }
    }

    mutating func visitMapField<Key, Value>(
        fieldType: _ProtobufEnumMap<Key, Value>.Type, value: _ProtobufEnumMap<Key, Value>.BaseType, fieldNumber: Int
    ) throws where Value.RawValue == Int {
        for (key, value) in value.sorted(by: { Key._lessThan(lhs: $0.key, rhs: $1.key) }) {
            try delimited(fieldNumber) { writer in
                try Key.visitSingular(value: key, fieldNumber: 1, with: &writer)
                try writer.visitSingularEnumField(value: value, fieldNumber: 2)
            }
        }
    }

    mutating func visitMapField<Key, Value>(
        fieldType: _ProtobufMessageMap<Key, Value>.Type, value: _ProtobufMessageMap<Key, Value>.BaseType,
        fieldNumber: Int
    ) throws {
        for (key, value) in value.sorted(by: { Key._lessThan(lhs: $0.key, rhs: $1.key) }) {
            try delimited(fieldNumber) { writer in
                try Key.visitSingular(value: key, fieldNumber: 1, with: &writer)
                try writer.visitSingularMessageField(value: value, fieldNumber: 2)
            }
        }
    }
}
