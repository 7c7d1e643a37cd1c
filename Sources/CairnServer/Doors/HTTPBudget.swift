internal import CairnConfiguration
internal import CairnCore
package import CairnTime
package import CairnWebSocket
internal import Synchronization

/// The budget of plain HTTP: requests and bytes a second, for each address and in total (SES-12). Usable from all
/// loops.
package final class HTTPBudget: Sendable {
    /// Addresses that are remembered. Beyond it those that have their whole budget are forgotten, then all.
    static let addressesMax = 4_096
    /// A budget holds this many seconds of its rate: a console is a dozen files at once.
    fileprivate static let burstSeconds = 4.0

    private let state: Mutex<State>

    fileprivate struct State {
        var limits: Configuration.Pages
        var all: Purse
        var byAddress: [PeerAddress: Purse] = [:]
    }

    /// Requests and bytes that are left. Bytes may become negative, because a response's length is known only once it
    /// is made.
    fileprivate struct Purse {
        var requests: TokenBucket
        var bytes: TokenBucket
        /// Bytes that bodies in pieces leave to everything else.
        private let reserve: Double

        fileprivate init(requestsPerSecond: Int, bytesPerSecond: Int, now: MonotonicTime) {
            let (requests, bytes) = (Double(requestsPerSecond), Double(bytesPerSecond))
            self.requests = TokenBucket(rate: requests, burst: requests * burstSeconds, now: now)
            self.bytes = TokenBucket(rate: bytes, burst: bytes * burstSeconds, now: now)
            reserve = bytes * burstSeconds / 2
        }

        /// Takes the bytes of a piece, and returns how long it has to wait.
        mutating func pace(_ count: Int, now: MonotonicTime) -> Duration {
            bytes.spend(Double(count))
            return bytes.wait(for: reserve, now: now)
        }

        /// How long until one more request may come; nil = now, and it is counted.
        mutating func take(now: MonotonicTime) -> Duration? {
            bytes.wait(now: now) ?? requests.take(now: now)
        }
    }

    init(_ limits: Configuration.Pages) {
        state = Mutex(State(limits: limits, all: Self.purse(ofAll: limits)))
    }

    private static func purse(ofAll limits: Configuration.Pages) -> Purse {
        Purse(requestsPerSecond: limits.requestsPerSecond, bytesPerSecond: limits.bytesPerSecond, now: .epoch)
    }

    /// Goes by other limits from now on.
    func apply(_ limits: Configuration.Pages) {
        state.withLock { state in
            guard state.limits != limits else { return }
            state = State(limits: limits, all: Self.purse(ofAll: limits))
        }
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - address: of the client; nil = unknown, and only the budget of all applies.
    ///   - isVital: is answered whatever the others cost, as the health pages are.
    /// - Returns: nil, or how long to wait before the next.
    func take(of address: PeerAddress?, isVital: Bool, now: MonotonicTime) -> Duration? {
        state.withLock { state in
            if let address = address?.network {
                var purse = state.purse(of: address, now: now)
                let wait = purse.take(now: now)
                state.byAddress[address] = purse
                if let wait { return wait }
            }
            return isVital ? nil : state.all.take(now: now)
        }
    }

    /// Counts a piece of an answer's body, and slows the body down to the budget's rate: it may use up half of what the
    /// budget holds, and the other half is left for pages, so that a download turns no page of its address away.
    ///
    /// - Returns: how long the piece has to wait.
    package func pace(_ bytes: Int, to address: PeerAddress?, now: MonotonicTime) -> Duration {
        state.withLock { state in
            var wait = state.all.pace(bytes, now: now)
            if let address = address?.network {
                var purse = state.purse(of: address, now: now)
                wait = max(wait, purse.pace(bytes, now: now))
                state.byAddress[address] = purse
            }
            return wait
        }
    }

    /// Counts an answer's bytes.
    package func charge(_ bytes: Int, to address: PeerAddress?) {
        state.withLock { state in
            state.all.bytes.spend(Double(bytes))
            if let address = address?.network { state.byAddress[address]?.bytes.spend(Double(bytes)) }
        }
    }
}

extension HTTPBudget.State {
    fileprivate mutating func purse(of address: PeerAddress, now: MonotonicTime) -> HTTPBudget.Purse {
        if let known = byAddress[address] { return known }
        if byAddress.count >= HTTPBudget.addressesMax {
            byAddress = byAddress.filter { !$0.value.isFull(now: now) }
            if byAddress.count >= HTTPBudget.addressesMax { byAddress = [:] }
        }
        return HTTPBudget.Purse(
            requestsPerSecond: limits.requestsPerSecondPerAddress, bytesPerSecond: limits.bytesPerSecondPerAddress,
            now: now)
    }
}

extension HTTPBudget.Purse {
    fileprivate func isFull(now: MonotonicTime) -> Bool { requests.isFull(now: now) && bytes.isFull(now: now) }
}
