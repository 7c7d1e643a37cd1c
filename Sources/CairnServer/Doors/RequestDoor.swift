package import CairnConfiguration
package import CairnTime
package import CairnWebSocket
package import Logging
internal import Synchronization

/// The first check of every HTTP request, upgrades included: its host is this server, it came directly or through a
/// known proxy as the settings say, and its address is within its budget. Usable from all loops.
package final class RequestDoor: Sendable {
    /// Why a request was turned away; a label of `cairn_door_refusals_total`.
    package enum Reason: String, CaseIterable, Sendable {
        /// It calls the server by a name that is not its own.
        case host
        /// It came through a proxy that the settings do not know.
        case proxy
        /// Its address, or all together, have had their share of HTTP.
        case budget
        /// Its address, as a proxy tells it, has too many connections or opens them too fast.
        case address
        /// A page of another address asks for a socket.
        case origin
    }

    /// The verdict on a request.
    package enum Verdict {
        /// Come in. The address is whose request it is; nil = a proxy does not say.
        case enter(PeerAddress?)
        case refused(Reason, HTTPResponse)
    }

    package let budget: HTTPBudget
    private let rules: Mutex<Rules>
    private let counts = Mutex<[Reason: UInt64]>([:])
    private let told = Mutex<[Reason: MonotonicTime]>([:])

    /// Each reason is logged once in this time, so that a flood of bad requests is one line.
    private static let linePause: Duration = .seconds(10)

    private struct Rules {
        var host: HostRule
        var proxy: ProxyRule
    }

    /// The players' door.
    init(_ configuration: Configuration) {
        budget = HTTPBudget(configuration.pages)
        let listen = configuration.listen
        rules = Mutex(Rules(host: HostRule(listen), proxy: ProxyRule(listen)))
    }

    /// The door of a listener at another address.
    package init(_ configuration: Configuration, address: String) {
        budget = HTTPBudget(configuration.pages)
        let listen = configuration.listen
        rules = Mutex(Rules(host: HostRule(listen, address: address), proxy: ProxyRule(listen, address: address)))
    }

    /// Goes by other settings from now on; the players' door alone has any that are live.
    func apply(_ configuration: Configuration) {
        budget.apply(configuration.pages)
        let listen = configuration.listen
        rules.withLock { $0 = Rules(host: HostRule(listen), proxy: ProxyRule(listen)) }
    }

    /// How often requests were turned away.
    package var refusals: [String: UInt64] {
        counts.withLock { counts in
            Dictionary(uniqueKeysWithValues: Reason.allCases.map { ($0.rawValue, counts[$0] ?? 0) })
        }
    }

    // MARK: Judging

    /// An upgrade, which a connection makes once: the rate of connections bounds it.
    package func judge(_ handshake: Handshake) -> Verdict {
        judge(
            peer: handshake.address, host: handshake.host, handshake.forwarding, mayBePlain: handshake.isTLS)
    }

    /// Figures, which scrapers of the operators' own network read.
    private static let figuresPath = "/metrics"

    /// A page, of which a connection may ask for many.
    ///
    /// - Parameter isVital: is answered whatever all others cost.
    package func judge(_ head: HTTPHead, isVital: Bool, now: MonotonicTime) -> Verdict {
        // Health is no secret, and who asks for it is seldom a proxy. Figures have a credential of their own.
        let verdict = judge(
            peer: head.address, host: head.host, head.forwarding,
            mayBePlain: head.isTLS || isVital || head.path == Self.figuresPath)
        guard case .enter(let client) = verdict else { return verdict }
        guard let wait = budget.take(of: client, isVital: isVital, now: now) else { return verdict }
        let seconds = max(1, (wait.microseconds + 999_999) / 1_000_000)
        return refused(
            .budget, 429, "this address, or all together, have asked for too much; try again in \(seconds) s",
            headers: ["Retry-After: \(seconds)"])
    }

    /// - Parameter mayBePlain: it came over TLS, or whoever reads along learns nothing.
    private func judge(peer: PeerAddress, host: String, _ forwarding: Forwarding, mayBePlain: Bool) -> Verdict {
        let rules = rules.withLock { $0 }
        let client = rules.proxy.client(of: peer, forwarding)
        if client == .mistrusted { return refused(.proxy, 403, rules.proxy.hint) }
        guard mayBePlain || rules.proxy.allowsPlainText(from: peer) else {
            return refused(.proxy, 403, ProxyRule.plainTextHint)
        }
        guard !host.isEmpty else { return refused(.host, 400, "a request names its host") }
        guard rules.host.allows(host) else { return refused(.host, 421, rules.host.hint) }
        if case .known(let address) = client { return .enter(address) }
        return .enter(nil)
    }

    /// Whose upgrade it is: the client that a known proxy names, else the peer; nil = a proxy does not say.
    package func client(of handshake: Handshake) -> PeerAddress? {
        let proxy = rules.withLock { $0.proxy }
        guard case .known(let address) = proxy.client(of: handshake.address, handshake.forwarding) else { return nil }
        return address
    }

    /// Whether a peer's address says nothing of its clients.
    func isProxy(_ peer: PeerAddress) -> Bool { rules.withLock { $0.proxy.isProxy(peer) } }

    /// A refusal that the door counts.
    func refused(_ reason: Reason, _ status: Int, _ why: String, headers: [String] = []) -> Verdict {
        counts.withLock { $0[reason, default: 0] += 1 }
        let response = HTTPResponse(
            status: status, headers: ["Cache-Control: no-store"] + headers, body: Array((why + "\n").utf8))
        return .refused(reason, response)
    }

    /// Says in the log, now and then, what is turned away and what to set.
    package func log(
        _ reason: Reason, _ response: HTTPResponse, host: String, origin: String = "", to logger: Logger,
        now: MonotonicTime
    ) {
        let isDue = told.withLock { told in
            guard told[reason].map({ now - $0 >= Self.linePause }) ?? true else { return false }
            told[reason] = now
            return true
        }
        guard isDue else { return }
        // Host and origin are the stranger's words: no more than a name's length of them.
        var metadata: Logger.Metadata = ["reason": "\(reason.rawValue)", "host": "\(host.prefix(253))"]
        if !origin.isEmpty { metadata["origin"] = "\(origin.prefix(253))" }
        logger.warning(
            "a request was turned away: \(String(decoding: (response.shortBody ?? []).dropLast(), as: UTF8.self))",
            metadata: metadata)
    }
}
