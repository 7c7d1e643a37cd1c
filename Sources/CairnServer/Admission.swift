internal import CairnWebSocket
internal import Synchronization

/// Who may connect: caps in all and per address, and a rate per address, over all loops (SES-12, pitfalls L13, L20).
final class Admission: Sendable {
    private let state: Mutex<State>

    private struct State {
        var limits: Configuration.Listen
        var connections = 0
        var byAddress: [PeerAddress: Int] = [:]
        var second: UInt64 = 0
        var arrivals: [PeerAddress: Int] = [:]
    }

    init(_ listen: Configuration.Listen) {
        state = Mutex(State(limits: listen))
    }

    /// Goes by other limits from now on.
    func adopt(_ listen: Configuration.Listen) {
        state.withLock { state in
            var listen = listen
            // What fits the process does not change.
            listen.connectionsMax = state.limits.connectionsMax
            state.limits = listen
        }
    }

    /// Whether one more TCP connection from `address` may come in; a yes counts it. `now`: monotonic microseconds.
    func admits(_ address: PeerAddress, now: UInt64) -> Bool {
        let address = address.network
        return state.withLock { state in
            let (perAddressMax, perSecondMax) = (
                state.limits.connectionsPerAddress, state.limits.handshakesPerSecondPerAddress
            )
            guard state.connections < state.limits.connectionsMax else { return false }
            if perAddressMax > 0 && state.byAddress[address, default: 0] >= perAddressMax { return false }
            if perSecondMax > 0 {
                if state.second != now / 1_000_000 {
                    state.second = now / 1_000_000
                    state.arrivals.removeAll(keepingCapacity: true)
                }
                guard state.arrivals[address, default: 0] < perSecondMax else { return false }
                state.arrivals[address, default: 0] += 1
            }
            state.connections += 1
            state.byAddress[address, default: 0] += 1
            return true
        }
    }

    func released(_ address: PeerAddress) {
        let address = address.network
        state.withLock { state in
            state.connections -= 1
            guard let count = state.byAddress[address] else { return }
            state.byAddress[address] = count > 1 ? count - 1 : nil
        }
    }
}
