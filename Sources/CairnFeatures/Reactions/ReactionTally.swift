internal import CairnCore
internal import CairnWire

/// The reactions to one instance: the choice of each account, and the totals (RCT-1).
struct ReactionTally: Attachment {
    /// Indices into the configured names, which do not change while the process runs.
    private var choices: [AccountID: UInt8] = [:]
    /// Number of accounts that have chosen each index.
    private var totals: [UInt32] = []

    /// An account's choice; nil = none.
    subscript(_ account: AccountID) -> UInt8? {
        get { choices[account] }
        set {
            let before = choices[account]
            guard before != newValue else { return }
            choices[account] = newValue
            if let before { totals[Int(before)] -= 1 }
            guard let newValue else { return }
            while totals.count <= Int(newValue) { totals.append(0) }
            totals[Int(newValue)] += 1
        }
    }

    /// Each account's choice, in no order.
    var all: some Collection<(key: AccountID, value: UInt8)> { choices }

    /// Whether there are no reactions.
    var isEmpty: Bool { choices.isEmpty }

    /// Totals above 0, in the configured order.
    func counts(names: [String]) -> [WireReactionCount] {
        var counts: [WireReactionCount] = []
        for (name, total) in zip(names, totals) where total > 0 {
            var count = WireReactionCount()
            count.reaction = name
            count.count = total
            counts.append(count)
        }
        return counts
    }
}
