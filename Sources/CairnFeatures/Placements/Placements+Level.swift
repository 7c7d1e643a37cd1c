public import CairnCore
internal import CairnGeo

extension Placements {
    /// Finds out the cell level of a database: an instance is stored under the cell that contains its place.
    public static let levelProbe: LevelProbe? = LevelProbe(sample: rows.query("LIMIT 16")) { row, level in
        guard let record = try? ObjectRecord(row) else { return nil }
        return Query(
            "SELECT 1 FROM instances WHERE id = ? AND cell = ?", row.values[0],
            CellID(record.coordinate, level: level).stored)
    }
}
