public import CairnCore
internal import CairnGeo

/// By which level of cells a world is stored.
extension Placements {
    /// Some instances, for `storage(of:inCellOfLevel:)`.
    public static let sample = rows.query("LIMIT 16")

    /// Asks whether the instance in a row of `sample` is stored in the cell of this level around it: then there is a
    /// row. Nil for a row that cannot be read.
    public static func storage(of row: Row, inCellOfLevel level: Int) -> Query? {
        guard let record = try? ObjectRecord(row) else { return nil }
        return Query(
            "SELECT 1 FROM instances WHERE id = ? AND cell = ?", row.values[0],
            pseudonym(of: CellID(record.coordinate, level: level)))
    }
}
