public import CairnWire

/// How many accounts in a cell share their position with none of their connections: all that others learn of them, and
/// nothing while they are few (VIS-9).
///
/// A receiver's own account never counts for that receiver. So the count says the same before and after the receiver's
/// own connections come, go, hide or show themselves, and connections of one's own do not help to reach the threshold.
public struct HiddenCount: Sendable {
    /// A count below this is told as 0.
    public var hiddenBelow: Int
    private var stays: [AccountID: Stay] = [:]
    private var counted: Set<AccountID> = []
    /// Accounts that are counted now and were not when the count was last told, or the other way round.
    private var changed: Set<AccountID> = []
    private var told: Told

    /// The connections that one account has in the cell.
    private struct Stay: Sendable {
        var hidden: UInt32 = 0
        var sharing: UInt32 = 0

        var isCounted: Bool { hidden > 0 && sharing == 0 }
    }

    /// A count, and from which on it is told.
    fileprivate struct Told: Sendable {
        var count: Int
        var hiddenBelow: Int

        /// What a receiver is told whose own account is among the counted ones, or is not.
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

    /// One more connection of an account is in the cell.
    mutating func enter(_ account: AccountID, isHidden: Bool) {
        change(account) { stay in
            if isHidden { stay.hidden += 1 } else { stay.sharing += 1 }
        }
    }

    /// One connection less.
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

    /// Whether some receiver has to be told another count than the last one.
    var hasNews: Bool {
        guard !changed.isEmpty || told.hiddenBelow != hiddenBelow else { return false }
        return told.people(isOwnCounted: false) > 0 || current.people(isOwnCounted: false) > 0
    }

    /// What was last told to a receiver of this account, or would have been. A keyframe tells this and not the newest
    /// count: with the next news every receiver then starts from the same.
    public func lastTold(to account: AccountID) -> Int {
        told.people(isOwnCounted: counted.contains(account) != changed.contains(account))
    }

    /// The change since the count was last told; nil = no receiver hears of one.
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

        /// Every count that some receiver may be told: one or two.
        public var counts: Set<Int> { [after.people(isOwnCounted: false), after.people(isOwnCounted: true)] }

        /// What a receiver of this account is told; nil = nothing, because it is what they were told before.
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
