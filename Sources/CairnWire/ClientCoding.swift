internal import SwiftProtobuf

/// Writes a client's message: the other end of `ClientEnvelopeDecoder`.
public enum ClientMessageEncoder {
    /// One WebSocket message: a binary frame for `proto`, a text frame for `json`.
    /// - Precondition: every number in it is finite.
    public static func encode(_ message: WireClientMessage, format: WireFormat) -> [UInt8] {
        do {
            switch format {
            case .proto: return try message.serializedBytes(options: WireBody.encodingOptions)
            case .json: return try message.jsonUTF8Bytes(options: WireJSON.encodingOptions)
            }
        } catch {
            preconditionFailure("ClientMessageEncoder: encoding request \(message.id) failed: \(error)")
        }
    }
}

/// Reads a server's message: the other end of `ServerItemEncoder`.
public enum ServerMessageDecoder {
    /// Decodes one WebSocket message. Fields that a newer server added are ignored.
    /// - Throws: SwiftProtobuf's `BinaryDecodingError` or `JSONDecodingError` if it is no `ServerMessage`.
    public static func decode(_ bytes: [UInt8], format: WireFormat) throws -> WireServerMessage {
        switch format {
        case .proto: try WireServerMessage(serializedBytes: bytes)
        case .json: try WireServerMessage(jsonUTF8Bytes: bytes, options: WireJSON.decodingOptions)
        }
    }
}
