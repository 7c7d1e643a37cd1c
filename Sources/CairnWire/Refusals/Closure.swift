/// A coded end of a connection. The code alone tells a client what to do next (RFC 6455 7.4):
///
/// | Codes | The client |
/// |---|---|
/// | 4000-4099, 1001, 1002, 1006, 1011, 1012, 1013 | comes back by itself, with backoff |
/// | 4100-4199, 1003, 1007, 1008, 1009 | comes back once something has changed: signed in, updated, sends less |
/// | 4200-4299, 1000 | does not come back by itself |
public struct Closure: Hashable, Sendable {
    /// What a client does after a closure.
    public enum Return: String, Hashable, Sendable, CaseIterable {
        /// Connect again after a pause that grows, with a random part; a `closing` message may name the first pause.
        case withBackoff = "with backoff"
        /// Connect again only when the client or its user has changed something.
        case afterChange = "after a change"
        /// Do not connect again unless the user asks for it.
        case never = "never"
    }

    /// The close code of the WebSocket close frame.
    public let code: UInt16
    /// As in `Closing.code`, the logs and the metrics, for instance `slow_consumer`. At most 123 bytes with the message
    /// (RFC 6455 5.5), of which the close frame carries the name alone.
    public let name: String
    /// For people.
    public let message: String

    /// - Precondition: `code` may be sent in a close frame (RFC 6455 7.4.1), and `name` fits one.
    init(_ code: UInt16, _ name: String, _ message: String) {
        precondition(name.utf8.count <= 123, "Closure \(name): longer than a close frame holds")
        self.code = code
        self.name = name
        self.message = message
    }

    /// What the client does next.
    public var next: Return { Self.next(after: code) }

    /// Whether the client comes back by itself.
    public var mayReconnect: Bool { next == .withBackoff }

    /// What a client does after any close code, by its range, also for a code that this build does not know. A code
    /// outside our ranges comes from a proxy or another server; the client then reconnects with backoff.
    public static func next(after code: UInt16) -> Return {
        switch code {
        case 4100...4199, 1003, 1007, 1008, 1009: .afterChange
        case 4200...4299, 1000: .never
        default: .withBackoff
        }
    }

    /// The closure with that code, if we have one.
    public init?(code: UInt16) {
        guard let closure = Self.all.first(where: { $0.code == code }) else { return nil }
        self = closure
    }

    /// The last message before the close.
    /// - Parameters:
    ///   - reconnectAfter: least time before the client reconnects; the client adds its own backoff. Set wherever the
    ///     client may reconnect, because its absence means that it may not.
    ///   - message: the sentence in the client's language; nil = English.
    public func wire(reconnectAfter: Duration = .zero, message: String? = nil) -> WireClosing {
        var wire = WireClosing()
        wire.code = name
        wire.message = message ?? self.message
        if mayReconnect { wire.reconnectAfter = reconnectAfter.wholeMilliseconds }
        return wire
    }
}

extension Closure {
    // MARK: Come back with backoff

    /// A frame that RFC 6455 does not allow. No `closing` comes before it: after such a frame nothing more can be sent.
    public static let brokenFrame = Self(1002, "broken_frame", "A frame was not as RFC 6455 wants it.")

    /// The server restarts (SES-11, B26).
    public static let serverShutdown = Self(1012, "server_shutdown", "The server is restarting.")

    /// The server takes no more connections at present (QOS-5, B23), or is short of memory and this connection's outbox
    /// was large (B30): then no `closing` comes before it.
    public static let overloaded = Self(1013, "overloaded", "The server has too much to do right now.")

    /// Nothing came within the silence limit, not even an answer to a ping (SES-4). No `closing` comes before it,
    /// because the peer seems to be gone.
    public static let silent = Self(4000, "silent", "Nothing was heard from you for too long.")

    /// The client read too slowly for too long; come back and continue from the cursors (SES-8).
    public static let slowConsumer = Self(4001, "slow_consumer", "The connection was too slow to keep up.")

    /// Messages kept coming too fast after being refused (SES-12).
    public static let rateLimited = Self(4002, "rate_limited", "Too many messages in too short a time.")

    /// No `hello` came in time after connecting (SES-2).
    public static let helloRequired = Self(4003, "hello_required", "No hello came in time.")

    // MARK: Come back after a change

    /// A text frame on a binary connection or the other way round.
    public static let wrongFrame = Self(
        1003, "wrong_frame", "Binary frames go with cairn.v1.proto, text with cairn.v1.json.")

    /// A text frame that is not UTF-8 (RFC 6455 8.1).
    public static let notUTF8 = Self(1007, "not_utf8", "The text was not UTF-8.")

    /// The connection broke a rule that has no code of its own, for instance on fragments.
    public static let policyViolation = Self(1008, "policy_violation", "The connection broke a rule.")

    /// A message over the limit (SES-3); do not send that message again.
    public static let tooLarge = Self(1009, "too_large", "The message was larger than allowed.")

    /// The protocol version in `hello` is not one that this server speaks (SES-2): update.
    public static let unsupportedVersion = Self(
        4100, "unsupported_version", "This version of the protocol is not supported.")

    /// Messages kept coming that cannot be read (SES-3): correct the client.
    public static let badMessage = Self(4101, "bad_message", "Too many messages could not be read.")

    /// The account has as many connections as it may have (SES-12): close another first.
    public static let tooManyConnections = Self(4102, "too_many_connections", "This account is connected too often.")

    // MARK: Do not come back

    /// An administrator suspended the account (ROL-5).
    public static let accountSuspended = Self(4200, "account_suspended", "This account is suspended.")

    /// A newer connection took this session over (SES-11); coming back would only take it away from that one.
    public static let sessionTakenOver = Self(4201, "session_taken_over", "You are connected from somewhere else.")

    /// An operator ended the connection.
    public static let kicked = Self(4203, "kicked", "An operator ended your connection.")

    /// Every closure, by code.
    public static let all: [Self] = [
        .brokenFrame, .wrongFrame, .notUTF8, .policyViolation, .tooLarge, .serverShutdown, .overloaded,
        .silent, .slowConsumer, .rateLimited, .helloRequired, .unsupportedVersion, .badMessage, .tooManyConnections,
        .accountSuspended, .sessionTakenOver, .kicked,
    ]
}
