internal import GRDB

/// Looks at pages and trees, as SQLite sees them.
extension Connection {
    /// What is found wrong with one database is listed up to this length; what has more is beyond repair by rows.
    private static let findingsMax = 100

    /// Looks for damage of the file's structure; throws what it finds. Beside it gives findings about single values,
    /// such as a text where a number belongs: they concern a row, which is set aside when it is read.
    ///
    /// - Parameter withIndexes: also compares each index with its table, in about twice the time.
    @discardableResult
    func examineStructure(_ path: String, withIndexes: Bool = false) throws(StoreError) -> [String] {
        let pragma = withIndexes ? "integrity_check" : "quick_check"
        let findings = try lend("check \(path)") { db in
            // These two decide what all the rest means, so their indexes are always compared.
            var findings = try String.fetchAll(db, sql: "PRAGMA \(pragma)(\(Self.findingsMax))")
            for table in ["grdb_migrations", "cairn_keys"] where try !withIndexes && db.tableExists(table) {
                findings += try String.fetchAll(db, sql: "PRAGMA integrity_check(\(table))")
            }
            return findings.filter { $0 != "ok" }
        }
        let ofValues = findings.filter { $0.contains(" value in ") }
        let ofStructure = findings.filter { !$0.contains(" value in ") }
        guard ofStructure.isEmpty, ofValues.count < Self.findingsMax else {
            throw StoreError(
                .damaged, operation: "check \(path)",
                cause: (ofStructure.isEmpty ? ofValues : ofStructure).prefix(3).joined(separator: ", "),
                remedy: "restore a backup (cairn restore); the file was left as it is")
        }
        return ofValues
    }

    /// A database without keys is one at whose making the power failed. Rows in it mean that its keys are lost.
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
