public import CairnGeo
public import CairnTime
public import CairnWire

/// A position of a member of a space (SES-13), as the session has checked it. Volatile: the newest counts, and none is
/// stored.
public struct Movement: Sendable {
    public let account: AccountID
    public let place: Coordinate
    /// How far off the place may be, in metres; nil = the device does not say.
    public let accuracyMetres: Float?
    /// When it was accepted, by the clock of its loop.
    public let at: MonotonicTime

    public init(account: AccountID, place: Coordinate, accuracyMetres: Float?, at: MonotonicTime) {
        self.account = account
        self.place = place
        self.accuracyMetres = accuracyMetres
        self.at = at
    }
}

extension Movement: NodeCodable {
    public func encode(to encoder: inout NodeEncoder) {
        encoder.put(account, place, accuracyMetres)
        encoder.put(moment: at)
    }

    public init(from decoder: inout NodeDecoder) throws(NodeFault) {
        self.init(
            account: try decoder.get(), place: try decoder.get(), accuracyMetres: try decoder.get(),
            at: try decoder.moment())
    }
}
