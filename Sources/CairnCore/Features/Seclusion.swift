public import CairnWire

/// What the other members of a space may learn of one of them has become less, without a position of theirs (SES-13).
public enum Seclusion: Hashable, Sendable {
    /// They share no place any more, or a coarser one, or their link has ended. The next position says what they share.
    case whereabouts
    /// The people who are absent for them are others (FRD-7).
    case absent(Set<AccountID>)
}
