internal import CairnConfiguration
package import CairnServer

/// Where this server's listeners are, as something that can be typed on this machine.
package struct ServerAddresses: Sendable, Equatable {
    package let players: ListenerAddress
    /// The same as `players` unless operators have a listener of their own.
    package let operators: ListenerAddress

    /// - Parameters:
    ///   - port: what the players' listener is bound to.
    ///   - own: what the operators' own listener is bound to; nil = there is none.
    init(_ listen: Configuration.Listen, port: Int, own: (address: String, port: Int)?) {
        players = ListenerAddress(listen, port: port)
        operators =
            own.map {
                ListenerAddress(address: $0.address, name: listen.names.first, port: $0.port, isTLS: listen.isTLS)
            } ?? players
    }
}
