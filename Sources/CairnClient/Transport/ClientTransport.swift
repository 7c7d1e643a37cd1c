public import CairnWire
internal import Foundation

/// Where a server is.
public struct ServerURL: Hashable, Sendable, CustomStringConvertible {
    public let isSecure: Bool
    public let host: String
    public let port: Int
    /// With a leading slash.
    public let path: String

    /// Reads `ws://HOST[:PORT][/PATH]` or `wss://...`; the path is `/v1` unless said. Nil for anything else.
    public init?(_ text: String) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "ws" || scheme == "wss", let host = parts.host, !host.isEmpty, parts.fragment == nil
        else { return nil }
        isSecure = scheme == "wss"
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? (isSecure ? 443 : 80)
        guard (1...65_535).contains(port) else { return nil }
        let query = parts.percentEncodedQuery.map { "?" + $0 } ?? ""
        path =
            (parts.percentEncodedPath.isEmpty || parts.percentEncodedPath == "/" ? "/v1" : parts.percentEncodedPath)
            + query
    }

    public var description: String {
        "\(isSecure ? "wss" : "ws")://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)"
    }
}

/// The events of a connection, in order.
public enum TransportEvent: Sendable {
    case opened
    /// One whole message.
    case received([UInt8])
    /// The connection has ended or could not be opened (then without `opened`): the WebSocket close code, 1006 when
    /// there was none, and what is known of the cause. The last event.
    case closed(code: UInt16, reason: String)
}

/// Opens WebSockets. On Linux `WebSocketTransport`; an app on another platform brings its own, a test scripts one.
public protocol ClientTransport: Sendable {
    /// Opens a connection that speaks the format's subprotocol. The transport notices a dead link: it pings a server
    /// that has said nothing for some 20 s, and reports `closed` when nothing comes within as much again.
    /// - Parameter receive: gets its events, one after the other, on a thread of the transport's; must not block.
    func connect(
        to url: ServerURL, format: WireFormat, receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any ClientConnection
}

/// One connection of a transport. Calls may come from any thread and do nothing once it has closed.
public protocol ClientConnection: Sendable {
    /// Sends one message in one frame: binary for `.proto`, text for `.json`.
    func send(_ message: [UInt8])
    /// Says goodbye; `closed` follows.
    func close(code: UInt16)
    /// Drops the connection without a word; `closed` follows.
    func abort()
}
