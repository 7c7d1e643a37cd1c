/// The counters of a loop since its start. Every drop, refusal and closure is counted by reason (invariant 10).
public struct LoopCounters: Sendable {
    public var connections = 0
    public var opened: UInt64 = 0
    public var closed: UInt64 = 0
    public var messagesReceived: UInt64 = 0
    public var bytesReceived: UInt64 = 0
    /// Frames sent; each is one message and one send.
    public var messagesSent: UInt64 = 0
    public var bytesSent: UInt64 = 0
    /// Items meant for a connection. Each is sent, waits, or is in exactly one of the counts of what was not sent:
    /// offered = sent + waiting + thinned + dropped + superseded + revoked + lost.
    public var itemsOffered: UInt64 = 0
    /// Items put into outboxes.
    public var itemsQueued: UInt64 = 0
    /// Items handed to the system.
    public var itemsSent: UInt64 = 0
    /// Items in outboxes at this moment, and their bytes.
    public var itemsWaiting = 0
    public var bytesQueued = 0
    /// Volatile batches that were thinned because the reader was behind.
    public var volatileThinned: UInt64 = 0
    /// Events dropped because an outbox was full; the reader resynchronises.
    public var eventsDropped: UInt64 = 0
    /// Events not queued because the reader is to resynchronise their topic anyway.
    public var eventsSuperseded: UInt64 = 0
    /// Items thrown away unsent because the right to their topic was revoked.
    public var itemsRevoked: UInt64 = 0
    /// Items whose connection ended before they were sent.
    public var itemsLost: UInt64 = 0
    public var closedSilent: UInt64 = 0
    public var closedSlow: UInt64 = 0
    /// Turns in which a socket took no more.
    public var sendsBlocked: UInt64 = 0
    /// What the transport refused, by reason, in the order of `TransportRejection`.
    public var rejections = [UInt64](repeating: 0, count: TransportRejection.allCases.count)

    public init() {}
}

/// Why the transport itself turned something away.
public enum TransportRejection: Int, CaseIterable, Sendable {
    case admission, descriptors, handshake, origin, subprotocol, upgrade, raw, body, timeout
    case messageBytes, messageFragments, messageTime, frame
    case tlsHandshakes
    /// A connection sent more than it may: it is not read for a moment, and stays.
    case input
}
