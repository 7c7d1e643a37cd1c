public import CairnCore
internal import CairnGeo
internal import CairnWire

extension InstanceWithdrawal {
    /// Name of the operators' command.
    public static let command = "remove"
}

extension Placements {
    public static let withdrawal: Withdrawal? = Withdrawal(
        of: .object, whereabouts: { id, _ in anybodys.about(integer(id.rawValue)) },
        contents: { inCell.about($0.stored) },
        count: { owner, _ in count(of: owner) },
        record: { row throws(DamagedRow) in
            try rows.read(row) { row throws(ColumnFault) in try ObjectRecord(row) }
        },
        deletion: deletion)

    private static let anybodys = rows.query("WHERE id = ?")
}
