package import CairnConfiguration
internal import CairnCore
package import CairnTime
package import CairnWebSocket
internal import Synchronization

/// Admits connections: caps in total and per address, rates per address, over all loops (SES-12, pitfalls L13, L20).
package final class Admission: Sendable {
    /// Addresses whose TLS handshakes are remembered. Beyond it those that have their whole budget are forgotten, then
    /// all.
    static let addressesMax = 4_096
    /// Burst of TLS handshakes in seconds of its rate: people behind one address reconnect together.
    fileprivate static let burstSeconds = 5.0
    /// An address floods that tries to connect this many times as often as it may: more than a crowd that was sent away
    /// and comes back as it was told.
    fileprivate static let floodFactor = 4
    /// In the second after, one in this many of its connections is admitted: each costs as much as a hundred rejected
    /// ones.
    fileprivate static let floodShare = 5

    private let state: Mutex<State>

    fileprivate struct State {
        var limits: Configuration.Listen
        var proxy: ProxyRule
        var connections = 0
        var byAddress: [PeerAddress: Int] = [:]
        var second: UInt64 = 0
        /// Tries to connect in this second, those that were turned away included.
        var arrivals: [PeerAddress: Int] = [:]
        /// Addresses that flooded in the second before.
        var floods: Set<PeerAddress> = []
        var tlsHandshakes: [PeerAddress: TokenBucket] = [:]
    }

    package init(_ listen: Configuration.Listen) {
        state = Mutex(State(limits: listen, proxy: ProxyRule(listen)))
    }

    /// Goes by other limits from now on.
    func apply(_ listen: Configuration.Listen) {
        state.withLock { state in
            var listen = listen
            // The bound that fits the process does not change.
            listen.connectionsMax = state.limits.connectionsMax
            if listen.tlsHandshakesPerSecondPerAddress != state.limits.tlsHandshakesPerSecondPerAddress {
                state.tlsHandshakes = [:]
            }
            state.limits = listen
            state.proxy = ProxyRule(listen)
        }
    }

    /// Admits one more TCP connection from `address` and counts it, or returns why not. Called before the TLS
    /// handshake, the most expensive thing that a stranger can cause with one packet. A trusted proxy has no limit of
    /// its own: its clients are limited by `claims`.
    package func rejection(of address: PeerAddress, now: MonotonicTime) -> TransportRejection? {
        state.withLock { state in
            guard state.connections < state.limits.connectionsMax else { return .admission }
            if state.proxy.isProxy(address) {
                state.count(address.network)
            } else {
                guard state.admits(address.network, now: now) else { return .admission }
                guard state.mayShakeHands(address.network, now: now) else {
                    state.uncount(address.network)
                    return .tlsHandshakes
                }
            }
            state.connections += 1
            return nil
        }
    }

    /// Whether hardly any room is left: the last tenth is not for guests who look (SES-14).
    var isNearlyFull: Bool { state.withLock { $0.connections * 10 >= $0.limits.connectionsMax * 9 } }

    /// Admits a WebSocket of a client behind a proxy and counts it for the client's address, or returns false.
    func claims(_ client: PeerAddress, now: MonotonicTime) -> Bool {
        state.withLock { $0.admits(client.network, now: now) }
    }

    /// Releases a connection that `rejection` has admitted.
    package func released(_ address: PeerAddress) {
        state.withLock { state in
            state.connections -= 1
            state.uncount(address.network)
        }
    }

    /// Releases a WebSocket that `claims` has admitted.
    func unclaimed(_ client: PeerAddress) {
        state.withLock { $0.uncount(client.network) }
    }
}

extension Admission.State {
    /// Counts a TLS handshake, where the listener speaks TLS.
    fileprivate mutating func mayShakeHands(_ address: PeerAddress, now: MonotonicTime) -> Bool {
        let rate = Double(limits.tlsHandshakesPerSecondPerAddress)
        guard limits.isTLS, rate > 0 else { return true }
        if tlsHandshakes[address] == nil {
            if tlsHandshakes.count >= Admission.addressesMax {
                tlsHandshakes = tlsHandshakes.filter { !$0.value.isFull(now: now) }
                if tlsHandshakes.count >= Admission.addressesMax { tlsHandshakes = [:] }
            }
            tlsHandshakes[address] = TokenBucket(rate: rate, burst: rate * Admission.burstSeconds, now: now)
        }
        return tlsHandshakes[address]?.take(now: now) == nil
    }

    fileprivate mutating func admits(_ address: PeerAddress, now: MonotonicTime) -> Bool {
        let (perAddressMax, perSecondMax) = (limits.connectionsPerAddress, limits.handshakesPerSecondPerAddress)
        if perAddressMax > 0 && byAddress[address, default: 0] >= perAddressMax { return false }
        if perSecondMax > 0 {
            let flood = Admission.floodFactor * perSecondMax
            let number = now.microseconds / 1_000_000
            if second != number { beginSecond(number, floodFrom: flood) }
            let tries = arrivals[address, default: 0] + 1
            arrivals[address] = tries
            let most = floods.contains(address) ? max(1, perSecondMax / Admission.floodShare) : perSecondMax
            guard tries <= most else { return false }
        }
        count(address)
        return true
    }

    private mutating func beginSecond(_ number: UInt64, floodFrom: Int) {
        floods.removeAll(keepingCapacity: true)
        // Of a second that is long past nothing follows.
        if number == second + 1 { for (address, tries) in arrivals where tries >= floodFrom { floods.insert(address) } }
        arrivals.removeAll(keepingCapacity: true)
        second = number
    }

    fileprivate mutating func count(_ address: PeerAddress) { byAddress[address, default: 0] += 1 }

    fileprivate mutating func uncount(_ address: PeerAddress) {
        guard let count = byAddress[address] else { return }
        byAddress[address] = count > 1 ? count - 1 : nil
    }
}

/// Admission of connections, of requests, the shared rate limits of messages, and the quotas of network addresses.
package struct Doors: Sendable {
    let admission: Admission
    package let requests: RequestDoor
    let paces = Paces()
    let quotas = AddressQuotas()

    init(_ configuration: Configuration) {
        admission = Admission(configuration.listen)
        requests = RequestDoor(configuration)
    }

    /// Goes by other limits from now on.
    package func apply(_ configuration: Configuration) {
        admission.apply(configuration.listen)
        requests.apply(configuration)
        paces.forget()
    }
}
