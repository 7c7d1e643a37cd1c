internal import CWebSockets
internal import CairnTime

/// The connections that follow one key on one loop. Outbox entries refer to this object, because its key is three times
/// as large as a reference.
final class FanOut {
    let key: FanOutKey
    var subscribers: [Connection] = []
    /// The group of each subscriber, place by place.
    var groups: [UInt16] = []
    var textSubscribers = 0
    /// Bytes put into the subscribers' outboxes, and how many a second.
    var bytesQueued: UInt64 = 0
    var bytesMeasured: UInt64 = 0
    var bytesPerSecond = 0.0

    init(_ key: FanOutKey) { self.key = key }

    /// Adds a connection. Full lists grow by a quarter: they last, and twice as many places would be half empty.
    func append(_ connection: Connection, group: UInt16) {
        if subscribers.count == subscribers.capacity {
            let count = subscribers.count + max(4, subscribers.count / 4)
            subscribers.reserveCapacity(count)
            groups.reserveCapacity(count)
        }
        subscribers.append(connection)
        groups.append(group)
    }
}

extension WebSocketLoop {
    /// Most bytes that are put into one message when much is waiting.
    private static let messageBytesTarget = 65_536
    /// Bounds of replies and of catch-up for a reader that is behind, in outboxes.
    private static let outboxesMax = 16
    private static let viewOutboxesMax = 64
    /// Share of an outbox that poses may fill while a reader is brought up to date.
    private static let volatileShare = 4
    /// Sends between two looks at the clock.
    private static let sendsBetweenLooks = 32
    /// Time in which keyframes that were asked for have come.
    private static let keyframePause: Duration = .milliseconds(100)

    // MARK: Following

    /// From now on the connection gets what is broadcast to `key`, and of grouped broadcasts what is for `group`.
    public func follow(_ key: FanOutKey, _ id: ConnectionID, group: UInt16 = 0) {
        guard let connection = connection(id) else { return }
        let fanOut = fanOuts[key] ?? FanOut(key)
        guard connection.followed[fanOut] == nil else { return }
        fanOuts[key] = fanOut
        connection.followed.add(fanOut, at: fanOut.subscribers.count)
        fanOut.append(connection, group: group)
        if connection.isText { fanOut.textSubscribers += 1 }
        connection.stale.remove(key)
        connection.missed.remove(key)
    }

    /// Whether from now on the connection gets the short form of volatile batches that have one.
    public func readsShort(_ id: ConnectionID, _ isShort: Bool) { connection(id)?.readsShort = isShort }

    /// Puts a follower into another group. Nothing happens when it does not follow.
    public func setGroup(_ key: FanOutKey, _ id: ConnectionID, _ group: UInt16) {
        guard let fanOut = fanOuts[key], let place = connection(id)?.followed[fanOut] else { return }
        fanOut.groups[place] = group
    }

    /// From now on the connection gets nothing that is broadcast to `key`. Nothing happens when it does not follow.
    /// - Returns: whether it has missed something of the key, and `caughtUp` would have named it.
    @discardableResult
    public func unfollow(_ key: FanOutKey, _ id: ConnectionID) -> Bool {
        guard let connection = connection(id), let fanOut = fanOuts[key] else { return false }
        let isBehind = connection.stale.contains(key) || connection.missed.contains(key)
        remove(connection, from: fanOut)
        return isBehind
    }

    /// Connections on this loop that follow `key`.
    public func followerCount(_ key: FanOutKey) -> Int { fanOuts[key]?.subscribers.count ?? 0 }

    /// Whether any of them reads text.
    public func hasTextFollowers(_ key: FanOutKey) -> Bool { (fanOuts[key]?.textSubscribers ?? 0) > 0 }

    func remove(_ connection: Connection, from fanOut: FanOut) {
        guard let place = connection.followed.remove(fanOut) else { return }
        let last = fanOut.subscribers.removeLast()
        let lastGroup = fanOut.groups.removeLast()
        if last !== connection {
            fanOut.subscribers[place] = last
            fanOut.groups[place] = lastGroup
            last.followed.move(fanOut, to: place)
        }
        if connection.isText { fanOut.textSubscribers -= 1 }
        if fanOut.subscribers.isEmpty { fanOuts[fanOut.key] = nil }
        connection.stale.remove(fanOut.key)
        connection.missed.remove(fanOut.key)
    }

    // MARK: Sending

    /// Sends an event to all followers of `key`, in order. A follower that cannot take it has to resynchronise. `text`
    /// may be nil when no follower on this loop reads text.
    public func broadcastEvent(_ key: FanOutKey, binary: [UInt8], text: [UInt8]?) {
        preconditionOnLoop()
        guard let fanOut = fanOuts[key] else { return }
        for connection in fanOut.subscribers {
            guard let bytes = connection.isText ? text : binary else { continue }
            if connection.stale.contains(key) {
                counters.itemsOffered += 1
                counters.eventsSuperseded += 1
            } else {
                queue(bytes, lane: .events(fanOut), for: connection)
                fanOut.bytesQueued += UInt64(bytes.count)
            }
        }
    }

    /// Sends a volatile batch to all followers of `key`. A follower that is behind does not get it; `caughtUp` names it
    /// later, and it gets no more of the key until `sendKeyframe`.
    /// - Parameter short: for those of which `readsShort` was said, if it differs.
    public func broadcastVolatile(_ key: FanOutKey, binary: [UInt8], short: [UInt8]? = nil, text: [UInt8]?) {
        preconditionOnLoop()
        guard let fanOut = fanOuts[key] else { return }
        for connection in fanOut.subscribers {
            let batch = connection.readsShort ? short ?? binary : binary
            offer(connection.isText ? text : batch, of: fanOut, key, to: connection)
        }
    }

    /// Sends each group its own volatile batch; nil = nothing for that group.
    public func broadcastVolatile(_ key: FanOutKey, binary: [[UInt8]?], short: [[UInt8]?], text: [[UInt8]?]) {
        preconditionOnLoop()
        guard let fanOut = fanOuts[key] else { return }
        for (connection, group) in zip(fanOut.subscribers, fanOut.groups) {
            let group = Int(group)
            guard group < binary.count else { continue }
            let batch = connection.readsShort ? short[group] ?? binary[group] : binary[group]
            offer(connection.isText ? text[group] : batch, of: fanOut, key, to: connection)
        }
    }

    /// A volatile item that differs from connection to connection; nil = nothing for that one. Its bytes in binary, and
    /// as text if a follower reads text.
    public func broadcastVolatile(
        _ key: FanOutKey, _ item: (ConnectionID) -> (binary: [UInt8], text: [UInt8]?)?
    ) {
        preconditionOnLoop()
        guard let fanOut = fanOuts[key] else { return }
        for connection in fanOut.subscribers {
            guard let item = item(connection.id) else { continue }
            offer(connection.isText ? item.text : item.binary, of: fanOut, key, to: connection)
        }
    }

    private func offer(_ batch: [UInt8]?, of fanOut: FanOut, _ key: FanOutKey, to connection: Connection) {
        guard let batch else { return }
        let hasRoom = !connection.isBlocked || canWait(connection, adding: batch.count)
        guard hasRoom, connection.missed.isEmpty || !connection.missed.contains(key) else {
            connection.missed.insert(key)
            noteThinned()
            return
        }
        queue(batch, lane: .volatile(fanOut), for: connection)
        fanOut.bytesQueued += UInt64(batch.count)
    }

    /// Whether poses may wait: behind a keyframe they are what makes it complete, otherwise they grow old.
    private func canWait(_ connection: Connection, adding bytes: Int = 0) -> Bool {
        let most = options.outboxBytesMax / Self.volatileShare
        return connection.isCatchingUp && connection.outbox.volatileBytes + bytes <= most
    }

    /// An item for one connection.
    public func send(_ item: [UInt8], to id: ConnectionID) {
        guard let connection = connection(id) else { return noteLost() }
        queue(item, lane: .direct, for: connection)
    }

    /// What brings a follower of `key` up to date, a snapshot for instance: not counted among what a reader is behind
    /// with.
    public func sendCatchUp(_ items: [[UInt8]], of key: FanOutKey, to id: ConnectionID) {
        guard let connection = connection(id) else { return items.forEach { _ in noteLost() } }
        connection.isCatchingUp = true
        let fanOut = fanOuts[key] ?? FanOut(key)
        for item in items { queue(item, lane: .catchUp(fanOut), for: connection) }
    }

    /// Replaces the volatile batches of `key` that were left out; from here on batches are sent again.
    public func sendKeyframe(_ item: [UInt8], of key: FanOutKey, to id: ConnectionID) {
        if let connection = connection(id) {
            connection.missed.remove(key)
            let cost = Duration.microseconds(item.count * 1_000_000 / options.keyframeBytesPerSecond)
            connection.keyframesAt = max(connection.keyframesAt, now) + cost
        }
        sendCatchUp([item], of: key, to: id)
    }

    /// Whether the connection reads text; nil when it is gone.
    public func isText(_ id: ConnectionID) -> Bool? { connection(id)?.isText }

    /// Stops or resumes reading from a connection (TCP backpressure).
    public func pause(_ id: ConnectionID, _ paused: Bool) {
        preconditionOnLoop()
        if let connection = connection(id) {
            connection.isPaused = paused
            // What it has said meanwhile has not been read.
            connection.lastHeard = now
        }
        cws_pause(loop, id, paused ? 1 : 0)
    }

    /// Sends what waits, then says goodbye. `closed` follows.
    public func close(_ id: ConnectionID, code: UInt16, reason: String) {
        guard let connection = connection(id), !connection.isClosing else { return }
        flush(connection)
        connection.isClosing = true
        cws_close(loop, id, code, reason)
    }

    /// Drops the connection without a word. `closed` follows.
    public func abort(_ id: ConnectionID) {
        guard let connection = connection(id) else { return }
        connection.isClosing = true
        cws_abort(loop, id)
    }

    /// All open connections.
    public var connectionIDs: [ConnectionID] {
        preconditionOnLoop()
        return connections.compactMap { $0?.id }
    }

    // MARK: Inside

    func connection(_ id: ConnectionID) -> Connection? {
        preconditionOnLoop()
        let slot = Int(cws_slot(id))
        guard slot < connections.count, let connection = connections[slot], connection.id == id else { return nil }
        return connection
    }

    private func noteThinned() {
        counters.itemsOffered += 1
        counters.volatileThinned += 1
    }

    private func noteLost() {
        counters.itemsOffered += 1
        counters.itemsLost += 1
    }

    private func queue(_ bytes: [UInt8], lane: Outbox.Lane, for connection: Connection) {
        guard !connection.isClosing else { return noteLost() }
        connection.outbox.append(bytes, lane: lane)
        counters.itemsOffered += 1
        counters.itemsQueued += 1
        counters.itemsWaiting += 1
        counters.bytesQueued += bytes.count
        guard connection.isBlocked else { return flushing.append(connection, hasPosesOnly: lane.isVolatile) }
        if options.outboxBudget?.draw(bytes.count) == false { isOverBudget = true }
        let most = options.outboxBytesMax
        if connection.outbox.eventBytes + connection.outbox.directBytes > most { shed(connection) }
        // Answers and snapshots are never dropped, so a client that asks for them and does not read is closed.
        let asked = connection.outbox.directBytes
        if asked > Self.outboxesMax * most || connection.outbox.catchUpBytes > Self.viewOutboxesMax * most {
            closeAsSlow(connection)
        }
    }

    /// Closes a connection that reads too slowly (SES-8).
    func closeAsSlow(_ connection: Connection) {
        counters.closedSlow += 1
        close(connection.id, code: options.slowCloseCode, reason: "slow_consumer")
    }

    /// The reader is too far behind: its events are dropped, and it will resynchronise from a snapshot (SES-8).
    private func shed(_ connection: Connection) {
        let before = connection.outbox.bytes
        let dropped = connection.outbox.dropEvents()
        connection.stale.formUnion(dropped.topics)
        counters.eventsDropped += UInt64(dropped.count)
        counters.itemsWaiting -= dropped.count
        counters.bytesQueued -= before - connection.outbox.bytes
    }

    /// Sends what waits: one message and one send per connection. Answers and events leave in this turn. Where poses
    /// alone wait they leave for a slice of time in each turn, so that those of a crowd hold up neither input nor
    /// timers.
    func flushAll() {
        let end = now + options.poseSlice
        repeat {
            flushFirst()
            for _ in 0..<Self.sendsBetweenLooks {
                guard let connection = flushing.takeWithPoses() else { return flushFirst() }
                flush(connection)
            }
        } while now < end
        cws_loop_go_on(loop)
    }

    private func flushFirst() {
        while let connection = flushing.takeFirst() { flush(connection) }
    }

    func flush(_ connection: Connection) {
        while !connection.outbox.isEmpty && !connection.isBlocked && !connection.isClosing {
            let before = connection.outbox.bytes
            scratch.clear()
            let framing = connection.framing
            var items = 0
            if connection.isText { scratch.append(framing.prefix) }
            connection.outbox.take(limit: Self.messageBytesTarget) { entries in
                items = entries.count
                for (place, entry) in zip(0..., entries) {
                    if place > 0 && connection.isText { scratch.append(framing.separator) }
                    scratch.append(entry.bytes)
                }
            }
            if connection.isText { scratch.append(framing.suffix) }
            counters.bytesQueued -= before - connection.outbox.bytes
            counters.itemsWaiting -= items
            let result = scratch.withMessage { message, count in
                cws_send(loop, connection.id, message, count, connection.isText ? 1 : 0)
            }
            if result == CWS_GONE {
                counters.itemsLost += UInt64(items)
                connection.isClosing = true
            } else {
                counters.messagesSent += 1
                counters.bytesSent += UInt64(scratch.count)
                counters.itemsSent += UInt64(items)
                if result == CWS_BLOCKED { block(connection) }
            }
        }
        if !connection.isBlocked { connection.isCatchingUp = false }
    }

    private func block(_ connection: Connection) {
        connection.isBlocked = true
        behind += 1
        // A reader that never catches up completely counts as behind all the time.
        if connection.behindSince == nil { connection.behindSince = now }
        counters.sendsBlocked += 1
        guard !canWait(connection) else { return }
        let before = connection.outbox.bytes
        let dropped = connection.outbox.dropVolatile()
        connection.missed.formUnion(dropped.topics)
        counters.volatileThinned += UInt64(dropped.count)
        counters.itemsWaiting -= dropped.count
        counters.bytesQueued -= before - connection.outbox.bytes
    }

    func drained(_ connection: Connection) {
        if connection.isBlocked { behind -= 1 }
        connection.isBlocked = false
        flush(connection)
        guard !connection.isBlocked else { return }
        connection.behindSince = nil
        askForMissed(connection)
    }

    /// Asks for what brings the reader up to date: snapshots at once, keyframes when it is time.
    func askForMissed(_ connection: Connection) {
        let stale = connection.stale
        connection.stale = []
        // With a snapshot comes a keyframe.
        var missed = connection.missed.subtracting(stale)
        if now < connection.keyframesAt { missed = [] }
        guard !stale.isEmpty || !missed.isEmpty else { return }
        if !missed.isEmpty { connection.keyframesAt = now + Self.keyframePause }
        handler?.caughtUp(connection.id, stale: Array(stale), missed: Array(missed))
    }
}
