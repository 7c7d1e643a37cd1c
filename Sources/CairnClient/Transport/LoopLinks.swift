internal import CairnTime
internal import CairnWebSocket
internal import CairnWire
internal import DequeModule

/// All connections of a transport, on the loop's side.
final class LoopLinks: LoopHandler, @unchecked Sendable {
    // @unchecked: everything but `loop` is touched on the loop's thread only, checked by `preconditionOnLoop()`; others
    // hold it to post work there.
    private struct Link {
        let receive: @Sendable (TransportEvent) -> Void
        /// Nil while it is being opened.
        var id: ConnectionID?
        /// One message leaves per turn of the loop: what waits on a loop's connection leaves as one message, which is
        /// right for a server's items and wrong for a client's messages.
        var waiting: Deque<[UInt8]> = []
        /// `close` or `abort` was called before the connection was open.
        var isGivenUp = false
    }

    let loop: WebSocketLoop
    private let allowsSelfSigned: Bool
    private var links: [UInt64: Link] = [:]
    private var tags: [ConnectionID: UInt64] = [:]
    /// Links that have something to send.
    private var busy: Set<UInt64> = []

    /// Before the loop is started.
    init(loop: WebSocketLoop, allowsSelfSigned: Bool) {
        self.loop = loop
        self.allowsSelfSigned = allowsSelfSigned
    }

    // MARK: Calls

    func connect(
        _ url: ServerURL, format: WireFormat, tag: UInt64, receive: @escaping @Sendable (TransportEvent) -> Void
    ) {
        loop.preconditionOnLoop()
        links[tag] = Link(receive: receive)
        loop.connect(
            host: url.host, port: url.port, path: url.path, subprotocol: format.subprotocol, tls: url.isSecure,
            allowsSelfSigned: allowsSelfSigned, tag: tag)
    }

    func send(_ message: [UInt8], tag: UInt64) {
        loop.preconditionOnLoop()
        guard links[tag]?.id != nil else { return }
        links[tag]?.waiting.append(message)
        busy.insert(tag)
    }

    func close(tag: UInt64, code: UInt16) {
        loop.preconditionOnLoop()
        guard let link = links[tag] else { return }
        guard let id = link.id else {
            links[tag]?.isGivenUp = true
            return
        }
        loop.close(id, code: code, reason: "")
    }

    func abort(tag: UInt64) {
        loop.preconditionOnLoop()
        guard let link = links[tag] else { return }
        guard let id = link.id else {
            links[tag]?.isGivenUp = true
            return
        }
        loop.abort(id)
    }

    // MARK: LoopHandler

    func opened(_ connection: ConnectionID, handshake: Handshake, tag: UInt64) {
        guard let link = links[tag], !link.isGivenUp else { return loop.abort(connection) }
        links[tag]?.id = connection
        tags[connection] = tag
        link.receive(.opened)
    }

    func received(_ bytes: UnsafeRawBufferPointer, isText: Bool, from connection: ConnectionID) {
        guard let tag = tags[connection], let link = links[tag] else { return }
        link.receive(.received([UInt8](bytes)))
    }

    func closed(_ connection: ConnectionID, code: UInt16) {
        guard let tag = tags.removeValue(forKey: connection), let link = links.removeValue(forKey: tag) else { return }
        busy.remove(tag)
        link.receive(.closed(code: code, reason: code == Closure.silent.code ? Closure.silent.name : ""))
    }

    func connectFailed(tag: UInt64, reason: String) {
        guard let link = links.removeValue(forKey: tag) else { return }
        link.receive(.closed(code: 1006, reason: reason))
    }

    func turnEnded() {
        guard !busy.isEmpty else { return }
        for tag in busy {
            guard let id = links[tag]?.id, let message = links[tag]?.waiting.popFirst() else {
                busy.remove(tag)
                continue
            }
            loop.send(message, to: id)
            if links[tag]?.waiting.isEmpty ?? true { busy.remove(tag) }
        }
        // The rest leaves with the next turn.
        if !busy.isEmpty { loop.requestTick(at: loop.now) }
    }

    // Callbacks for servers only.
    func rejection(of address: PeerAddress) -> TransportRejection? { .admission }
    func released(_ address: PeerAddress, _ connection: ConnectionID) {}
    func refusal(of handshake: Handshake) -> HTTPResponse? { HTTPResponse(status: 404, body: []) }
    func answer(to head: HTTPHead) -> HTTPAnswer { .now(HTTPResponse(status: 404, body: [])) }
    func caughtUp(_ connection: ConnectionID, stale: [FanOutKey], missed: [FanOutKey]) {}
    func ticked(now: MonotonicTime) {}
    func swept(now: MonotonicTime) {}
    func logged(_ line: String, level: Int) {}
}
