/// A reading position in protobuf's wire format (protobuf.dev, "Encoding"). Every length is checked against the
/// remaining bytes before it is used, so that no input traps (pitfalls W8).
struct BinaryCursor {
    /// The fault, in words for the client's developer.
    enum Malformation: String, Error {
        case truncated = "it ends in the middle of a field"
        case varintTooLong = "a number is longer than 10 bytes"
        case badTag = "a field has no valid number or type"
        case badGroup = "a group is not closed by its own end"
        case groupsTooDeep = "groups are nested too deeply"
        case notUTF8 = "a text is not UTF-8"
    }

    enum WireType: UInt8 {
        case varint = 0, fixed64, lengthDelimited, startGroup, endGroup, fixed32
    }

    struct Tag {
        let field: UInt32
        let type: WireType
    }

    /// Deepest nesting of groups, the same as in SwiftProtobuf. Groups belong to proto2; no message of ours has one, so
    /// they are only skipped.
    static let groupDepthMax = 100

    private let bytes: UnsafeRawBufferPointer
    /// Offset of the next byte, 0 to `bytes.count`.
    private(set) var offset = 0

    /// Borrows the bytes: the cursor must not outlive them.
    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    @inline(__always)
    mutating func readVarint() throws(Malformation) -> UInt64 {
        guard offset < bytes.count else { throw .truncated }
        let first = bytes[offset]
        if first < 0x80 {
            offset &+= 1
            return UInt64(first)
        }
        return try readLongVarint()
    }

    private mutating func readLongVarint() throws(Malformation) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        var at = offset
        while at < bytes.count {
            let byte = bytes[at]
            at &+= 1
            // The tenth byte has one bit of room; protobuf drops what does not fit, and so does `&<<`.
            value |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 {
                offset = at
                return value
            }
            shift &+= 7
            guard shift < 70 else { throw .varintTooLong }
        }
        throw .truncated
    }

    @inline(__always)
    mutating func readTag() throws(Malformation) -> Tag {
        let raw = try readVarint()
        guard raw < UInt64(UInt32.max), raw >> 3 != 0, let type = WireType(rawValue: UInt8(raw & 7)) else {
            throw .badTag
        }
        return Tag(field: UInt32(raw >> 3), type: type)
    }

    /// Reads a length and skips that many bytes.
    /// - Returns: the range of these bytes.
    @inline(__always)
    mutating func readLengthDelimited() throws(Malformation) -> Range<Int> {
        let length = try readVarint()
        guard length <= UInt64(bytes.count &- offset) else { throw .truncated }
        let start = offset
        offset = start &+ Int(length)
        return start..<offset
    }

    mutating func skip(_ tag: Tag, depth: Int = 0) throws(Malformation) {
        switch tag.type {
        case .varint: _ = try readVarint()
        case .fixed64: try skip(byteCount: 8)
        case .lengthDelimited: _ = try readLengthDelimited()
        case .fixed32: try skip(byteCount: 4)
        case .endGroup: throw .badGroup
        case .startGroup:
            guard depth < Self.groupDepthMax else { throw .groupsTooDeep }
            while true {
                let inner = try readTag()
                if inner.type == .endGroup {
                    guard inner.field == tag.field else { throw .badGroup }
                    return
                }
                try skip(inner, depth: depth + 1)
            }
        }
    }

    private mutating func skip(byteCount: Int) throws(Malformation) {
        guard byteCount <= bytes.count &- offset else { throw .truncated }
        offset &+= byteCount
    }
}
