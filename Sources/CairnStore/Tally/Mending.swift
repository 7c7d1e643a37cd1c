internal import CairnCore
internal import GRDB

/// Makes rows and indexes right again at a start, before anybody asks for them: a flipped bit in the column by which an
/// account is found must not lose the account.
///
/// A row with one flipped bit is found by trying: only the right one opens its sealed value, which authenticates the
/// columns beside it. So nothing comes back that the server has not written.
struct Mending {
    let table: StoredTable
    let keyring: Keyring
    /// Rows that are not mended by then stay as they are.
    let deadline: ContinuousClock.Instant

    /// Rows of one table that are tried: with more of them a restore is better.
    private static let rowsMax = 100
    /// Longer sealed values are not searched bit by bit: each bit costs an attempt to open them.
    private static let sealedBytesMax = 2_048

    // MARK: Rows

    /// Mends the damaged rows of a table. Returns how many.
    func mendRows(in db: Database) throws -> Int {
        guard let opening = table.openings.first else { return 0 }
        var damaged: [CairnCore.Row] = []
        try db.each(table.rowsAsTheyStand, keyring: nil) { row in
            guard damaged.count < Self.rowsMax, !table.opens(row.values, keyring) else { return }
            damaged.append(row)
        }
        var count = 0
        for row in damaged {
            guard let found = original(of: row.values, opening) else { continue }
            try replace(row.values, by: found, in: db)
            count += 1
        }
        return count
    }

    /// The row with one other bit that opens; nil = more than a bit is wrong.
    private func original(of values: [SQLValue], _ opening: Opening) -> [SQLValue]? {
        for column in Set([opening.row] + opening.bound).sorted() + [opening.column] {
            var changed = values
            for index in 0..<Self.bits(of: values[column], atMost: Self.sealedBytesMax) {
                guard let value = Self.flipped(values[column], index) else { continue }
                if index & 0xFF == 0, ContinuousClock.now > deadline { return nil }
                changed[column] = value
                if table.opens(changed, keyring) { return changed }
            }
        }
        return nil
    }

    private static func bits(of value: SQLValue, atMost bytesMax: Int) -> Int {
        switch value {
        case .integer, .real: 64
        case .text(let text): text.utf8.count <= bytesMax ? 8 * text.utf8.count : 0
        case .blob(let blob): blob.count <= bytesMax ? 8 * blob.count : 0
        default: 0
        }
    }

    private static func flipped(_ value: SQLValue, _ bit: Int) -> SQLValue? {
        switch value {
        case .integer(let number): return .integer(number ^ (1 << bit))
        case .real(let number): return .real(Double(bitPattern: number.bitPattern ^ (1 << UInt64(bit))))
        case .text(let text):
            var bytes = Array(text.utf8)
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            return String(validating: bytes, as: UTF8.self).map { .text($0) }
        case .blob(var bytes):
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            return .blob(bytes)
        default: return nil
        }
    }

    /// The keys of some tables are their order, and a row with a wrong one is not found by it: so it is searched for by
    /// its sealed value, and indexes are built anew afterwards.
    private func replace(_ former: [SQLValue], by values: [SQLValue], in db: Database) throws {
        let columns = table.ownColumns
        let changed = columns.filter { values[$0] != former[$0] }
        let name = table.name.text.quotedDatabaseIdentifier
        let condition = columns.map { "+\(table.columns[$0].text) IS ?" }.joined(separator: " AND ")
        let own = columns.map { former[$0] }
        guard changed.contains(where: table.key.contains) else {
            let set = changed.map { "\(table.columns[$0].text) = ?" }.joined(separator: ", ")
            try db.run(
                "UPDATE main.\(name) SET \(set) WHERE \(condition)", changed.map { values[$0] } + own, keyring: nil)
            return
        }
        try db.run("DELETE FROM main.\(name) WHERE \(condition)", own, keyring: nil)
        let names = columns.map { table.columns[$0].text }.joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        try db.run(
            "INSERT INTO main.\(name) (\(names)) VALUES (\(marks))", columns.map { values[$0] }, keyring: nil)
    }

    // MARK: Indexes

    /// Whether the table's indexes are looked at at each start: people are found by them.
    static func looksAtIndexes(of table: StoredTable) -> Bool { table.owner == .account && table.filing == nil }

    /// Builds the indexes of a table anew if they disagree with it.
    /// - Returns: the first of what a check found; nil = they agree.
    static func mendIndexes(of table: StoredTable, in db: Database) throws -> String? {
        let name = table.name.text.quotedDatabaseIdentifier
        let findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(name))")
        guard findings != ["ok"] else { return nil }
        try db.execute(sql: "REINDEX main.\(name)")
        return findings.first
    }
}
