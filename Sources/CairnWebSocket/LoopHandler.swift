public import CairnTime

/// Names a connection on its loop; never used again for another.
public typealias ConnectionID = UInt64

/// A peer's address; IPv4 is mapped into IPv6.
public struct PeerAddress: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// 127.0.0.0/8 or ::1.
    public var isLoopback: Bool {
        if high == 0 && low == 1 { return true }
        return isIPv4 && (low >> 24) & 0xFF == 127
    }

    private var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// Whom the address belongs to, as far as it tells: itself, or of IPv6 the /64 that the smallest customer has to
    /// themselves (RFC 6177) and can change their address in at will.
    public var network: PeerAddress {
        isIPv4 || isLoopback ? self : PeerAddress(high: high, low: 0)
    }
}

/// What an upgrade request said.
public struct Handshake: Sendable {
    public let address: PeerAddress
    public let path: String
    public let query: String
    public let origin: String
    public let host: String
    public let authorization: String
    public let cookie: String
    public let subprotocol: String
    public let forwarding: Forwarding
    public let isTLS: Bool
    /// The id that the connection has once it is open, and when it is released.
    public let connection: ConnectionID
}

/// The proxies' headers of a request. Any client can send them; trust them only from a peer that is a known proxy.
public struct Forwarding: Sendable {
    /// `X-Forwarded-For`; several of them joined by commas, in their order. Empty = none.
    public var xForwardedFor: String
    /// `Forwarded` (RFC 7239); several of them joined by commas, in their order. Empty = none.
    public var forwarded: String
    /// Whether the request carries either of them or another `X-Forwarded-...`, be it empty.
    public var isAny: Bool
    /// Whether it carries any sign of a proxy: one of these, `Via`, `X-Real-IP`, `CF-Connecting-IP` or the like. A
    /// client's own proxy may leave such a sign.
    public var isLikely: Bool

    public init(xForwardedFor: String = "", forwarded: String = "", isAny: Bool = false, isLikely: Bool = false) {
        self.xForwardedFor = xForwardedFor
        self.forwarded = forwarded
        self.isAny = isAny
        self.isLikely = isAny || isLikely
    }
}

/// Names a fan-out table of a loop: connections that follow the key get what is broadcast to it.
public struct FanOutKey: Hashable, Sendable {
    /// Kind and number of a home with kind and number of a group. The loop only compares keys.
    public let sorts: UInt64
    public let place: UInt64
    public let group: UInt64

    public init(sorts: UInt64 = 0, place: UInt64, group: UInt64 = 0) {
        self.sorts = sorts
        self.place = place
        self.group = group
    }
}

/// The owner of a loop, which gets its events. Every call is made on the loop's thread and must not block.
public protocol LoopHandler: AnyObject {
    /// A TCP connection was accepted, and neither side has said anything: nil to go on with it, or why not. Each nil is
    /// followed by one `released`.
    func rejection(of address: PeerAddress) -> TransportRejection?
    func released(_ address: PeerAddress, _ connection: ConnectionID)
    /// A valid upgrade request: nil to accept, or the answer to refuse with, whose body is short.
    func refusal(of handshake: Handshake) -> HTTPResponse?
    /// A WebSocket is open. `tag` is what `connect` was given, 0 for accepted ones.
    func opened(_ connection: ConnectionID, handshake: Handshake, tag: UInt64)
    /// One whole message. The bytes live only during the call; text is valid UTF-8.
    func received(_ bytes: UnsafeRawBufferPointer, isText: Bool, from connection: ConnectionID)
    /// The connection takes bytes again after having been behind. `stale`: keys whose events were dropped. `missed`:
    /// keys whose volatile batches were thinned; no more of them is sent until `sendKeyframe`.
    func caughtUp(_ connection: ConnectionID, stale: [FanOutKey], missed: [FanOutKey])
    /// The peer exceeded a limit of the transport and is about to be closed; this is the last chance to send.
    func breached(_ connection: ConnectionID, _ rejection: TransportRejection)
    func closed(_ connection: ConnectionID, code: UInt16)
    func connectFailed(tag: UInt64, reason: String)
    /// A page request.
    func answer(to head: HTTPHead) -> HTTPAnswer
    /// The time asked for with `requestTick` has come.
    func ticked(now: MonotonicTime)
    /// About once a second.
    func swept(now: MonotonicTime)
    /// All input of this turn of the loop has been handed out; what is sent now still leaves in this turn.
    func turnEnded()
    /// What waits in outboxes has outgrown `LoopOptions.outboxBudget`: to make room (`closeFurthestBehind`).
    func outboxesOverBudget()
    /// A line of the transport's own log. 0 error, 1 warning, 2 notice.
    func logged(_ line: String, level: Int)
}

extension LoopHandler {
    public func breached(_ connection: ConnectionID, _ rejection: TransportRejection) {}
    public func outboxesOverBudget() {}
}
