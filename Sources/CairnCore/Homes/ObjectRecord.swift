public import CairnGeo
public import CairnWire

/// What an instance is. The commands of one kind do not find the instances of another.
public struct ObjectKind: Hashable, Sendable {
    /// Unique for ever.
    public let name: StaticText

    public init(_ name: StaticText) {
        self.name = name
    }

    /// There are few kinds, and tables are asked for them several times in each turn: a length is hashed faster than a
    /// text.
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
    /// `origin` for what is in a home that is no place.
    public var coordinate: Coordinate
    /// When it ends by itself; nil = never.
    public let ends: LastingTime?
    /// The instance as its owner sees it, but for what features add (`Feature.describe`).
    public var wire: WireInstance
    /// What features keep with it.
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
    /// Whether it exists for a sender: in a scope that the sender holds, or as the sender's own (invariant 7).
    /// Otherwise the answer is that of an instance that never existed (`ObjectTable.absence`).
    public func isSeen(by sender: Sender) -> Bool {
        owner == sender.account || audience.isSeen(by: sender.scopes)
    }

    /// Whether it has ended by itself, told or not.
    public func isOver(at time: LastingTime) -> Bool { ends.map { $0 <= time } ?? false }

    /// Whether its owner alone sees it.
    var isHidden: Bool { audience == .owner(owner) }
}
