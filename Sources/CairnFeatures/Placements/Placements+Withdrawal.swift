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
        owned: { owner, page in
            ofOwner.about(integer(owner.rawValue), .integer(page.place?.values.first ?? .max))
        },
        everywhere: { everywhere.page(after: $0.place, count: $0.count) },
        record: { row throws(DamagedRow) in
            try rows.read(row) { row throws(ColumnFault) in try ObjectRecord(row) }
        },
        deletion: deletion)

    private static let anybodys = rows.query("WHERE id = ?")
    private static let everywhere = Listing(rows, by: [], descending: true)
    /// No index leads to a page of an owner's (decision 0035): by the plus signs SQLite reads the index that has owners
    /// second, and sorts what it finds; else it would read the table.
    private static let ofOwner = rows.query(
        "WHERE " + rows.condition(on: 2) + " AND +instances.id < ?2 ORDER BY +instances.id DESC" + InstancePage.limit)
}
