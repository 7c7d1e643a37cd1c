public import CairnGeo
internal import CairnText
internal import CairnWire

/// The unit of fan-out: the events of one home for one scope.
///
/// Stored as three words, because a session has a topic for each cell in its view.
public struct Topic: Hashable, Sendable {
    /// `HomeAddress.number`.
    public let homeNumber: UInt64
    private let scopeID: UInt64
    public let homeKind: HomeKind
    private let scopeKind: Scope.Kind

    public init(_ home: HomeAddress, _ scope: Scope = .everyone) {
        (homeKind, homeNumber) = (home.kind, home.number)
        (scopeKind, scopeID) = (scope.kind, scope.id)
    }

    public var home: HomeAddress {
        guard let home = HomeAddress(homeKind, number: homeNumber) else { preconditionFailure("it was made of one") }
        return home
    }

    public var scope: Scope { Scope(kind: scopeKind, id: scopeID) }

    /// A cell's topic for everyone.
    public init(_ cell: CellID) { self.init(.cell(cell)) }

    /// The cell of which it is everyone's topic; nil for other topics.
    public var publicCell: CellID? {
        homeKind == .cell && scope == .everyone ? CellID(rawValue: homeNumber) : nil
    }

    /// The topic's name on the wire: the home's, then `/` and the scope's unless it is everyone's.
    public var name: String {
        scope == .everyone ? home.name : "\(home.name)/\(scope.name)"
    }

    /// Parses `name`; nil for any text that `name` does not produce.
    public init?(name: some StringProtocol) {
        let parts = name.pieces(at: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let home = HomeAddress(name: parts[0]) else { return nil }
        guard parts.count == 2 else {
            self.init(home)
            return
        }
        guard !parts[1].isEmpty, let scope = Scope(name: parts[1]) else { return nil }
        self.init(home, scope)
    }
}

/// How much of a topic a follower has seen: one value, because a sequence means nothing without its epoch (SES-7).
public struct Cursor: Hashable, Sendable {
    /// Changes whenever the numbering restarts, which it does when the home wakes.
    public let epoch: UInt64
    /// Number of the last event.
    public let sequence: UInt64

    public init(epoch: UInt64, sequence: UInt64) {
        self.epoch = epoch
        self.sequence = sequence
    }

    /// A random start for a topic that wakes up, so that its numbers do not reveal how much has happened in it. Numbers
    /// take four or five bytes and never come near the end of their range.
    public static func random() -> Cursor {
        Cursor(epoch: .random(in: 1...(.max)), sequence: .random(in: 0..<1 << 28))
    }
}
