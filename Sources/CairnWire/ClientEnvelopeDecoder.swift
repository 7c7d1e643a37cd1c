internal import SwiftProtobuf

/// Reads the envelope of a client message and leaves the body for the feature that owns the kind.
///
/// Both formats end in one scanner: JSON is decoded with the schema and written again as binary, so that no code after
/// this point depends on the client's format.
public enum ClientEnvelopeDecoder {
    /// Deepest nesting of objects and arrays in a JSON message (pitfalls B12).
    public static let jsonDepthMax = 32
    /// Most objects and arrays in a JSON message: each costs some 0.4 us, however short, and real ones have over 16
    /// bytes, of which a message has at most 64 KiB (pitfalls B12).
    public static let jsonContainersMax = 4_096

    /// Longest name in a JSON message, in bytes as written, escapes included. Names of the schema have up to 20
    /// letters, and refusals repeat names.
    public static let jsonNameBytesMax = 256
    /// Most names in a JSON message. Each is remembered to find duplicates.
    public static let jsonNamesMax = 4_096

    /// The id of a message that is refused unread, when it stands where clients write it: at the beginning. 0 = not
    /// there. Costs the same for every message.
    public static func glimpse(idOf bytes: UnsafeRawBufferPointer, format: WireFormat) -> UInt32 {
        switch format {
        case .proto:
            var cursor = BinaryCursor(UnsafeRawBufferPointer(rebasing: bytes.prefix(16)))
            guard let tag = try? cursor.readTag(), tag.field == 1, tag.type == .varint,
                let id = try? cursor.readVarint()
            else { return 0 }
            return UInt32(truncatingIfNeeded: id)
        case .json:
            return JSONOutline(UnsafeRawBufferPointer(rebasing: bytes.prefix(128)), depthMax: 2, containersMax: 2).id
        }
    }

    /// Decodes one WebSocket message.
    ///
    /// The body is the last field numbered `MessageKind.firstField` or more, as protobuf's `oneof` has it; a body sent
    /// in several pieces is put together. Other unknown fields are skipped: they may be a newer client's.
    ///
    /// - Parameters:
    ///   - bytes: the message, of any content; borrowed for the call. Its size was bounded when it was received.
    ///   - format: the connection's.
    /// - Throws: `bad_message`, or `invalid_field` for a field of the body that is larger than the schema allows and
    ///   for a key longer than `ClientEnvelope.keyBytesMax`, with the request's id where it could be found (SES-3).
    public static func decode(
        _ bytes: UnsafeRawBufferPointer, format: WireFormat
    ) throws(BadMessage) -> ClientEnvelope {
        switch format {
        case .proto: try scan(bytes)
        case .json: try decodeJSON(bytes)
        }
    }

    /// As `decode(_:format:)`, for bytes in an array.
    public static func decode(_ bytes: [UInt8], format: WireFormat) throws(BadMessage) -> ClientEnvelope {
        try bytes.withUnsafeBufferPointer { (buffer) throws(BadMessage) in
            try decode(UnsafeRawBufferPointer(buffer), format: format)
        }
    }

    // MARK: Binary

    private static func scan(_ bytes: UnsafeRawBufferPointer) throws(BadMessage) -> ClientEnvelope {
        var envelope = ClientEnvelope()
        var body = BodyPieces()
        do {
            var cursor = BinaryCursor(bytes)
            while !cursor.isAtEnd {
                let start = cursor.offset
                let tag = try cursor.readTag()
                switch (tag.field, tag.type) {
                case (1, .varint):
                    envelope.id = UInt32(truncatingIfNeeded: try cursor.readVarint())
                case (2, .lengthDelimited):
                    envelope.key = try text(bytes, try cursor.readLengthDelimited())
                case (MessageKind.firstField..., .lengthDelimited):
                    body.add(try cursor.readLengthDelimited(), of: tag.field, at: start)
                default:
                    // Ours with another type, or a newer client's: protobuf skips both.
                    try cursor.skip(tag)
                }
            }
        } catch {
            throw unreadable(error.rawValue, id: envelope.id)
        }
        guard envelope.key.utf8.count <= ClientEnvelope.keyBytesMax else {
            throw BadMessage(
                id: envelope.id,
                refusal: Refusal(
                    .invalidField, "The idempotency key is longer than \(ClientEnvelope.keyBytesMax) bytes.",
                    component: "wire", details: ["field": "key", "limit": "\(ClientEnvelope.keyBytesMax)"]))
        }
        envelope.field = body.field
        envelope.payload = body.joined(from: bytes)
        let field = envelope.field
        let oversized = envelope.payload.withUnsafeBytes { body -> OversizedField? in
            do throws(OversizedField) {
                try MessageShape.check(field, body)
                return nil
            } catch {
                return error
            }
        }
        if let oversized { throw BadMessage(id: envelope.id, refusal: oversized.refusal) }
        return envelope
    }

    private static func text(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
    ) throws(BinaryCursor.Malformation) -> String {
        guard let text = String(validating: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self) else {
            throw .notUTF8
        }
        return text
    }

    /// The pieces of the body. Nearly always there is one, which is copied once, to its exact size.
    private struct BodyPieces {
        private(set) var field: UInt32 = 0
        private var firstPiece = 0..<0
        /// Offset of the tag of the first piece.
        private var start = 0
        private var pieces = 0
        private var byteCount = 0

        mutating func add(_ piece: Range<Int>, of field: UInt32, at start: Int) {
            if field != self.field {
                // A member of a `oneof` drops the member before it, whatever that held.
                self.field = field
                self.start = start
                firstPiece = piece
                pieces = 0
                byteCount = 0
            }
            pieces &+= 1
            byteCount &+= piece.count
        }

        /// Concatenating the pieces is what merging messages means in protobuf's wire format.
        func joined(from bytes: UnsafeRawBufferPointer) -> [UInt8] {
            guard pieces > 1 else { return [UInt8](bytes[firstPiece]) }
            var joined: [UInt8] = []
            joined.reserveCapacity(byteCount)
            var cursor = BinaryCursor(UnsafeRawBufferPointer(rebasing: bytes[start...]))
            // The bytes have been read once without a fault, so the second reading cannot fail.
            while !cursor.isAtEnd, let tag = try? cursor.readTag() {
                if tag.field == field, tag.type == .lengthDelimited {
                    guard let piece = try? cursor.readLengthDelimited() else { break }
                    joined.append(contentsOf: bytes[(start + piece.lowerBound)..<(start + piece.upperBound)])
                } else {
                    guard (try? cursor.skip(tag)) != nil else { break }
                }
            }
            return joined
        }
    }

    // MARK: JSON

    private static func decodeJSON(_ bytes: UnsafeRawBufferPointer) throws(BadMessage) -> ClientEnvelope {
        let outline = JSONOutline(bytes, depthMax: jsonDepthMax, containersMax: jsonContainersMax)
        if let fault = outline.fault {
            let place = JSONFault(in: bytes, at: outline.faultOffset, cause: fault.rawValue)
            throw BadMessage(id: outline.id, refusal: place.refusal)
        }
        let binary: [UInt8]
        let hasUnknown: Bool
        do {
            let message: WireClientMessage
            (message, hasUnknown) = try readJSON(bytes)
            binary = try message.serializedBytes(options: WireBody.encodingOptions)
        } catch {
            throw BadMessage(id: outline.id, refusal: JSONFault(in: bytes).refusal)
        }
        var envelope = try decode(binary, format: .proto)
        if envelope.field == 0 { envelope.unknownName = outline.bodyName }
        if hasUnknown { envelope.puzzling = [UInt8](bytes) }
        return envelope
    }

    /// Decodes the known fields of a message and returns whether it has unknown names or enumeration values. A message
    /// without unknown names is decoded once, and so is one that is too long for the search.
    private static func readJSON(
        _ bytes: UnsafeRawBufferPointer
    ) throws -> (message: WireClientMessage, hasUnknown: Bool) {
        let text = BorrowedBytes(bytes)
        guard bytes.count <= JSONUnknownName.messageBytesMax else {
            return (try WireClientMessage(jsonUTF8Bytes: text, options: WireJSON.decodingOptions), false)
        }
        do {
            return (try WireClientMessage(jsonUTF8Bytes: text, options: WireJSON.strictOptions), false)
        } catch let error as JSONDecodingError {
            switch error {
            case .unknownField, .unrecognizedEnumValue: break
            default: throw error
            }
        }
        return (try WireClientMessage(jsonUTF8Bytes: text, options: WireJSON.decodingOptions), true)
    }

    private static func unreadable(_ cause: String, id: UInt32) -> BadMessage {
        let text = Refusal.Text(english: "The message cannot be read: \(cause).")
        return BadMessage(id: id, refusal: Refusal(.badMessage, text, component: "wire"))
    }
}
