package import CairnConfiguration
internal import CairnCredentials

/// One listener as the authority of a URL.
package struct ListenerAddress: Sendable, Equatable {
    /// `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`.
    let authority: String
    package let isTLS: Bool

    /// - Parameters:
    ///   - address: what it is bound to.
    ///   - name: shown in place of an address that stands for all of the machine's, which no browser can go to; nil =
    ///     `localhost`.
    package init(address: String, name: String?, port: Int, isTLS: Bool) {
        let isWildcard = NetworkAddress.isWildcard(address)
        let host = isWildcard ? name ?? "localhost" : address.contains(":") ? "[\(address)]" : address
        authority = "\(host):\(port)"
        self.isTLS = isTLS
    }

    /// For pages.
    package var http: String { "\(isTLS ? "https" : "http")://\(authority)" }
    /// A page's address as a QR code for a terminal; empty when it is too long for one.
    package func halfBlocks(path: String) -> [String] { QRPicture(of: http + path)?.halfBlocks ?? [] }
    /// For the socket.
    package var webSocket: String { "\(isTLS ? "wss" : "ws")://\(authority)" }
}

extension ListenerAddress {
    /// Of the players' listener.
    /// - Parameter port: what it is bound to.
    package init(_ listen: Configuration.Listen, port: Int) {
        self.init(address: listen.address, name: listen.names.first, port: port, isTLS: listen.isTLS)
    }
}
