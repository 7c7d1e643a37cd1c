internal import CairnCore
internal import CairnWebSocket
internal import CairnWire
internal import Logging

/// Carries what happens on a loop into its shard. Both live on the same thread, so nothing waits and nothing hops.
final class LoopAdapter: LoopHandler {
    private let shard: Shard
    private let admission: Admission
    /// Connections that came through a proxy, by the client whom it named: until they end.
    private var claimed: [ConnectionID: PeerAddress] = [:]
    private let pages: HTTPPages
    private let door: StatsDoor
    private let logger: Logger
    private let echoPath: String?

    init(shard: Shard, world: World, pages: HTTPPages) {
        self.shard = shard
        self.pages = pages
        door = StatsDoor(loop: shard.loop, rules: pages.rules, operators: world.operators)
        admission = world.doors.admission
        logger = world.logger
        echoPath = world.configuration.debug.echoPath
    }

    func rejection(of address: PeerAddress) -> TransportRejection? {
        admission.rejection(of: address, now: shard.now)
    }

    func released(_ address: PeerAddress, _ connection: ConnectionID) {
        admission.released(address)
        if !claimed.isEmpty, let client = claimed.removeValue(forKey: connection) { admission.unclaimed(client) }
    }

    func refusal(of handshake: Handshake) -> HTTPResponse? {
        switch pages.door.judge(handshake) {
        case .refused(let reason, let response):
            pages.door.log(reason, response, host: handshake.host, to: logger, now: shard.now)
            return response
        case .enter(let client):
            return refusal(ofMeant: handshake) ?? crowding(handshake, of: client)
        }
    }

    private func refusal(ofMeant handshake: Handshake) -> HTTPResponse? {
        if handshake.path == StatsDoor.path { return door.refusal(of: handshake) }
        guard handshake.path == Self.path || handshake.path == echoPath else { return .text(404, "Not Found\n") }
        guard handshake.subprotocol != StatsDoor.subprotocol else { return .text(400, "Bad Request\n") }
        let isAllowed = shard.assumeIsolated { shard in
            shard.origins.allows(handshake.origin, host: handshake.host, isTLS: handshake.isTLS)
        }
        guard isAllowed else { return foreign(handshake) }
        let takesNobody = shard.assumeIsolated { $0.isDraining || $0.world.memory.level == .closing }
        return takesNobody ? .tryLater(503, "Service Unavailable\n") : nil
    }

    /// A page may not open a socket here. Its script sees only a failed connection; its developer reads the log or asks
    /// with another program.
    private func foreign(_ handshake: Handshake) -> HTTPResponse? {
        let why = """
            pages of this origin may not open a socket here; the server's listen.originsAllowed names those that may
            """
        guard case .refused(let reason, let response) = pages.door.refused(.origin, 403, why) else {
            return .text(403, why)
        }
        pages.door.log(
            reason, response, host: handshake.host, origin: handshake.origin, to: logger, now: shard.now)
        return response
    }

    /// The limits of an address, where a proxy stands between and only the request tells it.
    private func crowding(_ handshake: Handshake, of client: PeerAddress?) -> HTTPResponse? {
        guard let client, pages.door.isProxy(handshake.address) else { return nil }
        guard admission.claims(client, now: shard.now) else {
            let why = "too many connections from one address, or too fast"
            let refused = pages.door.refused(.address, 429, why, headers: ["Retry-After: 5"])
            guard case .refused(_, let response) = refused else { return nil }
            return response
        }
        claimed[handshake.connection] = client
        return nil
    }

    /// Where the socket is.
    static let path = "/v1"

    func opened(_ connection: ConnectionID, handshake: Handshake, tag: UInt64) {
        if handshake.path == StatsDoor.path { return door.opened(connection) }
        guard let format = WireFormat(subprotocol: handshake.subprotocol) else { return }
        // A proxy's own address says nothing of those behind it.
        let isProxy = pages.door.isProxy(handshake.address)
        let address = isProxy ? claimed[connection] : handshake.address
        shard.assumeIsolated { $0.opened(connection, format: format, from: address) }
    }

    func received(_ bytes: UnsafeRawBufferPointer, isText: Bool, from connection: ConnectionID) {
        if !door.isEmpty, door.received(bytes, from: connection) { return }
        let format = isText ? WireFormat.json : .proto
        nonisolated(unsafe) let bytes = bytes
        // Read here and now, on the shard's own thread, and not kept.
        shard.assumeIsolated { $0.received(bytes, as: format, from: connection) }
    }

    func caughtUp(_ connection: ConnectionID, stale: [FanOutKey], missed: [FanOutKey]) {
        shard.assumeIsolated { $0.caughtUp(connection, stale: stale, missed: missed) }
    }

    func breached(_ connection: ConnectionID, _ rejection: TransportRejection) {
        shard.assumeIsolated { $0.breached(connection, rejection) }
    }

    func closed(_ connection: ConnectionID, code: UInt16) {
        if !door.isEmpty, door.closed(connection) { return }
        shard.assumeIsolated { $0.closed(connection, code: code) }
    }

    func connectFailed(tag: UInt64, reason: String) {}

    func response(to head: HTTPHead) -> HTTPResponse {
        pages.response(to: head, now: shard.now)
    }

    func ticked(now: UInt64) {
        shard.assumeIsolated { shard in
            shard.lookAtDelay()
            shard.takeWaitingPositions()
            shard.lookAtTimers()
        }
    }

    func swept(now: UInt64) {
        shard.assumeIsolated { shard in
            shard.lookAtDelay()
            shard.lookAtClock()
            shard.adaptGathering()
            shard.lookAgain()
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

    func logged(_ line: String, level: Int) {
        logger.log(level: level == 0 ? .error : level == 1 ? .warning : .debug, "transport: \(line)")
    }
}

/// Which pages may open a socket (pitfalls B17): the server's own and those that are allowed. Programs that are no
/// browsers send no origin and are let in.
struct OriginRule: Sendable {
    private let allowed: Set<String>
    private let behindProxy: Bool

    /// - Parameter behindProxy: a proxy has taken TLS off, or has not: pages of either sort may be the server's own.
    init(allowed: [String], behindProxy: Bool) {
        self.allowed = Set(allowed.map { $0.lowercased() })
        self.behindProxy = behindProxy
    }

    /// Of players' pages.
    init(_ listen: Configuration.Listen) {
        self.init(allowed: listen.originsAllowed, behindProxy: listen.behindProxy)
    }

    func allows(_ origin: String, host: String, isTLS: Bool) -> Bool {
        guard !origin.isEmpty else { return true }
        let (origin, host) = (origin.lowercased(), host.lowercased())
        if allowed.contains(origin) || origin == (isTLS ? "https://" : "http://") + host { return true }
        return behindProxy && origin == "https://" + host
    }
}
