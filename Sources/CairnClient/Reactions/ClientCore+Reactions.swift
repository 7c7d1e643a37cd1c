public import CairnTime
public import CairnWire

/// Reacting to things.
extension ClientCore {
    /// Reacts to an instance; an empty reaction withdraws. Answered with `reactionSet`.
    public mutating func react(
        to instance: WireInstance, with reaction: String, now: MonotonicTime
    ) throws(Refusal) -> RequestTicket {
        try ask(WireReact(to: instance, with: reaction), now: now)
    }
}

extension WireReact {
    init(to instance: WireInstance, with reaction: String) {
        self.init()
        (self.instance, cell) = (instance.id, instance.cell)
        self.reaction = reaction
    }
}
