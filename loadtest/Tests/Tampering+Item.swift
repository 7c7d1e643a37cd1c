import CairnWire

extension Tampering {
    /// One item of a server's message, with its tag and length. Alone it is a message of one item.
    struct Item {
        /// The item's field in envelope.proto.
        enum Field: UInt8 {
            case reply = 1
            case event = 2
            case snapshot = 3
            case presence = 4
            case unfollowed = 5
            case resync = 6
            case run = 20
            case group = 23
        }

        let field: Field?
        let bytes: [UInt8]

        /// The topic that an event is of, or that a snapshot begins or another item ends; nil = none. Only its bytes
        /// are read and no more, because a replay asks for the topic of every item.
        var topic: String? {
            switch field {
            // Field 1 of the event, which is the body of the item, which is one of the message.
            case .event, .unfollowed, .resync: firstField(atDepth: 3)
            // Field 1 of the cursor, which is field 1 of the snapshot.
            case .snapshot: firstField(atDepth: 4)
            case .reply, .presence, .run, .group, nil: nil
            }
        }

        /// Nil when it cannot be decoded.
        var decoded: WireItem? { (try? ServerMessageDecoder.decode(bytes, format: .proto))?.items.first }

        private func firstField(atDepth depth: Int) -> String? {
            var (offset, length) = (0, 0)
            for _ in 0..<depth {
                guard offset < bytes.count else { return nil }
                offset += 1
                length = Self.varint(in: bytes, at: &offset)
            }
            guard offset + length <= bytes.count else { return nil }
            return String(decoding: bytes[offset..<offset + length], as: UTF8.self)
        }

        /// A `ServerMessage` cut into its items.
        static func items(of message: [UInt8]) -> [Item] {
            var items: [Item] = []
            var offset = 0
            while offset < message.count {
                let start = offset
                // Tag of field 1, a length, and the item.
                offset += 1
                let length = varint(in: message, at: &offset)
                var body = offset
                let field = length > 0 ? Field(rawValue: UInt8(clamping: varint(in: message, at: &body) >> 3)) : nil
                offset += length
                items.append(Item(field: field, bytes: Array(message[start..<min(offset, message.count)])))
            }
            return items
        }

        private static func varint(in bytes: [UInt8], at offset: inout Int) -> Int {
            var (number, shift) = (0, 0)
            while offset < bytes.count {
                let byte = bytes[offset]
                offset += 1
                number |= Int(byte & 0x7F) << shift
                shift += 7
                if byte & 0x80 == 0 { break }
            }
            return number
        }
    }
}
