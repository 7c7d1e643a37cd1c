public import CairnGeo
public import CairnTime
public import CairnWire

/// A position of a member of a space (SES-13), as the session has checked it. Volatile: the newest counts, and none is
/// stored.
public struct Movement: Sendable {
    public let account: AccountID
    public let place: Coordinate
    /// How far off the place may be, in metres; nil = the device does not say. Infinite: it leads to no arrival.
    public let accuracyMetres: Float?
    /// When it was accepted, by the clock of its loop.
    public let at: MonotonicTime

    /// The place that others may learn, at the accuracy that the person shares (PRF-8); nil = they may learn none.
    public let shown: Coordinate?
    /// The people who are absent for the person (FRD-7).
    public let absent: Set<AccountID>

    public init(
        account: AccountID, place: Coordinate, accuracyMetres: Float?, at: MonotonicTime, shown: Coordinate? = nil,
        absent: Set<AccountID> = []
    ) {
        self.account = account
        self.place = place
        self.accuracyMetres = accuracyMetres
        self.at = at
        self.shown = shown
        self.absent = absent
    }

    /// How long after another one this position was accepted; below zero = before it.
    public func time(since other: Movement) -> Duration { at - other.at }

    /// The same position when others may learn less of the person.
    public func secluded(_ seclusion: Seclusion) -> Movement {
        switch seclusion {
        case .whereabouts:
            Movement(account: account, place: place, accuracyMetres: accuracyMetres, at: at, absent: absent)
        case .absent(let people):
            Movement(
                account: account, place: place, accuracyMetres: accuracyMetres, at: at, shown: shown, absent: people)
        }
    }
}

extension Movement: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) {
        encoder.put(account, place, accuracyMetres, shown, absent)
        encoder.put(moment: at)
    }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        let (account, place) = (try decoder.get(AccountID.self), try decoder.get(Coordinate.self))
        let accuracyMetres: Float? = try decoder.get()
        let (shown, absent): (Coordinate?, Set<AccountID>) = (try decoder.get(), try decoder.get())
        self.init(
            account: account, place: place, accuracyMetres: accuracyMetres, at: try decoder.moment(), shown: shown,
            absent: absent)
    }
}
