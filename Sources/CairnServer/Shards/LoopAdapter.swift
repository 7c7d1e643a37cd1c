internal import CairnConfiguration
internal import CairnCore
internal import CairnTime
internal import CairnWebSocket
internal import CairnWire
internal import Logging

/// Hands a loop's events to its shard. Both live on the same thread, so there is no wait and no hop.
final class LoopAdapter: LoopHandler {
    private let shard: Shard
    private let admission: Admission
    /// Connections that came through a proxy, by the client whom it named: until they end.
    private var claimed: [ConnectionID: PeerAddress] = [:]
    private let routes: any LoopRoutes
    /// Open sockets of those routes: while there are none, no message is asked whose it is.
    private var otherSockets = 0
    private let door: RequestDoor
    private let logger: Logger
    private let echoPath: String?

    /// - Parameter routes: what the loop serves beside players.
    init(shard: Shard, context: ServerContext, routes: any LoopRoutes) {
        self.shard = shard
        self.routes = routes
        door = context.doors.requests
        admission = context.doors.admission
        logger = context.logger
        echoPath = context.configuration.debug.echoPath
    }

    func rejection(of address: PeerAddress) -> TransportRejection? {
        admission.rejection(of: address, now: shard.now)
    }

    func released(_ address: PeerAddress, _ connection: ConnectionID) {
        admission.released(address)
        if !claimed.isEmpty, let client = claimed.removeValue(forKey: connection) { admission.unclaimed(client) }
    }

    func refusal(of handshake: Handshake) -> HTTPResponse? {
        switch door.judge(handshake) {
        case .refused(let reason, let response):
            door.log(reason, response, host: handshake.host, to: logger, now: shard.now)
            return response
        case .enter(let client):
            return refusal(ofMeant: handshake) ?? crowding(handshake, of: client)
        }
    }

    private func refusal(ofMeant handshake: Handshake) -> HTTPResponse? {
        if routes.serves(handshake.path) { return routes.refusal(of: handshake) }
        guard handshake.path == Shard.socketPath || handshake.path == echoPath else { return .text(404, "Not Found\n") }
        // A subprotocol of the other routes is none of players'.
        guard handshake.subprotocol.isEmpty || WireFormat(subprotocol: handshake.subprotocol) != nil else {
            return .text(400, "Bad Request\n")
        }
        let isAllowed = shard.assumeIsolated { shard in
            shard.origins.allows(handshake.origin, host: handshake.host, isTLS: handshake.isTLS)
        }
        guard isAllowed else { return foreign(handshake) }
        let takesNobody = shard.assumeIsolated { $0.isDraining || $0.context.memory.level == .closing }
        return takesNobody ? .tryLater(503, "Service Unavailable\n") : nil
    }

    /// A page may not open a socket here. Its script sees only a failed connection; its developer reads the log or asks
    /// with another program.
    private func foreign(_ handshake: Handshake) -> HTTPResponse? {
        let why = """
            pages of this origin may not open a socket here; the server's listen.originsAllowed names those that may
            """
        guard case .refused(let reason, let response) = door.refused(.origin, 403, why) else {
            return .text(403, why)
        }
        door.log(
            reason, response, host: handshake.host, origin: handshake.origin, to: logger, now: shard.now)
        return response
    }

    /// The limits of an address, where a proxy stands between and only the request tells it.
    private func crowding(_ handshake: Handshake, of client: PeerAddress?) -> HTTPResponse? {
        guard let client, door.isProxy(handshake.address) else { return nil }
        guard admission.claims(client, now: shard.now) else {
            let why = "too many connections from one address, or too fast"
            let refused = door.refused(.address, 429, why, headers: ["Retry-After: 5"])
            guard case .refused(_, let response) = refused else { return nil }
            return response
        }
        claimed[handshake.connection] = client
        return nil
    }

    func opened(_ connection: ConnectionID, handshake: Handshake, tag: UInt64) {
        if routes.serves(handshake.path) {
            otherSockets += 1
            return routes.opened(connection, handshake)
        }
        guard let format = WireFormat(subprotocol: handshake.subprotocol) else { return }
        // A proxy's own address says nothing of those behind it.
        let isProxy = door.isProxy(handshake.address)
        let address = isProxy ? claimed[connection] : handshake.address
        shard.assumeIsolated { $0.opened(connection, format: format, from: address) }
    }

    func received(_ bytes: UnsafeRawBufferPointer, isText: Bool, from connection: ConnectionID) {
        if otherSockets > 0, routes.received(bytes, from: connection) { return }
        let format = isText ? WireFormat.json : .proto
        shard.enter(with: (bytes, format, connection)) { $0.received($1.0, as: $1.1, from: $1.2) }
    }

    func caughtUp(_ connection: ConnectionID, stale: [FanOutKey], missed: [FanOutKey]) {
        shard.assumeIsolated { $0.caughtUp(connection, stale: stale, missed: missed) }
    }

    func breached(_ connection: ConnectionID, _ rejection: TransportRejection) {
        shard.assumeIsolated { $0.breached(connection, rejection) }
    }

    func closed(_ connection: ConnectionID, code: UInt16) {
        if otherSockets > 0, routes.closed(connection) {
            otherSockets -= 1
            return
        }
        shard.assumeIsolated { $0.closed(connection, code: code) }
    }

    func connectFailed(tag: UInt64, reason: String) {}

    func answer(to head: HTTPHead) -> HTTPAnswer {
        routes.answer(to: head, now: shard.now)
    }

    func ticked(now: MonotonicTime) {
        shard.assumeIsolated { shard in
            shard.lookAtDelay()
            shard.applyWaitingPositions()
            shard.followLooks()
            shard.lookAtTimers()
            shard.fireDueTimers()
        }
    }

    func swept(now: MonotonicTime) {
        shard.assumeIsolated { shard in
            shard.lookAtDelay()
            shard.lookAtClock()
            shard.shedGuests()
            shard.lookAgain()
            shard.departures.sweep(now: now)
            shard.refuseLateSnapshots(now: now)
            shard.dropThoseWithoutHello(now: now)
            shard.giveUpDetached(now: now)
            shard.refuseLate(now: now)
            shard.lookAtTimers()
            shard.endExpiredSignIns()
            shard.forgetRevoked(now: now)
            shard.lookAtRevocations(now: now)
            shard.putToSleep(now: now)
            shard.publishFigures()
            shard.keepEngagement(now: now)
        }
    }

    func turnEnded() {
        shard.assumeIsolated { shard in
            shard.tellPresenceIfDue()
            shard.flushOutgoing()
        }
    }

    func outboxesOverBudget() {
        shard.assumeIsolated { $0.closeFurthestBehind() }
    }

    func logged(_ line: String, level: Int) {
        logger.log(level: level == 0 ? .error : level == 1 ? .warning : .debug, "transport: \(line)")
    }
}
