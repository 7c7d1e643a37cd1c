internal import CairnCore
internal import CairnGeo
internal import CairnWebSocket
internal import CairnWire

/// Going away, and what to do about changes that the disk will never take.
extension Shard {
    /// Stops accepting and tells everybody when to come back, each at another time (SES-11).
    func drain(reconnectSecondsMax: Int) {
        isDraining = true
        loop.stopListening()
        for case let session? in sessions {
            var closing = WireClosing()
            closing.code = Closure.serverShutdown.name
            closing.message = Closure.serverShutdown.message
            closing.reconnectAfter = UInt32.random(in: 0...UInt32(reconnectSecondsMax * 1_000))
            var item = WireItem()
            item.closing = closing
            send(item, to: session)
        }
    }

    var connectionCount: Int { loop.counters.connections }

    /// Closes every connection; what was committed has been told.
    func sayGoodbye() {
        for case let session? in sessions {
            figures.closures[Closure.serverShutdown.name, default: 0] += 1
            loop.close(
                session.participant.connection, code: Closure.serverShutdown.code, reason: Closure.serverShutdown.name)
        }
    }

    /// A cell that lost a change is read anew from the disk; whoever watches it starts from a fresh snapshot.
    func replace(_ id: CellID) {
        if let cell = cells[id] { retire(cell) }
        cells[id] = nil
        for peer in 0..<world.directory.shardCount {
            onShard(peer) { $0.renew(id) }
        }
    }

    private func renew(_ id: CellID) {
        for case let session? in sessions {
            if session.follows[id] != nil {
                loop.unfollow(FanOutKey(id), session.participant.connection)
                var resync = WireResync()
                resync.topic = Topic(cell: id, scope: .everyone).name
                var item = WireItem()
                item.resync = resync
                send(item, to: session)
                follow(id, session)
            }
            if session.tracker.cell == id { reenter(session) }
        }
    }
}
