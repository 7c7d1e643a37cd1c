/// A reading position in protobuf's wire format (protobuf.dev, "Encoding"), for the one message that is worth reading
/// without SwiftProtobuf: a presence batch arrives twenty times a second for each cell in view.
///
/// Every length is checked against what is left before it is believed; nil means malformed.
struct ByteReader {
    /// Borrowed: a reader never outlives the call in which it was made.
    private let bytes: UnsafeRawBufferPointer
    /// Offset of the next byte, 0 to `bytes.count`.
    private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    @inline(__always)
    mutating func varint() -> UInt64? {
        guard offset < bytes.count else { return nil }
        let first = bytes[offset]
        if first < 0x80 {
            offset &+= 1
            return UInt64(first)
        }
        return longVarint()
    }

    private mutating func longVarint() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.count, shift < 70 {
            let byte = bytes[offset]
            offset &+= 1
            value |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 { return value }
            shift &+= 7
        }
        return nil
    }

    /// The bytes of a length-delimited field.
    @inline(__always)
    mutating func lengthDelimited() -> UnsafeRawBufferPointer? {
        guard let length = varint(), length <= UInt64(bytes.count &- offset) else { return nil }
        let start = offset
        offset = start &+ Int(length)
        return UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
    }

    /// Steps over a field that a newer server added; false for a type that there is not.
    mutating func skip(wireType: UInt64) -> Bool {
        switch wireType {
        case 0: return varint() != nil
        case 1: return skip(byteCount: 8)
        case 2: return lengthDelimited() != nil
        case 5: return skip(byteCount: 4)
        // Groups are proto2's; the schema has none and never will.
        default: return false
        }
    }

    private mutating func skip(byteCount: Int) -> Bool {
        guard byteCount <= bytes.count &- offset else { return false }
        offset &+= byteCount
        return true
    }
}
