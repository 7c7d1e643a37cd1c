import Glibc

/// One bot's connection. Confined to the loop's thread.
struct BotSocket {
    enum Phase {
        case closed
        case connecting
        /// The upgrade request is sent.
        case upgrading
        case open
    }

    var phase = Phase.closed
    var descriptor: Int32 = -1
    /// The start of something whose rest has not come.
    var unread: [UInt8] = []
    /// What the kernel did not take.
    var unsent: [UInt8] = []
    /// A message in fragments.
    var fragments: [UInt8] = []
    var isPaused = false
    /// From the peer's close frame.
    var closeCode: UInt16 = 1006
}

/// Where the bots connect to.
struct Endpoint: Sendable {
    let address: String
    let port: UInt16
    let path: String

    /// Reads `ws://ADDRESS:PORT/PATH` with a numeric IPv4 address or `localhost`; nil for anything else.
    init?(url: String) {
        guard url.hasPrefix("ws://") else { return nil }
        let rest = url.dropFirst(5)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let authority = rest[..<slash].split(separator: ":")
        guard authority.count == 2, let port = UInt16(authority[1]) else { return nil }
        address = authority[0] == "localhost" ? "127.0.0.1" : String(authority[0])
        self.port = port
        path = slash == rest.endIndex ? "/v1" : String(rest[slash...])
        var binary = in_addr()
        guard inet_pton(AF_INET, address, &binary) == 1 else { return nil }
    }

    var url: String { "ws://\(address):\(port)\(path)" }
}
