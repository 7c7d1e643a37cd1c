internal import CairnConfiguration
internal import CairnWebSocket

/// Whose request it is when proxies may stand between: the address that a trusted proxy names, else the peer's own
/// (RFC 7239; pitfalls B17).
struct ProxyRule: Sendable {
    /// Whose request it is, as far as it can be known.
    enum Client: Sendable, Equatable {
        case known(PeerAddress)
        /// A trusted proxy does not say for whom it asks.
        case untold
        /// It was forwarded by an address that is no proxy in the settings.
        case mistrusted
    }

    private let behindProxy: Bool
    private let trusted: [NetworkRange]
    private let header: Configuration.Listen.ForwardedHeader

    init(_ listen: Configuration.Listen) {
        behindProxy = listen.behindProxy
        trusted = listen.trustedProxies.compactMap { NetworkRange($0) }
        header = listen.forwardedHeader
    }

    /// Whether the peer is a proxy of ours: its address says nothing of its clients.
    func isProxy(_ peer: PeerAddress) -> Bool {
        behindProxy && trusted.contains { $0.contains(peer) }
    }

    /// - Parameter peer: the other end of the TCP connection.
    func client(of peer: PeerAddress, _ forwarding: Forwarding) -> Client {
        guard isProxy(peer) else { return forwarding.isAny ? .mistrusted : .known(peer) }
        let hops =
            switch header {
            case .xForwardedFor: Self.hops(xForwardedFor: forwarding.xForwardedFor)
            case .forwarded: Self.hops(forwarded: forwarding.forwarded)
            }
        // The last entry was written by our proxy; before one of ours only what it wrote can be believed.
        var nearest: Client = .untold
        for hop in hops.reversed() {
            guard let hop else { return nearest }
            nearest = .known(hop)
            guard trusted.contains(where: { $0.contains(hop) }) else { break }
        }
        return nearest
    }

    /// A hint for refused clients.
    var hint: String {
        behindProxy
            ? "it came through a proxy that listen.trustedProxies does not name; add the proxy's address there"
            : "it came through a proxy (Forwarded or X-Forwarded-... is set), and listen.behindProxy is false; set it "
                + "to true if the proxy is yours, and see docs/operations.md"
    }

    // MARK: Reading

    /// Addresses in their order; nil for what is none, such as `unknown`.
    private static func hops(xForwardedFor list: String) -> [PeerAddress?] {
        guard !list.isEmpty else { return [] }
        return list.split(separator: ",", omittingEmptySubsequences: false).map { address(in: trimmed($0)) }
    }

    /// The `for` of each element (RFC 7239 4); nil for one that has none, or none that is an address.
    private static func hops(forwarded list: String) -> [PeerAddress?] {
        guard !list.isEmpty else { return [] }
        return pieces(of: list[...], at: ",").map { element in
            for pair in pieces(of: element, at: ";") {
                let halves = trimmed(pair).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard halves.count == 2, halves[0].lowercased() == "for" else { continue }
                return address(in: halves[1].filter { $0 != "\"" })
            }
            return nil
        }
    }

    /// Cuts at a separator, but not within quotes.
    private static func pieces(of text: Substring, at separator: Character) -> [Substring] {
        var pieces: [Substring] = []
        var isQuoted = false
        var start = text.startIndex
        for index in text.indices {
            if text[index] == "\"" { isQuoted.toggle() }
            guard text[index] == separator, !isQuoted else { continue }
            pieces.append(text[start..<index])
            start = text.index(after: index)
        }
        return pieces + [text[start...]]
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    /// `192.0.2.1`, `192.0.2.1:443`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:443`.
    private static func address(in text: some StringProtocol) -> PeerAddress? {
        let text = String(text)
        if text.first == "[" {
            return text.firstIndex(of: "]").flatMap { PeerAddress(numeric: String(text[..<$0].dropFirst())) }
        }
        if text.count(where: { $0 == ":" }) == 1 {
            return PeerAddress(numeric: String(text.prefix { $0 != ":" }))
        }
        return PeerAddress(numeric: text)
    }
}
