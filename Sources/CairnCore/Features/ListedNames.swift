public import CairnWire

/// The names of open sub-realms as they are stored, for the list in memory (SUB-12). Read when the server starts;
/// afterwards `Effect.list` changes the list.
public struct ListedNames: Sendable {
    public let query: Query
    private let table: StoredTable
    private let entry: @Sendable (Row) throws(ColumnFault) -> NameIndex<RealmTag>.Entry

    public init(
        of table: StoredTable, _ query: Query,
        entry: @escaping @Sendable (Row) throws(ColumnFault) -> NameIndex<RealmTag>.Entry
    ) {
        self.table = table
        self.query = query
        self.entry = entry
    }

    /// Reads the answer to the query. Damaged rows are added to `damage` and left out.
    public func entries(in rows: [Row], into damage: inout [DamagedRow]) -> [NameIndex<RealmTag>.Entry] {
        rows.read(as: table, into: &damage, entry)
    }
}
