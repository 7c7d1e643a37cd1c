public import CairnGeo
public import CairnWire

/// What an instance is. The commands of one kind do not find the instances of another.
public struct ObjectKind: Hashable, Sendable {
    /// Unique for ever.
    public let name: StaticText

    public init(_ name: StaticText) {
        self.name = name
    }

    /// Hashes the length only: there are few kinds, tables look them up several times in each turn, and a length is
    /// hashed faster than a text.
    public func hash(into hasher: inout Hasher) { hasher.combine(name.text.utf8.count) }

    /// A placed object.
    public static let object = ObjectKind("object")
}

/// The facts about an instance that several features share.
public struct ObjectRecord: Sendable {
    public let id: InstanceID
    public let kind: ObjectKind
    public let owner: AccountID
    public let ownerName: String
    /// The accounts that see it. A command that changes it publishes to the audience before and to the audience after.
    public var audience: Audience
    /// `origin` for an instance in a home without a place.
    public var coordinate: Coordinate
    /// When it expires; nil = never.
    public let ends: LastingTime?
    /// The instance as its owner sees it, without the parts that features add (`Feature.describe`).
    public var wire: WireInstance
    /// The features' attachments.
    public var attachments = Attachments()
    /// Set while the instance is on its way to another cell. Nothing else may change it until the move is decided.
    public var isMoving = false

    public init(
        id: InstanceID, kind: ObjectKind = .object, owner: AccountID, ownerName: String, audience: Audience,
        coordinate: Coordinate = .origin, ends: LastingTime? = nil, wire: WireInstance
    ) {
        self.id = id
        self.kind = kind
        self.owner = owner
        self.ownerName = ownerName
        self.audience = audience
        self.coordinate = coordinate
        self.ends = ends
        self.wire = wire
    }
}

extension ObjectRecord {
    /// Whether it exists for a sender: in a scope that the sender holds, or as the sender's own (invariant 7), and not
    /// as that of a person who is absent for the sender (FRD-7). Otherwise the answer is that of an instance that never
    /// existed (`ObjectTable.absence`).
    public func isSeen(by sender: Sender) -> Bool { sender.sees(audience, of: owner) }

    /// Whether it has expired, even if the event has not left yet.
    public func isOver(at time: LastingTime) -> Bool { ends.map { $0 <= time } ?? false }

    /// Whether only its owner sees it.
    var isHidden: Bool { audience == .owner(owner) }
}
