public import CairnCore
internal import CairnGeo

extension Placements {
    /// An instance is stored in the cell around its place.
    public static let levelProbe: LevelProbe? = LevelProbe(sample: rows.query("LIMIT 16")) { row, level in
        guard let record = try? ObjectRecord(row) else { return nil }
        return Query(
            "SELECT 1 FROM instances WHERE id = ? AND cell = ?", row.values[0],
            CellID(record.coordinate, level: level).stored)
    }
}
