internal import CairnText

/// Settings for incoming connections and requests.
extension Configuration {
    /// Listener for incoming connections (SES-1).
    public struct Listen: Sendable, Equatable {
        /// IPv4 or IPv6 address to listen on.
        public var address = "127.0.0.1"
        /// TCP port; 0 takes a free one.
        public var port = 8080
        /// Network loops, each with its own thread and listening socket; 0 = one per core.
        public var loops = 0
        /// Whether a proxy in front terminates TLS.
        public var behindProxy = false
        /// Proxies that are trusted to name their clients: addresses and networks. Used only behind a proxy.
        public var trustedProxies = ["127.0.0.0/8", "::1"]
        /// The header in which these proxies name the client.
        public var forwardedHeader = ForwardedHeader.xForwardedFor
        /// Host names that requests may use for the server, beside its addresses.
        public var names: [String] = []
        /// Origins of pages that may connect, beside the server's own.
        public var originsAllowed: [String] = []
        /// Most open connections in total.
        public var connectionsMax = 12_000
        /// Most open connections from one address; 0 = no limit.
        public var connectionsPerAddress = 0
        /// Most new connections a second from one address; 0 = no limit.
        public var handshakesPerSecondPerAddress = 0
        /// Most sign-ins of one account in a minute; 0 = no limit.
        public var signInsPerMinutePerAccount = 0
        /// Most TLS handshakes a second with one address, if the listener speaks TLS; 0 = no limit.
        public var tlsHandshakesPerSecondPerAddress = 0
        /// Most connections that the kernel queues for each loop until they are accepted.
        public var backlog = 1_024
        /// Longest time that a busy loop leaves its input unread, so that one wake-up reads more of it; 0 = input never
        /// waits.
        public var gatherMilliseconds = 20
        /// PEM file with the server's certificate and its chain; nil = plain text.
        public var tlsCertificate: String?
        /// PEM file with the certificate's private key.
        public var tlsKey: String?

        /// The shipped defaults.
        public init() {}

        /// The header in which a proxy names its client.
        public enum ForwardedHeader: String, Sendable, CaseIterable {
            case xForwardedFor = "X-Forwarded-For"
            /// RFC 7239.
            case forwarded = "Forwarded"
        }

        /// Whether the listener speaks TLS itself.
        public var isTLS: Bool { tlsCertificate != nil }
        /// Whether only this machine can reach the listener.
        public var isLoopback: Bool { NetworkAddress.isLoopback(address) }
        /// Whether a proxy on another machine is named, by a private address: it may bring what came over TLS in plain
        /// text (SES-1).
        var hasProxyElsewhere: Bool {
            behindProxy
                && trustedProxies.contains { proxy in
                    let address = NetworkAddress.halves(of: String(proxy.pieces(at: "/").first ?? ""))
                    return address.map { NetworkRange.isPrivate(high: $0.high, low: $0.low) } ?? false
                }
        }
    }

    /// Budget of plain HTTP: pages, health checks and figures (SES-12).
    public struct Pages: Sendable, Equatable {
        /// Requests a second from one address. `/play` is some 120 files, and many a group opens it from one address.
        public var requestsPerSecondPerAddress = 500
        /// Bytes of answers a second to one address.
        public var bytesPerSecondPerAddress = 2_000_000
        /// Requests a second in total. Health checks are answered beyond it.
        public var requestsPerSecond = 2_000
        /// Bytes of answers a second in total.
        public var bytesPerSecond = 20_000_000

        /// The shipped defaults.
        public init() {}
    }

    /// How fast users may bring new cells into view.
    public struct Travel: Sendable, Equatable {
        /// Speed above which a movement is a jump, in metres a second; 0 = no movement is a jump.
        public var speedMetresPerSecond = 100
        /// Most new cells a second that come into view of one account, on average.
        public var cellsPerSecond = 20
        /// Most new cells that come into view at once.
        public var cellsBurst = 200

        /// The shipped defaults.
        public init() {}
    }
}
