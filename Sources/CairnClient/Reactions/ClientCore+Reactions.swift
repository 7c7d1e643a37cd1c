public import CairnTime
public import CairnWire

/// Reacting to things.
extension ClientCore {
    /// Reacts to an instance; an empty reaction withdraws. Answered with `reactionSet`.
    public mutating func react(
        to instance: WireInstance, with reaction: String, now: MonotonicTime
    ) throws(Refusal) -> RequestTicket {
        var body = WireReact()
        body.instance = instance.id
        body.cell = instance.cell
        body.reaction = reaction
        return try ask(.react(body), key: makeKey(), now: now)
    }
}
