internal import CairnConfiguration
internal import CairnCore
internal import CairnTime
internal import CairnWebSocket
internal import Synchronization

/// The views of guests who look (SES-14), over all loops: how many there are, and how fast they get new cells, which
/// may have to be woken. By network address and in all.
///
/// A lock guards the table. It is asked when a guest begins and ends to look, and when new cells come into a view.
final class GuestViews: Sendable {
    /// Addresses that are remembered. Beyond it those without a view whose budget is whole are forgotten, then all
    /// budgets of those without a view. Addresses with views are as few as `guests.viewsMax`.
    static let addressesMax = 4_096

    private let state: Mutex<State>

    fileprivate struct State {
        var limits: Configuration.Guests
        /// Views in all.
        var views = 0
        var cells: TokenBucket
        var addresses: [PeerAddress: Visitor] = [:]
    }

    fileprivate struct Visitor {
        var views = 0
        /// Nil = any number.
        var cells: TokenBucket?
    }

    /// What is used up.
    enum Shortage: String, CaseIterable, Sendable {
        /// Views of the address.
        case address
        /// Views of all addresses.
        case all
        /// New cells, of the address or of all.
        case cells
        /// The server has too much to do, or hardly any room for connections.
        case overload
    }

    init(_ limits: Configuration.Guests, now: MonotonicTime = .epoch) {
        state = Mutex(State(limits: limits, cells: Self.bucket(limits.cellsPerMinute, now: now)))
    }

    /// Goes by other limits from now on. Views that are there stay.
    func apply(_ limits: Configuration.Guests, now: MonotonicTime) {
        state.withLock { state in
            guard limits != state.limits else { return }
            state.limits = limits
            state.cells = Self.bucket(limits.cellsPerMinute, now: now)
            for address in Array(state.addresses.keys) {
                state.addresses[address]?.cells = Self.cellsOfAddress(limits, now: now)
            }
        }
    }

    /// Counts a view, unless there are too many.
    /// - Parameter address: nil = a proxy does not say. All guests behind it would share one limit: none holds.
    /// - Returns: nil = it is counted; else what is used up, and its limit.
    func begin(at address: PeerAddress?, now: MonotonicTime) -> (shortage: Shortage, limit: Int)? {
        state.withLock { state in
            let limits = state.limits
            guard state.views < limits.viewsMax else { return (.all, limits.viewsMax) }
            if let network = address?.network {
                state.remember(network, now: now)
                let views = state.addresses[network]?.views ?? 0
                guard limits.viewsPerAddress == 0 || views < limits.viewsPerAddress else {
                    return (.address, limits.viewsPerAddress)
                }
                state.addresses[network]?.views = views + 1
            }
            state.views += 1
            return nil
        }
    }

    /// A view that `begin` has counted is over.
    func end(at address: PeerAddress?) {
        state.withLock { state in
            state.views -= 1
            if let network = address?.network { state.addresses[network]?.views -= 1 }
        }
    }

    /// How many of these further cells may come into the view of a guest; they are counted.
    func admit(_ wanted: Int, at address: PeerAddress?, now: MonotonicTime) -> Int {
        state.withLock { state in
            guard let network = address?.network else { return state.cells.take(upTo: wanted, now: now) }
            state.remember(network, now: now)
            // What one of the two has not is not taken from the other.
            let free = state.addresses[network]?.cells?.available(now: now) ?? wanted
            let taken = state.cells.take(upTo: min(wanted, free), now: now)
            _ = state.addresses[network]?.cells?.take(upTo: taken, now: now)
            return taken
        }
    }

    /// How long until one more cell may come into a view.
    func waitForCell(at address: PeerAddress?, now: MonotonicTime) -> Duration {
        state.withLock { state in
            let own = address.flatMap { state.addresses[$0.network]?.cells?.wait(now: now) } ?? .zero
            return max(own, state.cells.wait(now: now) ?? .zero)
        }
    }

    /// Views at this moment.
    var count: Int { state.withLock(\.views) }

    private static func bucket(_ perMinute: Int, now: MonotonicTime) -> TokenBucket {
        TokenBucket(rate: Double(perMinute) / 60, burst: Double(perMinute), now: now)
    }

    fileprivate static func cellsOfAddress(_ limits: Configuration.Guests, now: MonotonicTime) -> TokenBucket? {
        limits.cellsPerMinutePerAddress > 0 ? bucket(limits.cellsPerMinutePerAddress, now: now) : nil
    }
}

extension GuestViews.State {
    /// Makes an entry for an address.
    fileprivate mutating func remember(_ network: PeerAddress, now: MonotonicTime) {
        guard addresses[network] == nil else { return }
        if addresses.count >= GuestViews.addressesMax {
            addresses = addresses.filter { $0.value.views > 0 || !($0.value.cells?.isFull(now: now) ?? true) }
            if addresses.count > GuestViews.addressesMax / 2 { addresses = addresses.filter { $0.value.views > 0 } }
        }
        addresses[network] = GuestViews.Visitor(views: 0, cells: GuestViews.cellsOfAddress(limits, now: now))
    }
}
