package import CairnTime
package import CairnWebSocket

/// HTTP pages and WebSocket paths that a loop serves beside players' sockets. The runtime does not know their purpose.
/// Confined to the loop's thread.
package protocol LoopRoutes: AnyObject {
    func answer(to head: HTTPHead, now: MonotonicTime) -> HTTPAnswer

    /// Whether upgrades to this path are for these routes.
    func serves(_ path: String) -> Bool
    /// Why an upgrade is turned away; nil = it comes in.
    func refusal(of handshake: Handshake) -> HTTPResponse?

    func opened(_ connection: ConnectionID, _ handshake: Handshake)
    /// - Returns: false when the connection is none of these routes'.
    func received(_ bytes: UnsafeRawBufferPointer, from connection: ConnectionID) -> Bool
    /// - Returns: false when the connection is none of these routes'.
    func closed(_ connection: ConnectionID) -> Bool
}
