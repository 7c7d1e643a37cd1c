public import CairnGeo
internal import CairnText
public import CairnWire

/// Names a home, independent of its location. Only `HomeDirectory` knows the thread and the machine.
public enum HomeAddress: Hashable, Sendable {
    case cell(CellID)
    case account(AccountID)
    case realm(RealmID)
    case space(SpaceID)
    case tour(TourID)

    /// The home of this kind with this number; nil for a number that is no cell's.
    public init?(_ kind: HomeKind, number: UInt64) {
        switch kind {
        case .cell:
            guard let cell = CellID(rawValue: number) else { return nil }
            self = .cell(cell)
        case .account: self = .account(AccountID(rawValue: number))
        case .realm: self = .realm(RealmID(rawValue: number))
        case .space: self = .space(SpaceID(rawValue: number))
        case .tour: self = .tour(TourID(rawValue: number))
        }
    }

    /// The kind of the home.
    public var kind: HomeKind {
        switch self {
        case .cell: .cell
        case .account: .account
        case .realm: .realm
        case .space: .space
        case .tour: .tour
        }
    }

    /// Distinguishes homes of one kind.
    public var number: UInt64 {
        switch self {
        case .cell(let cell): cell.rawValue
        case .account(let account): account.rawValue
        case .realm(let realm): realm.rawValue
        case .space(let space): space.rawValue
        case .tour(let tour): tour.rawValue
        }
    }

    /// The form in the name of a topic: a cell's token, or the kind and the identifier.
    public var name: String {
        if case .cell(let cell) = self { return cell.token }
        return "\(kind.name):\(InstanceID(rawValue: number))"
    }

    /// Parses `name`; nil for any text that `name` does not produce.
    public init?(name: some StringProtocol) {
        let parts = name.pieces(at: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            guard let cell = CellID(token: name), cell.token == name else { return nil }
            self = .cell(cell)
            return
        }
        guard let kind = HomeKind(named: parts[0]), kind != .cell, let id = InstanceID(String(parts[1])) else {
            return nil
        }
        self.init(kind, number: id.rawValue)
    }

    /// A hash that spreads homes evenly and is the same in every process. Each kind has its own offset, so that homes
    /// of different kinds with the same number get different hashes.
    public var spread: UInt64 {
        mixed(number &+ UInt64(kind.rawValue) &* 0x9E37_79B9_7F4A_7C15)
    }
}

/// The kinds of homes that host features. Fan-out keys contain the kinds' numbers, names of topics their names.
public enum HomeKind: UInt8, CaseIterable, Hashable, Sendable {
    case cell
    case account
    case realm
    case space
    case tour

    /// The form in the name of a topic.
    var name: String {
        switch self {
        case .cell: "cell"
        case .account: "account"
        case .realm: "realm"
        case .space: "space"
        case .tour: "tour"
        }
    }

    /// The kind of scope for the home's members: the first letter of the name. No two kinds begin with the same letter.
    var letter: UInt8 { name.utf8.first ?? 0 }

    init?(named name: some StringProtocol) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}

/// SplitMix64's finaliser: neighbouring cells differ in a few bits, their hashes in half of all bits.
private func mixed(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
}
