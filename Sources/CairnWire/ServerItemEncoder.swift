internal import SwiftProtobuf

/// Encodes one item of a `ServerMessage` so that it can be shared: a broadcast is encoded once for each format, and the
/// items waiting for a connection are concatenated into one WebSocket message without being decoded.
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

    /// `ServerMessage.items`.
    private static let itemsField = 1

    /// Encodes one item.
    ///
    /// - Precondition: every number in it is finite and every text a Swift string. Input from outside has been checked
    ///   before, so a failure is the server's own fault, and stopping is better than a gap in a client's events.
    public static func encode(_ item: WireItem, format: WireFormat) -> [UInt8] {
        do {
            switch format {
            case .proto:
                return try WireWriter.bytes { try $0.visitSingularMessageField(value: item, fieldNumber: itemsField) }
            case .json:
                return try item.jsonUTF8Bytes(options: WireJSON.encodingOptions)
            }
        } catch {
            preconditionFailure("ServerItemEncoder: encoding an item as \(format) failed: \(error)\n\(item)")
        }
    }

    /// Concatenates encoded items into one WebSocket message, as a connection's outbox does.
    public static func message(_ items: some Collection<[UInt8]>, format: WireFormat) -> [UInt8] {
        switch format {
        case .proto: Array(items.joined())
        case .json: jsonPrefix + Array(items.joined(separator: jsonJoiner)) + jsonSuffix
        }
    }
}
