internal import GRDB

/// Checks pages and trees with SQLite's own functions.
extension Connection {
    /// Most findings that are listed for one database. A database with more cannot be repaired row by row.
    private static let findingsMax = 100

    /// Checks the file's structure and throws for damage. Returns findings about single values, such as a text where a
    /// number belongs, and about entries of indexes: they concern rows, and the rest of the file can be read.
    ///
    /// - Parameter withIndexes: also compares each index with its table, in about twice the time.
    @discardableResult
    func examineStructure(_ path: String, withIndexes: Bool = false) throws(StoreError) -> [String] {
        let pragma = withIndexes ? "integrity_check" : "quick_check"
        let (findings, ofCore) = try lend("check \(path)") { db in
            let findings = try String.fetchAll(db, sql: "PRAGMA \(pragma)(\(Self.findingsMax))")
            // These two tables determine the meaning of all others, so no fault in them is accepted.
            let core = try ["grdb_migrations", "cairn_keys"].filter { try db.tableExists($0) }
                .flatMap { try String.fetchAll(db, sql: "PRAGMA integrity_check(\($0))") }
            return (findings.filter { $0 != "ok" }, core.filter { $0 != "ok" })
        }
        let ofStructure =
            ofCore + findings.filter { !Self.isOfRows($0) }
        guard ofStructure.isEmpty, findings.count < Self.findingsMax else {
            throw StoreError(
                .damaged, operation: "check \(path)",
                cause: (ofStructure.isEmpty ? findings : ofStructure).prefix(3).joined(separator: ", "),
                remedy: "restore a backup (cairn restore); the file was left as it is")
        }
        return findings
    }

    /// SQLite's wording of findings about a value, about the entries of an index, or about the keys of second copies,
    /// which a start makes anew.
    private static let marksOfRows = [
        " value in ", " missing from index ", "wrong # of entries in index ", "non-unique entry in index ",
        "rowid not at end-of-record for row ", "values differ from index ",
        "row not in PRIMARY KEY order for cairn_copies",
    ]

    /// Whether a finding is about rows or entries, and not about the pages that hold them.
    static func isOfRows(_ finding: String) -> Bool { marksOfRows.contains { finding.contains($0) } }

    /// Whether a finding is about the values of second copies or their order: rows are sound without them.
    static func isOfCopies(_ finding: String) -> Bool { isOfRows(finding) && finding.contains("cairn_copies") }

    /// Whether the tree of the second copies is damaged, as far as it shows by itself. Throws where the schema cannot
    /// be read: then more than the copies is damaged, or the disk refuses.
    func areCopiesDamaged() throws(StoreError) -> Bool {
        let isThere = try lend("read the schema") { db in try db.tableExists("cairn_copies") }
        guard isThere else { return false }
        do throws(StoreError) {
            return try lend("check the second copies") { db in
                try String.fetchAll(db, sql: "PRAGMA integrity_check(cairn_copies)") != ["ok"]
            }
        } catch {
            guard error.kind == .damaged else { throw error }
            return true
        }
    }

    /// A database without keys was created when the power failed. If it has rows, its keys are lost.
    func requireNoRows(_ path: String) throws(StoreError) {
        let filled = try lend("read the database's keys") { db in
            try SchemaObject.all(in: db).filter { name, object in
                object.kind == "table" && name != "grdb_migrations" && !name.hasPrefix("sqlite_")
            }.keys.sorted().first { table in
                try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(table.quotedDatabaseIdentifier))") ?? false
            }
        }
        guard let filled else { return }
        throw StoreError(
            .damaged, operation: "open the sealed database \(path)", cause: "its keys are gone, but \(filled) has rows",
            remedy: "restore a backup (cairn restore); the file was left as it is")
    }
}
