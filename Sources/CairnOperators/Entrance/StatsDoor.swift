internal import CairnServer
internal import CairnText
internal import CairnWebSocket

/// Where operators come in over a loop: `/v1/stats` with the subprotocol `cairn.stats.v1`. Confined to the loop's
/// thread.
final class StatsDoor {
    static let path = "/v1/stats"
    static let subprotocol = "cairn.stats.v1"
    /// Lines side by side make one message.
    static let framing = TextFraming(prefix: "", separator: "\n", suffix: "")

    private let loop: WebSocketLoop
    private let rules: OperatorRules
    /// Tells whose upgrade it is.
    private let requests: RequestDoor
    private let access: OperatorAccess
    private var open: Set<ConnectionID> = []

    init(loop: WebSocketLoop, rules: OperatorRules, requests: RequestDoor, access: OperatorAccess) {
        self.loop = loop
        self.rules = rules
        self.requests = requests
        self.access = access
    }

    func refusal(of handshake: Handshake) -> HTTPResponse? {
        guard handshake.subprotocol == Self.subprotocol else { return .text(400, "Bad Request\n") }
        let request = OperatorRules.Request(
            address: handshake.address, host: handshake.host, origin: handshake.origin,
            authorization: handshake.authorization, cookie: handshake.cookie, isTLS: handshake.isTLS)
        guard let reason = rules.refusal(of: request, authentication: access.authentication) else { return nil }
        access.figures.refused(reason, showing: handshake.authorization, from: client(of: handshake))
        return .text(403, "forbidden: \(reason.rawValue)\n")
    }

    /// - Parameter handshake: the one that `refusal` has let in.
    func opened(_ connection: ConnectionID, _ handshake: Handshake) {
        open.insert(connection)
        let (loop, name) = (loop, WebSocketName(loop: loop.index, connection: connection))
        let pass = access.authentication.pass(
            authorization: handshake.authorization, cookie: handshake.cookie, from: client(of: handshake))
        if !access.service.post({ $0.opened(name, loop: loop, pass, level: .admin) }) {
            loop.close(connection, code: 1_013, reason: "overloaded")
        }
    }

    /// For the records: the client, or the proxy that does not tell it.
    private func client(of handshake: Handshake) -> PeerAddress { requests.client(of: handshake) ?? handshake.address }

    /// - Returns: false when the connection is not an operator's.
    func received(_ bytes: UnsafeRawBufferPointer, from connection: ConnectionID) -> Bool {
        guard open.contains(connection) else { return false }
        let lines = String(decoding: bytes, as: UTF8.self).pieces(at: "\n").map(String.init)
        let name = WebSocketName(loop: loop.index, connection: connection)
        if !access.service.post({ $0.received(lines, from: name) }) {
            loop.close(connection, code: 1_013, reason: "overloaded")
        }
        return true
    }

    /// - Returns: false when the connection is not an operator's.
    func closed(_ connection: ConnectionID) -> Bool {
        guard open.remove(connection) != nil else { return false }
        let name = WebSocketName(loop: loop.index, connection: connection)
        access.service.post { $0.closed(name) }
        return true
    }
}

/// Who may come in as an operator, over which listener.
struct OperatorRules: Sendable {
    /// Whether operators may come over this listener at all.
    let isOpen: Bool
    /// Whether a proxy in front has taken TLS off.
    let behindProxy: Bool

    /// What matters of an upgrade or a page request.
    struct Request {
        let address: PeerAddress
        let host: String
        let origin: String
        let authorization: String
        let cookie: String
        let isTLS: Bool
    }

    /// Why not; nil = come in.
    func refusal(of request: Request, authentication: OperatorAuthentication) -> OperatorFigures.Reason? {
        guard isOpen else { return .listener }
        let isPrivate = request.isTLS || behindProxy || request.address.isLoopback
        guard isPrivate else { return .plainText }
        // Pages of the server itself only; the list for players' pages is not the operators'.
        let own = OriginRule(allowed: [], behindProxy: behindProxy)
        guard own.allows(request.origin, host: request.host, isTLS: request.isTLS) else { return .origin }
        let isKnown = authentication.admits(authorization: request.authorization, cookie: request.cookie)
        return isKnown ? nil : .credential
    }
}
