public import CairnGeo
internal import CairnWire

/// Who may see an instance (VIS-5, SUB-9). Sub-realms slot in as further cases.
public enum Scope: Hashable, Sendable {
    case everyone
}

/// The unit of fan-out: what happens in one home for one scope.
public struct Topic: Hashable, Sendable {
    public let cell: CellID
    public let scope: Scope

    public init(cell: CellID, scope: Scope) {
        self.cell = cell
        self.scope = scope
    }

    /// The topic's name on the wire.
    public var name: String { cell.token }

    public init?(name: some StringProtocol) {
        guard let cell = CellID(token: name) else { return nil }
        self.init(cell: cell, scope: .everyone)
    }
}

/// What somebody has seen of a topic: one value, because a sequence means nothing without its epoch (SES-7).
public struct Cursor: Hashable, Sendable {
    /// Changes whenever the numbering starts anew, that is whenever a home wakes up.
    public let epoch: UInt64
    /// Number of the last event.
    public let sequence: UInt64

    public init(epoch: UInt64, sequence: UInt64) {
        self.epoch = epoch
        self.sequence = sequence
    }

    /// Where a topic begins that wakes up: nobody can tell from its numbers how much has happened since. They stay
    /// short, four or five bytes, and never come near the end of their range.
    public static func random() -> Cursor {
        Cursor(epoch: .random(in: 1...(.max)), sequence: .random(in: 0..<1 << 28))
    }
}
