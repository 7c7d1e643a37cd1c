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
    /// Whether only this machine reaches the listener.
    private let isOnLoopback: Bool
    private let trusted: [NetworkRange]
    private let header: Configuration.Listen.ForwardedHeader

    init(_ listen: Configuration.Listen) {
        behindProxy = listen.behindProxy
        isOnLoopback = listen.isLoopback && !listen.behindProxy
        trusted = listen.trustedProxies.compactMap { NetworkRange($0) }
        header = listen.forwardedHeader
    }

    /// The same for a listener of another address.
    init(_ listen: Configuration.Listen, address: String) {
        var listen = listen
        listen.address = address
        self.init(listen)
    }

    /// Whether the peer is a proxy of ours: its address says nothing of its clients.
    func isProxy(_ peer: PeerAddress) -> Bool {
        behindProxy && trusted.contains { $0.contains(peer) }
    }

    /// - Parameter peer: the other end of the TCP connection.
    func client(of peer: PeerAddress, _ forwarding: Forwarding) -> Client {
        guard isProxy(peer) else {
            // Who comes from this machine has rights of it, the figures at least, whatever the listener's address: any
            // sign of a proxy counts.
            let isHere = isOnLoopback || peer.isLoopback
            return (isHere ? forwarding.isLikely : forwarding.isAny) ? .mistrusted : .known(peer)
        }
        let hops: [PeerAddress?]? =
            switch header {
            case .xForwardedFor: Self.hops(xForwardedFor: forwarding.xForwardedFor)
            case .forwarded: Self.hops(forwarded: forwarding.forwarded)
            }
        // The last entry was written by our proxy; before one of ours only what it wrote can be believed.
        guard let hops else { return .known(peer) }
        var nearest: Client = .untold
        for hop in hops.reversed() {
            guard let hop else { return nearest }
            nearest = .known(hop)
            guard trusted.contains(where: { $0.contains(hop) }) else { break }
        }
        return nearest
    }

    /// Whether a request in plain text may come from this peer: a proxy has taken TLS off and is in a network of its
    /// owner's, or it never leaves the machine. Who goes past the proxy would send passwords and the operators'
    /// credential for all to read (SES-1).
    func allowsPlainText(from peer: PeerAddress) -> Bool {
        !behindProxy || peer.isLoopback || (isProxy(peer) && NetworkRange.isPrivate(high: peer.high, low: peer.low))
    }

    /// A hint for clients that come past the proxy.
    static let plainTextHint =
        "it came in plain text, and not from a proxy that listen.trustedProxies names by a private address; come "
        + "through the proxy, or add its address there"

    /// A hint for refused clients.
    var hint: String {
        behindProxy
            ? "it came through a proxy that listen.trustedProxies does not name; add the proxy's address there"
            : "it came through a proxy (Forwarded, X-Forwarded-..., X-Real-IP, Via or the like is set), and "
                + "listen.behindProxy is false; set it to true if the proxy is yours, and see docs/operations.md"
    }

    // MARK: Reading

    /// Addresses in their order; nil for what is none, such as `unknown`.
    private static func hops(xForwardedFor list: String) -> [PeerAddress?] {
        guard !list.isEmpty else { return [] }
        return list.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { address(in: trimmed($0)) }
    }

    /// The `for` of each element (RFC 7239 4); nil for one that has none, or none that is an address. No list at all
    /// where a quote is not closed: it would hold what the proxy has added behind it. Such a request counts as the
    /// proxy's own, or whoever writes the quote would have no limits by address.
    private static func hops(forwarded list: String) -> [PeerAddress?]? {
        guard !list.isEmpty else { return [] }
        guard let elements = pieces(of: list.utf8[...], at: UInt8(ascii: ",")) else { return nil }
        return elements.map { element in
            for pair in pieces(of: element, at: UInt8(ascii: ";")) ?? [] {
                let halves = trimmed(pair).split(
                    separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                guard halves.count == 2, String(halves[0])?.lowercased() == "for" else { continue }
                return address(in: unquoted(halves[1]))
            }
            return nil
        }
    }

    /// Cuts at a separator, but not within quotes; nil if a quote is not closed.
    private static func pieces(of text: Substring.UTF8View, at separator: UInt8) -> [Substring.UTF8View]? {
        var pieces: [Substring.UTF8View] = []
        var (isQuoted, isEscaped) = (false, false)
        var start = text.startIndex
        for index in text.indices {
            let byte = text[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                pieces.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        return isQuoted ? nil : pieces + [text[start...]]
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var text = text
        while let first = text.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") { text.removeFirst() }
        while let last = text.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { text.removeLast() }
        return text
    }

    /// Without the quotes around it. An address needs no escapes.
    private static func unquoted(_ text: Substring.UTF8View) -> Substring.UTF8View {
        let isQuoted = text.count >= 2 && text.first == UInt8(ascii: "\"") && text.last == UInt8(ascii: "\"")
        return isQuoted ? text.dropFirst().dropLast() : text
    }

    /// `192.0.2.1`, `192.0.2.1:443`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:443`.
    private static func address(in text: Substring.UTF8View) -> PeerAddress? {
        let colon = UInt8(ascii: ":")
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")), isPort(text[end...].dropFirst()) else { return nil }
            return numeric(text[..<end].dropFirst())
        }
        if let end = text.firstIndex(of: colon), !text[end...].dropFirst().contains(colon) {
            return isPort(text[end...]) ? numeric(text[..<end]) : nil
        }
        return numeric(text)
    }

    /// Nothing, or a colon and letters, digits or underscores (RFC 7239 6.2).
    private static func isPort(_ text: Substring.UTF8View) -> Bool {
        text.isEmpty || text.first == UInt8(ascii: ":") && text.count <= 7
    }

    private static func numeric(_ text: Substring.UTF8View) -> PeerAddress? {
        String(text).flatMap { PeerAddress(numeric: $0) }
    }
}
