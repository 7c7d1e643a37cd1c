internal import CairnTime

/// A loop's own record of one WebSocket. Confined to the loop's thread.
final class Connection {
    let id: ConnectionID
    let framing: TextFraming
    var outbox = Outbox()
    /// The topics that it follows.
    var followed = FollowedFanOuts()
    /// Keys whose events were dropped; nothing more of them is queued until the handler has resynchronised.
    var stale: Set<FanOutKey> = []
    /// Keys whose volatile batches were thinned: no more of them is sent until a keyframe was.
    var missed: Set<FanOutKey> = []
    /// From when on the handler may be asked for the keyframes of those.
    var keyframesAt: MonotonicTime = .epoch
    /// Snapshots or keyframes have been sent that may not have left yet.
    var isCatchingUp = false
    var lastHeard: MonotonicTime
    var lastPinged: MonotonicTime = .epoch
    /// When the socket stopped taking bytes; nil = it takes them.
    var behindSince: MonotonicTime?
    // Small fields beside each other share a word: every connection has one of these records.
    let isText: Bool
    /// It gets the short form of volatile batches.
    var readsShort = false
    var isBlocked = false
    /// We do not read it.
    var isPaused = false
    /// What it waits for in the loop's `FlushQueue`.
    var turn = FlushQueue.Turn.none
    var isClosing = false
    /// Dropped because nothing was heard of it.
    var isSilent = false

    init(id: ConnectionID, isText: Bool, framing: TextFraming, now: MonotonicTime) {
        self.id = id
        self.isText = isText
        self.framing = framing
        lastHeard = now
    }
}
