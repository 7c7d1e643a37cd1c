internal import CairnCore
internal import GRDB

/// Follows the rows of a table with a chain, in order: finds a row that is missing, out of place, or cut off at the
/// end.
struct ChainCheck {
    private let table: StoredTable
    private let chain: StoredTable.Chain
    private var number: Int64 = 0
    /// The mark of the last row; nil = it is damaged, or there is none.
    private var mark: String?

    /// Nil for a table without a chain.
    init?(_ table: StoredTable) {
        guard let chain = table.chain else { return nil }
        (self.table, self.chain) = (table, chain)
    }

    /// A row that is damaged by itself: what follows it is compared by its number alone.
    mutating func passOver() {
        number += 1
        mark = nil
    }

    /// The fault of a sound row; nil = it follows the one before.
    mutating func fault(of row: CairnCore.Row) -> DamagedRow? {
        guard let link = try? chain.link(row) else { return nil }
        let follows = link.number == number + 1 && (mark == nil || mark == link.before)
        (number, mark) = (link.number, link.mark)
        return follows ? nil : table.damage(of: row, ColumnFault(table.key[0], .notInOrder))
    }

    /// The fault of the end; nil = the chain ends where it should.
    func faultOfEnd(_ db: Database, keyring: Keyring) throws -> DamagedRow? {
        let end = chain.end(try db.answer(chain.head, keyring: keyring))
        guard end != nil || number > 0 else { return nil }
        if let end, end.number == number, mark == nil || mark == end.mark { return nil }
        let isCut = (end?.number ?? 0) > number
        return DamagedRow(
            table: table.name.text, key: [.integer(isCut ? number + 1 : number)],
            column: table.columns[table.key[0]].text, cause: isCut ? .missing : .notInOrder)
    }
}
