public import CairnCore
internal import CairnGeo
internal import CairnWire

extension InstanceWithdrawal {
    /// Name of the operators' command.
    public static let command = "remove"
}

extension Placements {
    public static let withdrawal: Withdrawal? = Withdrawal(
        of: .object, whereabouts: { id, _ in anybodys.about(.integer(Int64(bitPattern: id.rawValue))) },
        cell: { (row, level) throws(DamagedRow) in
            let record = try rows.read(row) { row throws(ColumnFault) in try ObjectRecord(row) }
            return CellID(record.coordinate, level: level)
        },
        deletion: deletion)

    private static let anybodys = rows.query("WHERE id = ?")
}
