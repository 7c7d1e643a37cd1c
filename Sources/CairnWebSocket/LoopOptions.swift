/// What a loop needs to know before it starts. Bounds have names and units; the shipped values are in
/// `config/cairn.yaml`.
public struct LoopOptions: Sendable {
    /// Offered in order of preference; a connection that asks for the first speaks binary, for the others text.
    public var subprotocols: [String] = []
    /// A path that echoes all messages, for conformance suites; nil = none.
    public var echoPath: String?
    public var tlsCertificatePath: String?
    public var tlsKeyPath: String?
    /// Longest message that is taken; longer ones close the connection with 1009 (SES-3).
    public var messageBytesMax = 65_536
    /// Most pieces that a message may come in (pitfalls L21).
    public var messageFragmentsMax = 1_024
    /// Longest time from a message's first piece to its last.
    public var messageSecondsMax = 30
    /// Longest time from the TCP connection to the open WebSocket, and for an HTTP request.
    public var handshakeSecondsMax = 10
    /// Allocated for each open WebSocket: most of what an idle one costs.
    public var receiveBufferBytes = 256
    /// Allocated once per loop.
    public var serviceBufferBytes = 65_536
    public var connectionsMax = 12_000
    /// Longest time that a busy loop lets its input wait, so that one wake-up reads more of it; 0 = never.
    public var gatherMilliseconds = 0
    /// How long poses are sent before input and timers are looked at again.
    public var poseSlice: Duration = .milliseconds(5)
    /// Input of an accepted WebSocket, in bytes a second: frames of all kinds, and 512 bytes for each read. Beyond it
    /// the connection is not read until the excess is paid off. 0 = no limit.
    public var inputBytesPerSecond = 0
    /// A quiet connection is pinged after this long, and dropped after `silenceSeconds` without a sign of life (SES-4).
    public var pingSeconds = 20
    public var silenceSeconds = 60
    /// Most bytes that wait for one slow reader; beyond, its events are dropped and it has to resynchronise (SES-8).
    public var outboxBytesMax = 262_144
    /// Shared by the loops of a process; nil = what waits for all slow readers together has no bound.
    public var outboxBudget: OutboxBudget?
    /// Shared by the loops of a process; nil = nothing is answered in pieces.
    public var bulkLane: BulkLane?
    /// Bytes a second of keyframes for a reader that misses batches again and again. The keyframe of a crowd is as
    /// large as seconds of its poses.
    public var keyframeBytesPerSecond = 131_072
    /// A reader that stays behind for this long is closed (SES-8).
    public var behindSecondsMax = 30
    /// Seconds after which the kernel drops a connection whose peer takes no data (`TCP_USER_TIMEOUT`), without a close
    /// frame. The time also runs while a living peer's window is closed, so this value is above each of our own bounds.
    public var unacknowledgedSecondsMax: Int { max(silenceSeconds, behindSecondsMax) + 15 }
    /// WebSocket close code for a peer that was silent for too long; `closed` reports it, with or without an answer.
    public var silentCloseCode: UInt16 = 1_013
    /// WebSocket close code for a reader that stays behind.
    public var slowCloseCode: UInt16 = 1_013
    /// How text messages are assembled from items; binary items are concatenated.
    public var textFraming = TextFraming(prefix: "", separator: "", suffix: "")
    /// The same for subprotocols that do it in another way.
    public var textFramings: [String: TextFraming] = [:]

    public init() {}
}

/// The text around and between the items of one message. A class: each connection refers to that of its protocol.
public final class TextFraming: Sendable {
    let prefix: [UInt8]
    let separator: [UInt8]
    let suffix: [UInt8]

    public init(prefix: String, separator: String, suffix: String) {
        self.prefix = Array(prefix.utf8)
        self.separator = Array(separator.utf8)
        self.suffix = Array(suffix.utf8)
    }
}
