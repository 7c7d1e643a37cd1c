internal import SwiftProtobuf

/// Encodes one item of a `ServerMessage` so that it can be shared: a broadcast is encoded once per format, and the
/// items waiting for a connection are put together into one WebSocket message without being looked at again.
///
/// - proto: an encoded item is its tag, length and bytes, so that the items one after another *are* a `ServerMessage`.
/// - json: an encoded item is its JSON alone; `jsonPrefix`, `jsonJoiner` and `jsonSuffix` make a message of several.
public enum ServerItemEncoder {
    /// `{"items":[`
    public static let jsonPrefix = Array(#"{"items":["#.utf8)
    /// `,`
    public static let jsonJoiner = Array(",".utf8)
    /// `]}`
    public static let jsonSuffix = Array("]}".utf8)

    /// Encodes one item.
    ///
    /// - Precondition: every number in it is finite and every text a Swift string. What comes from outside was checked
    ///   before it got here, so a failure is our own mistake, and stopping is better than a gap in somebody's events.
    public static func encode(_ item: WireItem, format: WireFormat) -> [UInt8] {
        do {
            switch format {
            case .proto:
                let framed: ItemBytes = try item.serializedBytes(options: WireBody.encodingOptions)
                return framed.bytes
            case .json:
                return try item.jsonUTF8Bytes(options: WireJSON.encodingOptions)
            }
        } catch {
            preconditionFailure("ServerItemEncoder: encoding an item as \(format) failed: \(error)\n\(item)")
        }
    }

    /// Puts encoded items together into one WebSocket message, as a connection's outbox does.
    public static func message(_ items: some Collection<[UInt8]>, format: WireFormat) -> [UInt8] {
        switch format {
        case .proto: Array(items.joined())
        case .json: jsonPrefix + Array(items.joined(separator: jsonJoiner)) + jsonSuffix
        }
    }
}

/// What SwiftProtobuf writes an item into: tag and length stand in front, so that the item is written once, where it
/// stays.
private struct ItemBytes: SwiftProtobufContiguousBytes {
    /// `ServerMessage.items`: field 1, length-delimited.
    private static let tag: UInt8 = 1 << 3 | 2

    private(set) var bytes: [UInt8]
    private let headerCount: Int

    init(repeating byte: UInt8, count: Int) {
        bytes = []
        // Tag and a length of at most five bytes; SwiftProtobuf refuses messages of 2 GiB.
        bytes.reserveCapacity(count + 6)
        bytes.append(Self.tag)
        var length = UInt32(count)
        while length >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: length) | 0x80)
            length >>= 7
        }
        bytes.append(UInt8(length))
        headerCount = bytes.count
        bytes.append(contentsOf: repeatElement(byte, count: count))
    }

    init<S: Sequence>(_ sequence: S) where S.Element == UInt8 {
        let content = Array(sequence)
        self.init(repeating: 0, count: content.count)
        bytes.replaceSubrange(headerCount..., with: content)
    }

    var count: Int { bytes.count - headerCount }

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        // The array's own bytes behind the header, lent for the call; `init` has put `headerCount` in front.
        try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[headerCount...])) }
    }

    mutating func withUnsafeMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
        // As above. Copied first, because the closure may not touch `self` while its bytes are lent.
        let headerCount = headerCount
        return try bytes.withUnsafeMutableBytes {
            try body(UnsafeMutableRawBufferPointer(rebasing: $0[headerCount...]))
        }
    }
}
