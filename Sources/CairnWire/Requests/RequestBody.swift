/// The body of a client message, one of `ClientMessage.body`.
///
/// Its number, its name and its success stand in the schema alone: `scripts/generate-requests` makes the conformances.
public protocol RequestBody: WireMessage {
    /// What a request of the kind is answered with, unless it is refused.
    associatedtype Success: WireMessage

    static var kind: MessageKind { get }
    /// Whether it needs an idempotency key (SYN-2).
    static var needsKey: Bool { get }

    var inEnvelope: WireClientMessage.OneOf_Body { get }

    /// Nil for a success of another kind.
    static func success(in result: WireReply.OneOf_Result) -> Success?
}
