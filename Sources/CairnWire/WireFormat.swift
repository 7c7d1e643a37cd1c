/// How messages are written on one connection. Chosen by the client with `Sec-WebSocket-Protocol` (RFC 6455 1.9), fixed
/// for the life of the connection.
public enum WireFormat: UInt8, Sendable, CaseIterable {
    /// Binary frames, protobuf wire format.
    case proto
    /// Text frames, protobuf's canonical JSON.
    case json

    /// The name in `Sec-WebSocket-Protocol`: `cairn.v1.proto` or `cairn.v1.json`.
    public var subprotocol: String {
        switch self {
        case .proto: "cairn.v1.proto"
        case .json: "cairn.v1.json"
        }
    }

    /// The format that a subprotocol name stands for; nil if Cairn does not speak it. Names are compared exactly, as
    /// RFC 6455 11.3.4 wants.
    public init?(subprotocol: some StringProtocol) {
        guard let format = Self.allCases.first(where: { $0.subprotocol == subprotocol }) else { return nil }
        self = format
    }
}
