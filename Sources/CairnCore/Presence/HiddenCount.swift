public import CairnWire

/// The number of accounts in a cell that share their position on none of their connections. Receivers get this number
/// alone, and 0 while it is below a threshold (VIS-9).
///
/// A receiver's own account never counts for that receiver. So a receiver's own connections cannot change the count
/// that the receiver gets, and cannot be used to reach the threshold.
public struct HiddenCount: Sendable {
    /// Counts below this are sent as 0.
    public var hiddenBelow: Int
    private var stays: [AccountID: Stay] = [:]
    private var counted: Set<AccountID> = []
    /// Accounts whose state (counted or not) has changed since the count was last sent.
    private var changed: Set<AccountID> = []
    private var told: Told

    /// The connections that one account has in the cell.
    private struct Stay: Sendable {
        var hidden: UInt32 = 0
        var sharing: UInt32 = 0

        var isCounted: Bool { hidden > 0 && sharing == 0 }
    }

    /// A count, and the threshold below which it is sent as 0.
    fileprivate struct Told: Sendable {
        var count: Int
        var hiddenBelow: Int

        /// The count for a receiver, by whether the receiver's own account is one of the counted ones.
        func people(isOwnCounted: Bool) -> Int {
            let others = isOwnCounted ? count - 1 : count
            return others >= hiddenBelow ? others : 0
        }
    }

    init(hiddenBelow: Int) {
        self.hiddenBelow = hiddenBelow
        told = Told(count: 0, hiddenBelow: hiddenBelow)
    }

    private var current: Told { Told(count: counted.count, hiddenBelow: hiddenBelow) }

    /// Whether the account has a connection in the cell.
    func isHere(_ account: AccountID) -> Bool { stays[account] != nil }

    /// Adds a connection of an account to the cell.
    mutating func enter(_ account: AccountID, isHidden: Bool) {
        change(account) { stay in
            if isHidden { stay.hidden += 1 } else { stay.sharing += 1 }
        }
    }

    /// Removes a connection of an account from the cell.
    mutating func leave(_ account: AccountID, isHidden: Bool) {
        change(account) { stay in
            if isHidden { stay.hidden -= 1 } else { stay.sharing -= 1 }
        }
    }

    private mutating func change(_ account: AccountID, _ body: (inout Stay) -> Void) {
        var stay = stays[account] ?? Stay()
        let before = stay.isCounted
        body(&stay)
        stays[account] = stay.hidden + stay.sharing > 0 ? stay : nil
        guard stay.isCounted != before else { return }
        if before { counted.remove(account) } else { counted.insert(account) }
        if changed.remove(account) == nil { changed.insert(account) }
    }

    /// Whether the count has changed for some receiver.
    var hasNews: Bool {
        guard !changed.isEmpty || told.hiddenBelow != hiddenBelow else { return false }
        return told.people(isOwnCounted: false) > 0 || current.people(isOwnCounted: false) > 0
    }

    /// The count last sent to receivers of this account, or that would have been sent to one. A keyframe contains this
    /// count and not the newest, so that the next change applies to the same count at every receiver.
    public func lastTold(to account: AccountID) -> Int {
        told.people(isOwnCounted: counted.contains(account) != changed.contains(account))
    }

    /// Removes and returns the change since the count was last sent; nil = unchanged for every receiver.
    mutating func takeNews() -> News? {
        guard hasNews else { return nil }
        let news = News(before: told, after: current, counted: counted, changed: changed)
        told = current
        changed = []
        return news
    }

    /// A change of the count, for receivers of any account.
    public struct News: Sendable {
        private let before: Told
        private let after: Told
        private let counted: Set<AccountID>
        private let changed: Set<AccountID>

        fileprivate init(before: Told, after: Told, counted: Set<AccountID>, changed: Set<AccountID>) {
            self.before = before
            self.after = after
            self.counted = counted
            self.changed = changed
        }

        /// The counts that receivers may get: one, or two where the receiver's own account makes a difference.
        public var counts: Set<Int> { [after.people(isOwnCounted: false), after.people(isOwnCounted: true)] }

        /// The count for a receiver of this account; nil = unchanged for them.
        public func people(for account: AccountID) -> Int? {
            let isCounted = counted.contains(account)
            let people = after.people(isOwnCounted: isCounted)
            return people == before.people(isOwnCounted: isCounted != changed.contains(account)) ? nil : people
        }
    }
}

extension HiddenCount.Told: NodeCodable {
    func encode(to encoder: inout NodeEncoder) { encoder.put(count, hiddenBelow) }

    init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(count: try decoder.get(), hiddenBelow: try decoder.get())
    }
}

extension HiddenCount.News: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) { encoder.put(before, after, counted, changed) }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(
            before: try decoder.get(), after: try decoder.get(), counted: try decoder.get(),
            changed: try decoder.get())
    }
}
