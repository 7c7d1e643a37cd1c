/// How connections and requests come in.
extension Configuration {
    /// Where and how connections come in (SES-1).
    public struct Listen: Sendable, Equatable {
        /// IPv4 or IPv6 address to listen on.
        public var address = "127.0.0.1"
        /// TCP port; 0 takes a free one.
        public var port = 8080
        /// Network loops, each with its own thread and listening socket; 0 = one per core.
        public var loops = 0
        /// Whether a proxy in front terminates TLS.
        public var behindProxy = false
        /// Proxies whose word about their clients is taken, behind a proxy: addresses and networks.
        public var trustedProxies = ["127.0.0.0/8", "::1"]
        /// The header in which they name the client.
        public var forwardedHeader = ForwardedHeader.xForwardedFor
        /// Names by which requests may call the server, beside its addresses.
        public var names: [String] = []
        /// Origins of pages that may connect, beside the server's own.
        public var originsAllowed: [String] = []
        /// Open connections in all.
        public var connectionsMax = 12_000
        /// Open connections from one address; 0 = no limit.
        public var connectionsPerAddress = 0
        /// New connections a second from one address; 0 = no limit.
        public var handshakesPerSecondPerAddress = 0
        /// Sign-ins of one account in a minute; 0 = no limit.
        public var signInsPerMinutePerAccount = 0
        /// TLS handshakes a second with one address, where the listener speaks TLS; 0 = no limit.
        public var tlsHandshakesPerSecondPerAddress = 0
        /// Connections that the kernel holds for each loop until they are accepted.
        public var backlog = 1_024
        /// Longest time that a busy loop lets its input wait, so that one wake-up reads more of it; 0 = never.
        public var gatherMilliseconds = 5
        /// PEM file with the server's certificate and its chain; nil = plain text.
        public var tlsCertificate: String?
        /// PEM file with the certificate's private key.
        public var tlsKey: String?

        /// The shipped defaults.
        public init() {}

        /// Where a proxy says for whom it asks.
        public enum ForwardedHeader: String, Sendable, CaseIterable {
            case xForwardedFor = "X-Forwarded-For"
            /// RFC 7239.
            case forwarded = "Forwarded"
        }

        /// Whether the listener speaks TLS itself.
        public var isTLS: Bool { tlsCertificate != nil }
        /// Whether only this machine can reach the listener.
        public var isLoopback: Bool { NetworkAddress.isLoopback(address) }
    }

    /// What plain HTTP may cost: pages, health and figures (SES-12).
    public struct Pages: Sendable, Equatable {
        /// Requests a second from one address.
        public var requestsPerSecondPerAddress = 50
        /// Bytes of answers a second to one address.
        public var bytesPerSecondPerAddress = 2_000_000
        /// Requests a second in all; the health pages are answered beyond it.
        public var requestsPerSecond = 500
        /// Bytes of answers a second in all.
        public var bytesPerSecond = 20_000_000

        /// The shipped defaults.
        public init() {}
    }

    /// How fast people see new ground.
    public struct Travel: Sendable, Equatable {
        /// Faster than this is a jump, in metres a second; 0 = nothing is.
        public var speedMetresPerSecond = 100
        /// New cells a second that come into view of one account.
        public var cellsPerSecond = 20
        /// New cells at once.
        public var cellsBurst = 200

        /// The shipped defaults.
        public init() {}
    }
}
