public import CairnGeo

extension CellID {
    /// What stands in a column in this cell's place: only the key makes it, so the file does not tell where things are.
    /// Tables whose rows are joined by their cell have the same.
    public var stored: SQLValue { .pseudonym(rawValue, Self.seal) }

    private static let seal = Seal("instances.cell")
}

/// How a feature finds out by which level of cells its rows are stored: everything is found by its cell, and by no
/// other.
public struct LevelProbe: Sendable {
    /// Some rows.
    public let sample: Query
    /// Asks whether such a row is stored in the cell of a level around its place: then there is a row. Nil for one that
    /// cannot be read.
    public let storage: @Sendable (_ row: Row, _ level: Int) -> Query?

    public init(sample: Query, storage: @escaping @Sendable (_ row: Row, _ level: Int) -> Query?) {
        self.sample = sample
        self.storage = storage
    }
}
