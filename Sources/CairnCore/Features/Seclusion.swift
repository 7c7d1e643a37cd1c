public import CairnWire

/// What the other members of a space may learn of one of them has become less, without a position of theirs (SES-13).
public enum Seclusion: Hashable, Sendable {
    /// Their place. It is shared more coarsely, or their link has ended; the next position has the new one.
    case whereabouts
    /// Their consent. They have switched sharing off; who wants to be seen consents anew (TRM-11).
    case consent
    /// The list of people who are absent for them has changed (FRD-7).
    case absent(Set<AccountID>)
}
