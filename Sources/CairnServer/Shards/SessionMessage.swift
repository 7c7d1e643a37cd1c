internal import CairnWire

/// The messages that belong to the session itself and to no feature. Those that sign up and in are `EntranceCommand`s.
enum SessionMessage: CaseIterable {
    case hello, position, share, signOut, refresh, selectRealm, getSnapshot, openTour, closeTour

    var kind: MessageKind {
        switch self {
        case .hello: WireHello.kind
        case .position: WirePosition.kind
        case .share: WireShare.kind
        case .signOut: WireSignOut.kind
        case .refresh: WireRefresh.kind
        case .selectRealm: WireSelectRealm.kind
        case .getSnapshot: WireGetSnapshot.kind
        case .openTour: Self.openingOfADraft
        case .closeTour: Self.closingOfADraft
        }
    }

    /// By `MessageKind.field`: every message is looked up here, and an index costs less than nine comparisons.
    private static let byField = allCases.reduce(into: [Self?]()) { table, message in
        let field = Int(message.kind.field)
        while table.count <= field { table.append(nil) }
        table[field] = message
    }

    /// As JSON calls them.
    static let names = allCases.map(\.kind.jsonName)

    init?(field: UInt32) {
        guard field < Self.byField.count, let found = Self.byField[Int(field)] else { return nil }
        self = found
    }

    var field: UInt32 { kind.field }
}
