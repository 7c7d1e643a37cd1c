public import CairnWire

/// What the home's topics are for accounts for whom people are absent (FRD-7).
extension HomeCore {
    /// Notes who is absent for an account that begins to follow; see `TopicStream.follow`.
    public mutating func follow(_ scope: Scope, by account: AccountID, without absent: Set<AccountID>) -> Bool {
        changeTopic(scope) { $0.follow(account, without: absent) } ?? true
    }

    /// Other people are absent for an account that follows; see `TopicStream.change`.
    public mutating func change(
        _ scope: Scope, for account: AccountID, toWithout absent: Set<AccountID>
    ) -> [WireItem]? {
        changeTopic(scope) { $0.change(account, toWithout: absent) } ?? nil
    }

    /// The events by which a device that was sent the topic goes over to the account's excerpt; nil = it needs a
    /// snapshot.
    public func transition(of account: AccountID, in scope: Scope) -> [WireItem]? {
        topic(scope)?.transition(of: account)
    }

    /// From here on the account is sent bytes of its own.
    public mutating func makeDistinct(_ account: AccountID, in scope: Scope) {
        _ = changeTopic(scope) { $0.makeDistinct(account) }
    }

    /// Drops excerpts that no device needs, when there are too many.
    public mutating func dropExcerpts(of scope: Scope, unless isRead: (AccountID) -> Bool) {
        _ = changeTopic(scope) { $0.dropExcerpts(unless: isRead) }
    }
}
