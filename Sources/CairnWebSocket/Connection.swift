/// A loop's own record of one WebSocket. Confined to the loop's thread.
final class Connection {
    let id: ConnectionID
    let isText: Bool
    let framing: TextFraming
    var outbox = Outbox()
    /// Place of this connection in the subscriber list of each key that it follows. By the list and not by its key,
    /// which is three times as large: a connection has one for each cell in its view.
    var followed: [FanOut: Int] = [:]
    /// Keys whose events were dropped; nothing more of them is queued until the handler has resynchronised.
    var stale: Set<FanOutKey> = []
    /// Keys of which volatile batches were left out: no more of them until a keyframe has been sent.
    var missed: Set<FanOutKey> = []
    /// From when on the handler may be asked for the keyframes of those.
    var keyframesAt: UInt64 = 0
    /// Snapshots or keyframes have been sent that may not have left yet.
    var isCatchingUp = false
    var lastHeard: UInt64
    var lastPinged: UInt64 = 0
    /// Since when the socket takes no more; 0 = it does.
    var behindSince: UInt64 = 0
    var isBlocked = false
    /// We do not read it.
    var isPaused = false
    var isInFlushList = false
    var isClosing = false
    /// Dropped because nothing was heard of it.
    var isSilent = false

    init(id: ConnectionID, isText: Bool, framing: TextFraming, now: UInt64) {
        self.id = id
        self.isText = isText
        self.framing = framing
        lastHeard = now
    }
}
