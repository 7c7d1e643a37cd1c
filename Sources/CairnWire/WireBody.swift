public import SwiftProtobuf

/// A generated message, under a name for modules that do not import SwiftProtobuf.
public typealias WireMessage = SwiftProtobuf.Message

/// Encodes and decodes messages: bodies of requests, and stored messages. Its callers need no SwiftProtobuf.
public enum WireBody {
    /// Maps are ordered, so that equal content gives equal bytes and a retry is recognised (SYN-2).
    static let encodingOptions: BinaryEncodingOptions = {
        var options = BinaryEncodingOptions()
        options.useDeterministicOrdering = true
        return options
    }()

    /// Unknown fields are dropped: otherwise they would be stored and published without any bound.
    private static let decodingOptions: BinaryDecodingOptions = {
        var options = BinaryDecodingOptions()
        options.discardUnknownFields = true
        return options
    }()

    /// A message from binary protobuf, without unknown fields.
    /// - Throws: `bad_message`, if the bytes are no such message.
    public static func decode<Body: SwiftProtobuf.Message>(
        _ type: Body.Type = Body.self, from bytes: [UInt8]
    ) throws(Refusal) -> Body {
        do {
            return try Body(serializedBytes: bytes, options: decodingOptions)
        } catch {
            throw Refusal(
                .badMessage, Refusal.Text(english: "The body cannot be read as \(Body.protoMessageName): \(error)."),
                component: "wire")
        }
    }

    /// A message as binary protobuf; equal messages give equal bytes.
    public static func encode(_ body: some SwiftProtobuf.Message) -> [UInt8] {
        do {
            return try WireWriter.bytes { try body.traverse(visitor: &$0) }
        } catch {
            // Encoding throws for none of the messages here.
            preconditionFailure("WireBody: encoding failed: \(error)\n\(body)")
        }
    }
}
