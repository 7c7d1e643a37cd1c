internal import CairnWebSocket
public import CairnWire
internal import DequeModule
internal import Synchronization

/// WebSockets over Cairn's own loop: one thread for all clients of the process.
///
/// A host given by name is looked up on that thread (pitfalls: libwebsockets' asynchronous DNS is not built), so one
/// slow name server delays the other clients of the process.
public final class WebSocketTransport: ClientTransport {
    /// Made and started with its first use; it lives as long as the process.
    public static let shared = WebSocketTransport()

    private let links: LoopLinks?
    private let nextTag = Atomic<UInt64>(1)

    /// Longest message that is taken from a server: it sends about 64 KiB at once, and a snapshot's page more.
    private static let messageBytesMax = 4 << 20

    /// A server that has said nothing for 20 s is pinged, and given up when it says nothing for 15 s more: a phone that
    /// slept, or whose network has changed, hears nothing of the end of its connection (SES-4).
    static let watchful: LoopOptions = {
        var options = LoopOptions()
        (options.pingSeconds, options.silenceSeconds) = (20, 35)
        options.silentCloseCode = Closure.silent.code
        return options
    }()

    /// - Parameter allowsSelfSigned: for tests against a server of one's own.
    public init(allowsSelfSigned: Bool = false) {
        var options = Self.watchful
        options.subprotocols = WireFormat.allCases.map(\.subprotocol)
        options.messageBytesMax = Self.messageBytesMax
        options.receiveBufferBytes = 16_384
        options.connectionsMax = 10_000
        guard let loop = try? WebSocketLoop(index: 0, options: options) else {
            links = nil
            return
        }
        let links = LoopLinks(loop: loop, allowsSelfSigned: allowsSelfSigned)
        loop.start { links }
        self.links = links
    }

    public func connect(
        to url: ServerURL, format: WireFormat, receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any ClientConnection {
        let tag = nextTag.wrappingAdd(1, ordering: .relaxed).oldValue
        guard let links else {
            receive(.closed(code: 1006, reason: "the transport could not be set up"))
            return LoopConnection(links: nil, tag: tag)
        }
        links.loop.post { links.connect(url, format: format, tag: tag, receive: receive) }
        return LoopConnection(links: links, tag: tag)
    }
}

/// A connection as its user holds it: everything is handed to the loop's thread.
private struct LoopConnection: ClientConnection {
    let links: LoopLinks?
    let tag: UInt64

    func send(_ message: [UInt8]) {
        links?.loop.post { [links, tag] in links?.send(message, tag: tag) }
    }

    func close(code: UInt16) {
        links?.loop.post { [links, tag] in links?.close(tag: tag, code: code) }
    }

    func abort() {
        links?.loop.post { [links, tag] in links?.abort(tag: tag) }
    }
}
