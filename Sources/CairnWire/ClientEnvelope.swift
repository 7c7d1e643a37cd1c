/// A client message as far as the envelope goes: the body is still bytes, for the feature that owns the kind.
public struct ClientEnvelope: Hashable, Sendable {
    /// Longest idempotency key in UTF-8 bytes (SYN-2). A longer one is refused with `invalid_field`.
    public static let keyBytesMax = 64

    /// Chosen by the client; the reply carries it. 0 = none, which only a `position` may have (SES-3).
    public var id: UInt32
    /// Idempotency key of a change (SYN-2), 0 to `keyBytesMax` bytes; empty = none.
    public var key: String
    /// Number of the body's field in `ClientMessage.body`; 0 = no body, or one that only a newer server knows.
    public var field: UInt32
    /// Binary protobuf of the body message, whatever the format of the connection. Not looked into yet: the feature
    /// that owns the kind decodes it (`WireBody.decode`) and must expect garbage.
    public var payload: [UInt8]
    /// The name of the body in a JSON message whose body is unknown, at most 64 bytes; nil = none was found.
    public var unknownName: String?
    /// The JSON message itself if it has an unknown name and at most `JSONUnknownName.messageBytesMax` bytes: a refusal
    /// of its request then mentions the name. Nil = all names are known, or the message is longer.
    public var puzzling: [UInt8]?

    public init(id: UInt32 = 0, key: String = "", field: UInt32 = 0, payload: [UInt8] = []) {
        self.id = id
        self.key = key
        self.field = field
        self.payload = payload
    }
}

/// A client message that could not be read as an envelope: what to answer, and under which id.
public struct BadMessage: Error, Hashable, Sendable {
    /// The request's id as far as it could be read, so that the client can match the refusal; 0 = none was found.
    public let id: UInt32
    /// `bad_message` with the cause, or `invalid_field` when only the idempotency key is wrong.
    public let refusal: Refusal

    public init(id: UInt32, refusal: Refusal) {
        self.id = id
        self.refusal = refusal
    }
}
