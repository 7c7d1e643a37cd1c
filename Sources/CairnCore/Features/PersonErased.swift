public import CairnWire

/// A person has deleted their account: the home gives up what it holds of them, a part at a time (CMP-3). The sender
/// looks afterwards whether something is left, and sends it again.
public struct PersonErased: HomeMessage {
    public static let kind: StaticText = "person.erased"
    /// Most things that a feature gives up in one turn.
    public static let atOnce = 200

    let account: AccountID

    public init(_ account: AccountID) { self.account = account }

    public init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        let text = String(decoding: payload, as: UTF8.self)
        guard let account = AccountID(text) else { throw ColumnFault(0, .unreadable) }
        self.init(account)
    }

    public var payload: [UInt8] { Array(account.description.utf8) }

    public func heard(in turn: inout Turn) -> [Effect] { turn.register.erase(account, in: &turn) }

    /// Nothing: it comes again.
    public var ifNotHeard: [Effect]? { [] }
}

extension HomeCore {
    /// Whether an account has instances here, of any kind.
    public func holds(thingsOf account: AccountID) -> Bool {
        turn.register.withdrawals.contains { turn.objects.liveCount(of: account, $0.kind) > 0 }
    }
}

extension Turn {
    /// The instances of a kind that an account has here and that may be changed now, at most as many as a feature gives
    /// up in one turn.
    public func erasable(of account: AccountID, _ kind: ObjectKind) -> [ObjectRecord] {
        guard objects.liveCount(of: account, kind) > 0 else { return [] }
        return erasable(kind) { $0.owner == account }
    }

    /// The instances of a kind that fit and may be changed now, at most as many.
    public func erasable(_ kind: ObjectKind, where fits: (ObjectRecord) -> Bool) -> [ObjectRecord] {
        var found: [ObjectRecord] = []
        for id in objects.ids {
            guard let record = objects.record(id, kind), !record.isMoving, fits(record) else { continue }
            found.append(record)
            if found.count == PersonErased.atOnce { break }
        }
        return found
    }
}
