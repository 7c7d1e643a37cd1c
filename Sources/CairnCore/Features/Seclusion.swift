public import CairnWire

/// What the other members of a space may learn of one of them has become less, without a position of theirs (SES-13).
public enum Seclusion: Hashable, Sendable {
    /// Their place. It is no longer shared, or more coarsely, or their link has ended; the next position has the new
    /// one.
    case whereabouts
    /// The list of people who are absent for them has changed (FRD-7).
    case absent(Set<AccountID>)
}
