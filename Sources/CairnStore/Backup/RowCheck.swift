internal import CairnCore
internal import GRDB

/// Checks every row of a database by the description of its table: opens sealed values, checks types and ranges,
/// compares columns that are derived with the key, and checks that referenced rows exist.
///
/// One query plan for each table and one for each reference; one row is in memory at a time.
struct RowCheck {
    let tables: [StoredTable]
    let keyring: Keyring
    let progress: @Sendable (CheckProgress) -> Void

    /// Most damaged rows that are named; all of them are counted.
    private static let namedMax = 1_000
    private static let progressRows = 20_000
    private static let progressFiles = 100

    /// The findings.
    struct Findings {
        var rowsPerTable: [String: Int] = [:]
        var damaged: [DamagedRow] = []
        var damagedCount = 0
        /// Files that sound rows name.
        var files: [NamedFile] = []
        /// Rows that are not there though a sealed value of another table says so.
        var absent: [AbsentRow] = []

        mutating func note(_ row: DamagedRow) {
            damagedCount += 1
            if damaged.count < namedMax { damaged.append(row) }
        }
    }

    /// A file and the row that names it.
    struct NamedFile {
        let file: StoredFile
        /// The row without its file.
        let missing: DamagedRow
        /// The row with a damaged file.
        let damaged: DamagedRow
    }

    /// Checks all tables in one snapshot, so that concurrent writes of a server cannot look like missing rows.
    func run(_ db: Database, each found: (StoredTable, DamagedRow) throws -> Void = { _, _ in }) throws -> Findings {
        var findings = Findings()
        try db.inTransaction(.deferred) {
            let objects = try SchemaObject.all(in: db)
            for table in tables where objects[table.name.text]?.kind == "table" {
                var rows = 0
                var chain = keyring.isBound ? ChainCheck(table) : nil
                try db.each(query(table), keyring: keyring) { row in
                    rows += 1
                    if rows.isMultiple(of: Self.progressRows) {
                        progress(CheckProgress(part: table.name.text, rows: rows))
                    }
                    let own = try fault(in: row, of: table, db)
                    if own != nil { chain?.passOver() }
                    guard let fault = own ?? chain?.fault(of: row) else {
                        if let file = Self.file(of: row, in: table) { findings.files.append(file) }
                        if let absent = try absence(notedIn: row, of: table, db),
                            findings.absent.count < Self.namedMax
                        {
                            findings.absent.append(absent)
                        }
                        return
                    }
                    findings.note(fault)
                    try found(table, fault)
                }
                findings.rowsPerTable[table.name.text] = rows
                if let fault = try chain?.faultOfEnd(db, keyring: keyring) {
                    findings.note(fault)
                    try found(table, fault)
                }
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

    private func absence(
        notedIn row: CairnCore.Row, of table: StoredTable, _ db: Database
    ) throws -> AbsentRow? {
        guard keyring.isBound, let counterpart = table.counterpart, (try? counterpart.isNoted(row)) == true else {
            return nil
        }
        let reference = counterpart.reference
        let key = row.values[reference.column]
        let query = StoredTable.existence(of: key, by: reference)
        guard try db.answer(query, keyring: nil).isEmpty, case .integer(let number) = key else { return nil }
        return AbsentRow(table: reference.table.text, key: number)
    }

    private static func file(of row: CairnCore.Row, in table: StoredTable) -> NamedFile? {
        guard let file = try? table.file?(row) else { return nil }
        let column = table.columns.firstIndex { $0.text == "file" } ?? 0
        return NamedFile(
            file: file, missing: table.damage(of: row, ColumnFault(column, .noFile)),
            damaged: table.damage(of: row, ColumnFault(column, .damagedFile)))
    }

    /// Reads every file that a row names. After `run`, whose snapshot would keep the log from being emptied meanwhile.
    /// - Parameter folders: where a file may be; one place is enough.
    func check(_ findings: inout Findings, in folders: [FileFolder]) {
        for (index, named) in findings.files.enumerated() {
            if index.isMultiple(of: Self.progressFiles) { progress(CheckProgress(part: "files", rows: index)) }
            let having = folders.filter { $0.has(named.file) }
            if having.contains(where: { named.file.isSound($0.path(of: named.file)) }) { continue }
            findings.note(having.isEmpty ? named.missing : named.damaged)
        }
    }

    /// Rows of a world that is not converted yet open without bound columns.
    private func query(_ table: StoredTable) -> Query {
        guard !keyring.isBound, let conversion = table.conversion else { return table.all }
        return Query(table.all.sql, arguments: [], opening: conversion.openings)
    }

    /// The fault of a row; nil = none.
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
