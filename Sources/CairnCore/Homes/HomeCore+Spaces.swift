public import CairnWire

/// What homes of the kind `space` do beside turns of requests and messages (SES-13).
extension HomeCore {
    /// A member has moved. Mostly nothing follows from it: nothing is written and there is no action.
    public mutating func moved(_ movement: Movement, now: WallTime, lasting: LastingTime) -> [Action] {
        guard !isLost else { return [] }
        begin(now: now, lasting: lasting)
        let effects = turn.register.moved(movement, in: &turn)
        return effects.isEmpty ? [] : finish(effects, of: .movement)
    }

    /// What a new follower gets behind the state of the space's topic.
    public func addendum(for account: AccountID) -> [WireItem] { turn.register.addendum(for: account, in: turn) }
}
