public import CairnGeo
public import CairnWire

/// One request taken by one home: what a feature may know and change.
public struct Turn: Sendable {
    public let home: HomeAddress
    /// Milliseconds since 1970-01-01 UTC; never runs backwards while the server runs.
    public internal(set) var now: Int64
    /// The instances that the home holds.
    public var objects = ObjectTable()
    private let identifiers: IdentifierSource

    init(home: HomeAddress, now: Int64, identifiers: IdentifierSource) {
        self.home = home
        self.now = now
        self.identifiers = identifiers
    }

    /// An id that no other instance has or had.
    public func newInstanceID() -> InstanceID {
        InstanceID(rawValue: identifiers.next(now: now))
    }
}
