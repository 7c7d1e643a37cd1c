internal import CairnGeo
public import CairnWire

/// One request taken by one home: what a feature may know and change.
public struct Turn: Sendable {
    public let home: HomeAddress
    /// Milliseconds since 1970-01-01 UTC; never runs backwards while the server runs.
    public internal(set) var now: Int64
    /// The instances that the home holds.
    public var objects = ObjectTable()
    private let identifiers: IdentifierIssuer

    init(home: HomeAddress, now: Int64, identifiers: IdentifierIssuer) {
        self.home = home
        self.now = now
        self.identifiers = identifiers
    }

    /// An id that no other instance has or had.
    public func newInstanceID() -> InstanceID {
        identifiers.next(InstanceTag.self, at: now)
    }

    /// An id that nothing else has or had, for things of another sort.
    public func newIdentifier<Tag>(_ tag: Tag.Type = Tag.self) -> Identifier<Tag> {
        identifiers.next(tag, at: now)
    }
}
