public import CairnGeo

extension CellID {
    /// The pseudonym of this cell in a column. It is computed with the key, so the file does not reveal places. Tables
    /// that are joined by cell use the same pseudonym.
    public var stored: SQLValue { .pseudonym(rawValue, Self.seal) }

    private static let seal = Seal("instances.cell")
}

/// Finds out the level of the cells under which a feature's rows are stored. A row can be found only by its cell at
/// that level.
public struct LevelProbe: Sendable {
    /// Query for a sample of rows.
    public let sample: Query
    /// Query for whether a sample row is stored under the cell of this level at its place: one row if it is. Nil for a
    /// sample row that cannot be read.
    public let storage: @Sendable (_ row: Row, _ level: Int) -> Query?

    public init(sample: Query, storage: @escaping @Sendable (_ row: Row, _ level: Int) -> Query?) {
        self.sample = sample
        self.storage = storage
    }
}
