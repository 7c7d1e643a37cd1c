public import CairnGeo
public import CairnWire

/// Names a home wherever it lives. Which thread or machine that is, only `HomeDirectory` knows.
public enum HomeAddress: Hashable, Sendable {
    case cell(CellID)
    case account(AccountID)

    /// What the address says about the home's rules.
    public var kind: HomeKind {
        switch self {
        case .cell: .cell
        case .account: .account
        }
    }

    /// As it stands in the name of a topic: a cell's token, or the kind and the identifier.
    public var name: String {
        switch self {
        case .cell(let cell): cell.token
        case .account(let account): "account:\(account)"
        }
    }

    /// Reads `name`; nil for anything that it would not have written.
    public init?(name: some StringProtocol) {
        let account = "account:"
        if name.hasPrefix(account) {
            guard let id = AccountID(String(name.dropFirst(account.count))) else { return nil }
            self = .account(id)
        } else {
            guard let cell = CellID(token: name), cell.token == name else { return nil }
            self = .cell(cell)
        }
    }

    /// A number that spreads homes evenly; the same in every process.
    public var spread: UInt64 {
        switch self {
        case .cell(let cell): mixed(cell.rawValue)
        case .account(let account): mixed(account.rawValue &+ 0x9E37_79B9_7F4A_7C15)
        }
    }
}

/// The kinds of homes that host features.
public enum HomeKind: Hashable, Sendable {
    case cell
    case account
}

/// SplitMix64's finaliser: neighbouring cells differ in few bits, their spread in half of all.
private func mixed(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
}
