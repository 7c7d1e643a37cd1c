internal import CairnServer
internal import CairnTime
package import CairnWebSocket

/// Pages and the operators' socket, as a loop serves them.
final class OperatorRoutes: LoopRoutes {
    private let pages: HTTPPages
    private let door: StatsDoor

    init(loop: WebSocketLoop, pages: HTTPPages, access: OperatorAccess) {
        self.pages = pages
        door = StatsDoor(loop: loop, rules: pages.rules, requests: pages.door, access: access)
    }

    func answer(to head: HTTPHead, now: MonotonicTime) -> HTTPAnswer { pages.answer(to: head, now: now) }
    func serves(_ path: String) -> Bool { path == StatsDoor.path }
    func refusal(of handshake: Handshake) -> HTTPResponse? { door.refusal(of: handshake) }

    func opened(_ connection: ConnectionID, _ handshake: Handshake) { door.opened(connection, handshake) }

    func received(_ bytes: UnsafeRawBufferPointer, from connection: ConnectionID) -> Bool {
        door.received(bytes, from: connection)
    }

    func closed(_ connection: ConnectionID) -> Bool { door.closed(connection) }
}

extension LoopOptions {
    /// Lets operators in beside players.
    package mutating func admitOperators() {
        subprotocols.append(StatsDoor.subprotocol)
        textFramings[StatsDoor.subprotocol] = StatsDoor.framing
    }
}
