internal import CairnConfiguration
internal import CairnCore
internal import CairnTime
internal import CairnWebSocket
internal import Synchronization

/// The views of guests who look (SES-14), over all loops: how many there are, how fast they get new cells, which may
/// have to be woken, how much they read of them, and how much they ask. By network address and in all.
///
/// A lock guards the table. It is asked when a guest begins and ends to look, when cells come into a view, and for each
/// question.
final class GuestViews: Sendable {
    /// Addresses that are remembered. Beyond it those without a view whose budget is whole are forgotten, then all
    /// budgets of those without a view. Addresses with views are as few as `guests.viewsMax`.
    static let addressesMax = 4_096

    private let state: Mutex<State>

    fileprivate struct State {
        var limits: Configuration.Guests
        /// Views in all.
        var views = 0
        var budget: Budget
        var addresses: [PeerAddress: Visitor] = [:]
    }

    fileprivate struct Visitor {
        var views = 0
        var budget: Budget
    }

    /// What one address, or all of them, may have in a minute. Nil = any number.
    fileprivate struct Budget {
        var cells: TokenBucket?
        /// In debt after a cell that has more than was left.
        var bytes: TokenBucket?
        var questions: TokenBucket?
    }

    /// What is used up.
    enum Shortage: String, CaseIterable, Sendable {
        /// Views of the address.
        case address
        /// Views of all addresses.
        case all
        /// New cells, of the address or of all.
        case cells
        /// What is sent of cells that come into views, and in answers, of the address or of all.
        case bytes
        /// Questions, of the address or of all.
        case questions
        /// The server has too much to do, or hardly any room for connections.
        case overload
    }

    init(_ limits: Configuration.Guests, now: MonotonicTime = .epoch) {
        state = Mutex(State(limits: limits, budget: Budget(ofAll: limits, now: now)))
    }

    /// Goes by other limits from now on. Views that are there stay.
    func apply(_ limits: Configuration.Guests, now: MonotonicTime) {
        state.withLock { state in
            guard limits != state.limits else { return }
            state.limits = limits
            state.budget = Budget(ofAll: limits, now: now)
            for address in Array(state.addresses.keys) {
                state.addresses[address]?.budget = Budget(ofAddress: limits, now: now)
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
            state.withBudgets(of: address, now: now) { all, own in
                guard all.mayRead(now: now), own.mayRead(now: now) else { return 0 }
                // What one of the two has not is not taken from the other.
                let free = min(all.freeCells(wanted, now: now), own.freeCells(wanted, now: now))
                all.takeCells(free, now: now)
                own.takeCells(free, now: now)
                return free
            }
        }
    }

    /// How long until one more cell may come into a view.
    func waitForCell(at address: PeerAddress?, now: MonotonicTime) -> Duration {
        state.withLock { state in
            state.withBudgets(of: address, now: now) { max($0.waitForCell(now: now), $1.waitForCell(now: now)) }
        }
    }

    /// Counts bytes that a guest is sent: snapshots of cells, and answers.
    func spend(bytes: Int, at address: PeerAddress?, now: MonotonicTime) {
        state.withLock { state in
            state.withBudgets(of: address, now: now) { all, own in
                all.bytes?.spend(Double(bytes))
                own.bytes?.spend(Double(bytes))
            }
        }
    }

    /// Whether a guest may be told anew what its view holds.
    func mayRead(at address: PeerAddress?, now: MonotonicTime) -> Bool {
        state.withLock { state in
            state.withBudgets(of: address, now: now) { $0.mayRead(now: now) && $1.mayRead(now: now) }
        }
    }

    /// Counts a question of a guest. What is answered counts with what is sent of cells (`spend`).
    /// - Returns: nil = it may be asked; else what is used up, and how long until the next one may.
    func ask(at address: PeerAddress?, now: MonotonicTime) -> (shortage: Shortage, wait: Duration)? {
        state.withLock { state in
            state.withBudgets(of: address, now: now) { all, own in
                let waits = [own.questions?.wait(now: now), all.questions?.wait(now: now)].compactMap { $0 }
                if let wait = waits.max() { return (.questions, wait) }
                let debts = [own.bytes?.wait(now: now), all.bytes?.wait(now: now)].compactMap { $0 }
                if let wait = debts.max() { return (.bytes, wait) }
                _ = own.questions?.take(now: now)
                _ = all.questions?.take(now: now)
                return nil
            }
        }
    }

    /// Views at this moment.
    var count: Int { state.withLock(\.views) }
}

extension GuestViews.Budget {
    fileprivate init(ofAll limits: Configuration.Guests, now: MonotonicTime) {
        cells = Self.bucket(limits.cellsPerMinute, now: now)
        bytes = Self.bucket(limits.megabytesPerMinute * 1_000_000, now: now)
        questions = Self.bucket(limits.questionsPerMinute, now: now)
    }

    fileprivate init(ofAddress limits: Configuration.Guests, now: MonotonicTime) {
        cells = Self.bucket(limits.cellsPerMinutePerAddress, now: now)
        bytes = Self.bucket(limits.megabytesPerMinutePerAddress * 1_000_000, now: now)
        questions = Self.bucket(limits.questionsPerMinutePerAddress, now: now)
    }

    /// - Parameter perMinute: and at once; 0 = any number.
    private static func bucket(_ perMinute: Int, now: MonotonicTime) -> TokenBucket? {
        guard perMinute > 0 else { return nil }
        return TokenBucket(rate: Double(perMinute) / 60, burst: Double(perMinute), now: now)
    }

    fileprivate mutating func mayRead(now: MonotonicTime) -> Bool { bytes?.wait(now: now) == nil }

    fileprivate mutating func freeCells(_ wanted: Int, now: MonotonicTime) -> Int {
        min(wanted, cells?.available(now: now) ?? wanted)
    }

    fileprivate mutating func takeCells(_ count: Int, now: MonotonicTime) { _ = cells?.take(upTo: count, now: now) }

    fileprivate mutating func waitForCell(now: MonotonicTime) -> Duration {
        max(cells?.wait(now: now) ?? .zero, bytes?.wait(now: now) ?? .zero)
    }

    fileprivate func isFull(now: MonotonicTime) -> Bool {
        [cells, bytes, questions].allSatisfy { $0?.isFull(now: now) ?? true }
    }
}

extension GuestViews.State {
    /// Lends the budget of all, and that of the address.
    /// - Parameter address: nil = a proxy does not say: it has no budget of its own.
    fileprivate mutating func withBudgets<Result>(
        of address: PeerAddress?, now: MonotonicTime,
        _ body: (inout GuestViews.Budget, inout GuestViews.Budget) -> Result
    ) -> Result {
        var own = GuestViews.Budget()
        guard let network = address?.network else { return body(&budget, &own) }
        own = remember(network, now: now).budget
        defer { addresses[network]?.budget = own }
        return body(&budget, &own)
    }

    /// Makes an entry for an address, unless there is one.
    @discardableResult
    fileprivate mutating func remember(_ network: PeerAddress, now: MonotonicTime) -> GuestViews.Visitor {
        if let known = addresses[network] { return known }
        if addresses.count >= GuestViews.addressesMax {
            addresses = addresses.filter { $0.value.views > 0 || !$0.value.budget.isFull(now: now) }
            if addresses.count > GuestViews.addressesMax / 2 { addresses = addresses.filter { $0.value.views > 0 } }
        }
        let visitor = GuestViews.Visitor(budget: GuestViews.Budget(ofAddress: limits, now: now))
        addresses[network] = visitor
        return visitor
    }
}
