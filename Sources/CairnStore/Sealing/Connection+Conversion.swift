internal import CairnCore
internal import GRDB
internal import Logging

/// Converts a world from before sealed values were bound to the columns beside them (decision 0005): its rows are
/// sealed again at the first start.
extension Connection {
    /// Most rows in memory at a time.
    private static let conversionRowsMax = 1_000
    /// Rows between two log lines with the progress.
    private static let progressRows = 100_000

    /// Seals all rows again, in one transaction: if it is interrupted, the world is unchanged and the next start
    /// converts it. A row that cannot be read stays unchanged and can no longer be opened.
    /// - Returns: the rows that stayed unchanged; nil = the world is converted already.
    func convert(
        _ tables: [StoredTable], with masters: MasterKeys, logger: Logger
    ) throws(StoreError) -> [DamagedRow]? {
        guard let keyring, !keyring.isBound else { return nil }
        let start = ContinuousClock.now
        logger.notice("store: convert: the rows of this world are sealed anew, which happens once")
        var rows = 0
        let damage = try lend("convert the world") { db in
            var damage: [DamagedRow] = []
            try db.inTransaction(.immediate) {
                for table in tables { rows += try convert(table, db, into: &damage, after: rows, logger) }
                try bindKeys(db, with: masters)
                return .commit
            }
            return damage
        }
        keyring.bind()
        logger.notice("store: convert: \(rows) rows in \(ContinuousClock.now - start); \(damage.count) set aside")
        return damage
    }

    private func convert(
        _ table: StoredTable, _ db: Database, into damage: inout [DamagedRow], after done: Int, _ logger: Logger
    ) throws -> Int {
        guard let conversion = table.conversion else { return 0 }
        var count = 0
        var last: [SQLValue]?
        while true {
            let query = table.page(
                after: last, rowsMax: Self.conversionRowsMax, opening: conversion.openings)
            let page = try db.answer(query, keyring: keyring)
            for row in page {
                if let fault = try convert(row, of: table, conversion, db) { damage.append(fault) }
                count += 1
                if (done + count).isMultiple(of: Self.progressRows) {
                    logger.notice("store: convert: \(done + count) rows so far")
                }
            }
            guard page.count == Self.conversionRowsMax, let row = page.last else { return count }
            last = table.key(of: row)
        }
    }

    /// - Returns: the fault of the row, which stays unchanged; nil = converted.
    private func convert(
        _ row: CairnCore.Row, of table: StoredTable, _ conversion: StoredTable.Conversion, _ db: Database
    ) throws -> DamagedRow? {
        do {
            for statement in try table.read(row, conversion.statements) { try db.run(statement, keyring: keyring) }
            return nil
        } catch let error as DamagedRow {
            return error
        } catch {
            // A statement that the database refuses has changed nothing, and the transaction goes on.
            guard StoreError(error, operation: "convert the world").isPermanent, db.isInsideTransaction else {
                throw error
            }
            return table.damage(of: row, ColumnFault(table.key[0], .disagrees))
        }
    }
}
