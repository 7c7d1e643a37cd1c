internal import CairnCore
internal import GRDB

/// Reads every row of a database by what its table says of it: opens what is sealed, looks at types and ranges,
/// compares what follows from the row by the key, and looks for the rows that it names.
///
/// One query plan for each table and one for each reference; one row is in memory at a time.
struct RowCheck {
    let tables: [StoredTable]
    let keyring: Keyring
    let progress: @Sendable (CheckProgress) -> Void

    /// Damaged rows that are named; all are counted.
    private static let namedMax = 1_000
    private static let progressRows = 20_000

    /// What was found.
    struct Findings {
        var rowsPerTable: [String: Int] = [:]
        var damaged: [DamagedRow] = []
        var damagedCount = 0
    }

    /// All tables in one snapshot, so that what a server writes meanwhile cannot look like a missing row.
    func run(_ db: Database, each found: (StoredTable, DamagedRow) throws -> Void = { _, _ in }) throws -> Findings {
        var findings = Findings()
        try db.inTransaction(.deferred) {
            let objects = try SchemaObject.all(in: db)
            for table in tables where objects[table.name.text]?.kind == "table" {
                var rows = 0
                try db.each(query(table), keyring: keyring) { row in
                    rows += 1
                    if rows.isMultiple(of: Self.progressRows) {
                        progress(CheckProgress(part: table.name.text, rows: rows))
                    }
                    guard let fault = try fault(in: row, of: table, db) else { return }
                    findings.damagedCount += 1
                    if findings.damaged.count < Self.namedMax { findings.damaged.append(fault) }
                    try found(table, fault)
                }
                findings.rowsPerTable[table.name.text] = rows
            }
            let others = objects.filter { $0.value.kind == "table" && !$0.key.hasPrefix("sqlite_") }.keys
            for table in others where findings.rowsPerTable[table] == nil {
                let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.quotedDatabaseIdentifier)")
                findings.rowsPerTable[table] = count ?? 0
            }
            return .commit
        }
        return findings
    }

    /// Rows of a world that has not been converted yet open without what is bound to them now.
    private func query(_ table: StoredTable) -> Query {
        guard !keyring.isBound, let conversion = table.conversion else { return table.all }
        return Query(table.all.sql, arguments: [], opening: conversion.openings)
    }

    /// What is wrong with a row; nil = nothing.
    func fault(in row: CairnCore.Row, of table: StoredTable, _ db: Database) throws -> DamagedRow? {
        do throws(DamagedRow) {
            if !keyring.isBound, let conversion = table.conversion {
                _ = try table.read(row, conversion.statements)
            } else {
                for derived in try table.check(row) {
                    guard (try? keyring.clear(derived.value)) != row.values[derived.column] else { continue }
                    throw table.damage(of: row, ColumnFault(derived.column, .disagrees))
                }
            }
        } catch {
            return error
        }
        for reference in table.references {
            let query = StoredTable.existence(of: row.values[reference.column], by: reference)
            if try db.answer(query, keyring: nil).isEmpty {
                return table.damage(of: row, ColumnFault(reference.column, .dangling))
            }
        }
        return nil
    }
}
