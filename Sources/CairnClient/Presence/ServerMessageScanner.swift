/// Takes a `ServerMessage` apart without decoding it: presence batches are told from everything else by the first byte
/// of an item, so that only the rest costs SwiftProtobuf's time and allocations.
///
/// `ServerMessage.items` is field 1; the fields of `Item` are one oneof, of which `presence` is field 4.
enum ServerMessageScanner {
    /// One item of the message; the bytes live as long as the message's own.
    enum Piece {
        /// The body of a `Presence`.
        case presence(UnsafeRawBufferPointer)
        /// An item of another kind with its tag and length: by itself a `ServerMessage` of one item.
        case other(UnsafeRawBufferPointer)
    }

    private static let itemsTag: UInt64 = 1 << 3 | 2
    private static let presenceTag: UInt64 = 4 << 3 | 2

    /// Hands out the items in order.
    /// - Returns: false if the message is malformed; the items in front of the fault have been handed out.
    static func forEachItem(in message: UnsafeRawBufferPointer, _ body: (Piece) -> Void) -> Bool {
        var reader = ByteReader(message)
        while !reader.isAtEnd {
            let start = reader.offset
            guard let tag = reader.varint() else { return false }
            guard tag == itemsTag else {
                guard reader.skip(wireType: tag & 7) else { return false }
                continue
            }
            guard let item = reader.lengthDelimited() else { return false }
            var inner = ByteReader(item)
            if !inner.isAtEnd, inner.varint() == presenceTag, let presence = inner.lengthDelimited(), inner.isAtEnd {
                body(.presence(presence))
            } else {
                body(.other(UnsafeRawBufferPointer(rebasing: message[start..<reader.offset])))
            }
        }
        return true
    }
}
