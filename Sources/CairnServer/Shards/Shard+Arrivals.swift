internal import CairnConfiguration
internal import CairnTime
internal import CairnWire

/// Connections that have not said hello yet.
extension Shard {
    /// Connections that say nothing are not kept (SES-2).
    func dropThoseWithoutHello(now: MonotonicTime) {
        let limit = Duration.seconds(context.configuration.connections.handshakeSeconds)
        arriving.removeAll { session in
            guard case .awaitingHello = session.stage, self.session(of: session.participant) === session else {
                return true
            }
            guard now - session.openedAt > limit else { return false }
            close(session, .helloRequired, reconnectAfter: .seconds(1))
            return true
        }
    }
}
