public import CairnCore
internal import CairnGeo
internal import CairnWire

extension Posts {
    public static let withdrawal: Withdrawal? = Withdrawal(
        of: .post, whereabouts: { id, now in anybodys.about(integer(id.rawValue), .time(now)) },
        cell: { (row, level) throws(DamagedRow) in
            let post = try rows.read(row) { row throws(ColumnFault) in try Post(row) }
            return CellID(post.record.coordinate, level: level)
        },
        deletion: deletion)

    private static let anybodys = rows.query("WHERE id = ? AND expires > ?")
}
