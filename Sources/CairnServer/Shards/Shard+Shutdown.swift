internal import CairnCore
internal import CairnGeo
internal import CairnWebSocket
internal import CairnWire

/// Going away, and what to do about changes that the disk will never take.
extension Shard {
    /// Stops accepting; requests are refused from now on, those under way are still answered.
    package func drain() {
        isDraining = true
        loop.stopListening()
    }

    package var connectionCount: Int { loop.counters.connections }

    package var requestsUnderWay: Int { sessions.reduce(0) { $0 + ($1?.inFlight ?? 0) } }

    package func reloadTLS() -> Bool { loop.reloadTLS() }

    /// Closes one of several batches of connections. Each connection is told to reconnect at another time (SES-11).
    /// - Returns: whether any are left for the batches to come.
    package func sayGoodbye(batch: Int, of batches: Int, reconnectSecondsMax: Int) -> Bool {
        var isAnybodyLeft = false
        for (slot, session) in sessions.enumerated() {
            guard let session, !session.isDismissed else { continue }
            if slot % batches == batch {
                let delay = Int.random(in: 0...max(0, reconnectSecondsMax * 1_000))
                close(session, .serverShutdown, reconnectAfter: .milliseconds(delay))
            } else {
                isAnybodyLeft = true
            }
        }
        return isAnybodyLeft
    }

    /// A home that lost a change is read anew from the disk; its followers start from a fresh snapshot.
    func renewFollowers(of home: HomeAddress) {
        for place in context.directory.places { dispatch(.sessions(.renewFollowers(of: home)), to: place) }
    }

    func renewFollowers(here home: HomeAddress) {
        for case let session? in sessions {
            for topic in session.follows.keys where topic.home == home { renew(topic, session) }
        }
    }
}
