public import CairnGeo
public import CairnWire

/// Finds and removes instances of one kind on behalf of operators (MOD-4). A feature registers it for its kind.
public struct Withdrawal: Sendable {
    /// The kind of the instances.
    public let kind: ObjectKind
    /// Query for the row of an instance in any cell, if it has not ended by `now`.
    public let whereabouts: @Sendable (_ id: InstanceID, _ now: LastingTime) -> Query
    /// The cell of such a row, at this level of cells.
    public let cell: @Sendable (_ row: Row, _ level: Int) throws(DamagedRow) -> CellID
    /// Deletes the row.
    let deletion: @Sendable (_ id: InstanceID) -> Statement

    public init(
        of kind: ObjectKind, whereabouts: @escaping @Sendable (_ id: InstanceID, _ now: LastingTime) -> Query,
        cell: @escaping @Sendable (_ row: Row, _ level: Int) throws(DamagedRow) -> CellID,
        deletion: @escaping @Sendable (_ id: InstanceID) -> Statement
    ) {
        self.kind = kind
        self.whereabouts = whereabouts
        self.cell = cell
        self.deletion = deletion
    }
}

/// Operators remove an instance. Viewers get the same event `left` as when the owner removes it.
public struct InstanceWithdrawal: HomeMessage {
    public static let kind: StaticText = "withdrawal"

    public let id: InstanceID

    public init(id: InstanceID) {
        self.id = id
    }

    public init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        guard let id = InstanceID(String(decoding: payload, as: UTF8.self)) else { throw ColumnFault(0, .unreadable) }
        self.init(id: id)
    }

    public var payload: [UInt8] { Array(id.description.utf8) }

    /// No effect when the instance is gone or on its way to another cell; the caller then looks up its cell again.
    public func heard(in turn: inout Turn) -> [Effect] {
        guard let record = turn.objects[id], !record.isMoving,
            let withdrawal = turn.register.withdrawals.first(where: { $0.kind == record.kind })
        else { return [] }
        turn.objects[id] = nil
        return [.write(withdrawal.deletion(id)), .publish(.departure(of: record))]
    }
}
