public import CairnCore
public import CairnGeo
public import CairnWire

/// Operators take a thing away (MOD-4): whoever sees it is told that it has left, as if its placer had removed it.
public struct InstanceWithdrawal: HomeMessage {
    /// What operators call it.
    public static let command = "remove"

    public static let kind: StaticText = "placements.withdrawal"

    public let id: InstanceID

    public init(id: InstanceID) {
        self.id = id
    }

    public init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        guard let id = InstanceID(String(decoding: payload, as: UTF8.self)) else { throw ColumnFault(0, .unreadable) }
        self.init(id: id)
    }

    public var payload: [UInt8] { Array(id.description.utf8) }

    /// Nothing when the instance is not here any more, or is on its way elsewhere: then it is asked for again there.
    public func heard(in turn: inout Turn) -> [Effect] {
        guard let record = turn.objects.record(id, .object), !record.isMoving else { return [] }
        turn.objects[id] = nil
        return [.write(Placements.deletion(of: id)), .publish(.departure(of: record))]
    }
}

extension Placements {
    private static let anybodys = rows.query("WHERE id = ?")

    /// Where any instance is; `cell(from:level:)` reads the row. For operators alone.
    public static func whereabouts(of id: InstanceID) -> Query {
        anybodys.about(.integer(Int64(bitPattern: id.rawValue)))
    }

    /// The cell in which an instance lives, from the row of `whereabouts(of:)`.
    /// - Throws: `DamagedRow`: in its cell it is not there either.
    public static func cell(from row: Row, level: Int) throws(DamagedRow) -> CellID {
        let record = try rows.read(row) { row throws(ColumnFault) in try ObjectRecord(row) }
        return CellID(record.coordinate, level: level)
    }
}
