internal import CairnConfiguration

/// Where this server's listeners are, as something that can be typed on this machine.
package struct ServerAddresses: Sendable, Equatable {
    package let players: ListenerAddress
    /// The same as `players` unless operators have a listener of their own.
    package let operators: ListenerAddress

    /// - Parameters:
    ///   - port: what the players' listener is bound to.
    ///   - own: what the operators' own listener is bound to; nil = there is none.
    init(_ listen: Configuration.Listen, port: Int, own: (address: String, port: Int)?) {
        func address(_ address: String, _ port: Int) -> ListenerAddress {
            ListenerAddress(address: address, name: listen.names.first, port: port, isTLS: listen.isTLS)
        }
        players = address(listen.address, port)
        operators = own.map { address($0.address, $0.port) } ?? players
    }
}

/// One listener as the authority of a URL.
package struct ListenerAddress: Sendable, Equatable {
    /// `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`.
    let authority: String
    let isTLS: Bool

    /// - Parameters:
    ///   - address: what it is bound to.
    ///   - name: shown in place of an address that stands for all of the machine's, which no browser can go to; nil =
    ///     `localhost`.
    init(address: String, name: String?, port: Int, isTLS: Bool) {
        let isWildcard = NetworkAddress.isWildcard(address)
        let host = isWildcard ? name ?? "localhost" : address.contains(":") ? "[\(address)]" : address
        authority = "\(host):\(port)"
        self.isTLS = isTLS
    }

    /// For pages.
    package var http: String { "\(isTLS ? "https" : "http")://\(authority)" }
    /// For the socket.
    package var webSocket: String { "\(isTLS ? "wss" : "ws")://\(authority)" }
}
