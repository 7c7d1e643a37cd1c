internal import CairnCore
internal import GRDB
internal import GRDBSQLite

/// The second copies of a table's rows, for the tables whose rows cost an account (`StoredTable.isKeptTwice`, decision
/// 0072).
///
/// A copy has the columns of its row as they stand in the file, sealed values included: it says nothing that the row
/// does not say, and it opens beside its own columns only. Temporary triggers write it in the transaction that writes
/// the row, so no feature can forget it, and one flipped bit never damages both.
struct SecondCopies {
    static let migration = Migration(
        "store-copies-1",
        """
        CREATE TABLE cairn_copies (
            source TEXT NOT NULL, key ANY NOT NULL, row BLOB NOT NULL, PRIMARY KEY (source, key)
        ) STRICT, WITHOUT ROWID
        """)

    /// The table that holds the copies of all others.
    static let name = "cairn_copies"

    /// How a fault of a copy names the table of its row.
    static func column(of table: StoredTable) -> String { "row of \(table.name.text)" }

    /// The SQL function that packs the columns of a row.
    private static let function = "cairn_pack"

    let table: StoredTable
    let keyring: Keyring
    private let tallied: TalliedTable
    /// The key of both.
    private let key: String

    /// Nil = the table is not kept twice, or is not there.
    init?(_ table: StoredTable, _ tallied: TalliedTable?, _ keyring: Keyring) {
        guard table.isKeptTwice, let tallied, let key = tallied.keyOfCopies else { return nil }
        (self.table, self.tallied, self.keyring, self.key) = (table, tallied, keyring, key)
    }

    // MARK: Keeping

    /// Makes the function. It is not marked innocuous, so SQLite refuses it to whatever stands in the file.
    static func install(in db: Database) throws {
        let code = sqlite3_create_function_v2(
            db.sqliteConnection, function, -1, SQLITE_UTF8, nil,
            { context, count, values in
                guard let context, let values else { return }
                let row = (0..<Int(count)).compactMap { values[$0].map(SQLValue.init(lent:)) }
                let packed = SealedValues.bytes(of: row)
                packed.withUnsafeBytes { bytes in
                    sqlite3_result_blob64(context, bytes.baseAddress, UInt64(bytes.count), SQLValue.copied)
                }
            }, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// Removes the function.
    static func remove(from db: Database) {
        sqlite3_create_function_v2(db.sqliteConnection, function, -1, SQLITE_UTF8, nil, nil, nil, nil, nil)
    }

    /// What a trigger does for a row that comes, goes or changes; empty = the table is not kept twice.
    ///
    /// A statement that says how conflicts are resolved says that for its triggers as well, so they meet none.
    static func upkeep(of table: TalliedTable, removing old: Bool, adding new: Bool) -> String {
        guard let key = table.keyOfCopies else { return "" }
        let removal = { (row: String) in
            "DELETE FROM cairn_copies WHERE source = '\(table.name)' AND key = \(row).\(key.quotedDatabaseIdentifier);"
        }
        return (old ? removal("old") : "")
            + (new ? "\(removal("new")) INSERT INTO cairn_copies \(copy(of: table, "new."));" : "")
    }

    private static func copy(of table: TalliedTable, _ prefix: String = "") -> String {
        let key = (table.keyOfCopies ?? "").quotedDatabaseIdentifier
        return "SELECT '\(table.name)', \(prefix)\(key), \(packed(table, prefix))"
    }

    private static func packed(_ table: TalliedTable, _ prefix: String) -> String {
        let columns = table.columns.map { prefix + $0.quotedDatabaseIdentifier }.joined(separator: ", ")
        return "\(function)(\(columns))"
    }

    // MARK: Reading

    private var source: String { "main.\(table.name.text.quotedDatabaseIdentifier)" }
    private var quotedKey: String { key.quotedDatabaseIdentifier }
    private var columns: String { table.columns.map(\.text).joined(separator: ", ") }

    /// Rows without an equal copy.
    private var isAlone: String {
        """
        NOT EXISTS (SELECT 1 FROM main.cairn_copies AS c WHERE c.source = '\(table.name.text)'
            AND c.key = r.\(quotedKey) AND c.row = \(Self.packed(tallied, "r.")))
        """
    }

    /// Copies without a row of their key.
    private var isOrphan: String {
        "source = '\(table.name.text)' AND NOT EXISTS (SELECT 1 FROM \(source) AS r WHERE r.\(quotedKey) = c.key)"
    }

    /// Rows that differ from their copy or have none, in the order of the table's columns.
    func alone(_ db: Database, _ body: ([SQLValue]) throws -> Void) throws {
        try db.each("SELECT \(columns) FROM \(source) AS r WHERE \(isAlone)", []) { try body($0.values) }
    }

    /// Copies without a row, as rows; those that do not open are left out.
    func orphans(_ db: Database, atMost count: Int) throws -> [[SQLValue]] {
        var found: [[SQLValue]] = []
        try db.each("SELECT c.row, c.key FROM main.cairn_copies AS c WHERE \(isOrphan) LIMIT \(count)", []) { row in
            if let copy = opened(row.values[0], key: row.values[1]) { found.append(copy) }
        }
        return found
    }

    /// Keys of copies without a row.
    func orphanedKeys(_ db: Database, atMost count: Int) throws -> [SQLValue] {
        var found: [SQLValue] = []
        try db.each("SELECT c.key FROM main.cairn_copies AS c WHERE \(isOrphan) LIMIT \(count)", []) {
            found.append($0.values[0])
        }
        return found
    }

    /// The copy of a row, if it opens: then it is a row that the server has written.
    func copy(ofKey key: SQLValue, _ db: Database) throws -> [SQLValue]? {
        var found: [SQLValue]?
        let query = "SELECT row FROM main.cairn_copies WHERE source = '\(table.name.text)' AND key = ?"
        try db.each(query, [key]) { found = opened($0.values[0], key: key) }
        return found
    }

    /// A packed row in the order of the table's columns, if it opens and is the one with this key: somebody who has the
    /// file may have put another row's copy there.
    private func opened(_ packed: SQLValue, key: SQLValue) -> [SQLValue]? {
        guard case .blob(let bytes) = packed, let values = SealedValues.decode(bytes),
            values.count == tallied.columns.count
        else { return nil }
        let named = Dictionary(zip(tallied.columns, values)) { first, _ in first }
        let row = table.columns.map { column in
            // Some descriptions name the sealed column twice: `sealed AS stored`.
            named[column.text.utf8.split(separator: 0x20).first.map { String(decoding: $0, as: UTF8.self) } ?? ""]
                ?? .null
        }
        return self.key(of: row) == key && table.opens(row, keyring) ? row : nil
    }

    /// The copies of rows that do not open, packed, with their keys: they may be the last of these rows that opens.
    private func copiesOfDamagedRows(_ db: Database) throws -> [(key: SQLValue, packed: SQLValue)] {
        var keys: [SQLValue] = []
        try alone(db) { row in
            if !table.opens(row, keyring) { keys.append(key(of: row)) }
        }
        var found: [(key: SQLValue, packed: SQLValue)] = []
        let query = "SELECT row FROM main.cairn_copies WHERE source = '\(table.name.text)' AND key = ?"
        for key in keys { try db.each(query, [key]) { found.append((key, $0.values[0])) } }
        return found
    }

    /// The copies that are not as their rows are. A row that does not open is a fault of the row, not of its copy.
    static func faults(
        _ tables: [StoredTable], _ db: Database, _ keyring: Keyring, each body: (DamagedRow) -> Void
    ) throws {
        guard keyring.isTallied, tables.contains(where: \.isKeptTwice) else { return }
        try install(in: db)
        defer { remove(from: db) }
        for table in tables {
            guard let copies = try SecondCopies(table, TalliedTable(table, in: db), keyring) else { continue }
            let fault = { (key: SQLValue, cause: ColumnFault.Cause) in
                DamagedRow(table: name, key: [key], column: column(of: table), cause: cause)
            }
            try copies.alone(db) { row in
                if table.opens(row, keyring) { body(fault(copies.key(of: row), .differs)) }
            }
            for key in try copies.orphanedKeys(db, atMost: faultsMax) { body(fault(key, .rowless)) }
        }
    }

    /// Copies without a row that `faults` names.
    private static let faultsMax = 1_000

    // MARK: Making anew

    /// Makes the copies of all tables as their rows are. The function that packs is installed.
    /// - Parameter isEmptied: makes the table of the copies anew as well.
    static func renewAll(
        of tables: [StoredTable], in db: Database, _ keyring: Keyring, isEmptied: Bool = false
    ) throws {
        let all = try tables.compactMap { try SecondCopies($0, TalliedTable($0, in: db), keyring) }
        let kept = try all.map { try $0.copiesOfDamagedRows(db) }
        if isEmptied {
            try db.execute(sql: "DROP TABLE main.cairn_copies")
            try migration.execute(in: db)
        }
        for (copies, kept) in zip(all, kept) {
            try copies.renew(db, among: all.map(\.table.name.text), keeping: kept)
        }
    }

    /// Makes all copies anew if a check finds a fault in their tree, such as keys out of their order: they say nothing
    /// that their rows do not say. The function that packs is installed.
    ///
    /// Throws for a tree whose pages are damaged. SQLite drops a table by walking its tree, and a wrong pointer would
    /// free pages of another one: that is done in a copy of the file alone (`Recovery.makeCopiesAnew`).
    /// - Returns: the first of what the check found; nil = the tree is sound.
    static func mendTree(of tables: [StoredTable], in db: Database, _ keyring: Keyring) throws -> String? {
        let findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(cairn_copies)")
        guard findings != ["ok"] else { return nil }
        guard findings.allSatisfy(Connection.isOfRows) else {
            throw StoreError(
                .damaged, operation: "make the second copies anew", cause: findings.first ?? "no answer",
                remedy: "start the server again with a check of the file")
        }
        try db.inTransaction(.immediate) {
            try renewAll(of: tables, in: db, keyring, isEmptied: true)
            return .commit
        }
        return findings.first
    }

    // MARK: Writing

    /// Whether there are copies of this table, or nothing to copy: a world of before has none.
    func areBegun(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM main.cairn_copies WHERE source = '\(table.name.text)')
                    OR NOT EXISTS (SELECT 1 FROM \(source))
                """) ?? true
    }

    /// Makes the copies as the rows are; those of rows that do not open stay.
    /// - Parameter known: the names of all tables that are kept twice: copies of others are none.
    func renew(_ db: Database, among known: [String]) throws {
        try renew(db, among: known, keeping: copiesOfDamagedRows(db))
    }

    private func renew(
        _ db: Database, among known: [String], keeping kept: [(key: SQLValue, packed: SQLValue)]
    ) throws {
        let names = known.map { "'\($0)'" }.joined(separator: ", ")
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO main.cairn_copies
                \(Self.copy(of: tallied)) FROM \(source) AS r WHERE \(isAlone);
                DELETE FROM main.cairn_copies AS c WHERE \(isOrphan);
                DELETE FROM main.cairn_copies WHERE source NOT IN (\(names))
                """)
        let update = "UPDATE main.cairn_copies SET row = ? WHERE source = '\(table.name.text)' AND key = ?"
        for copy in kept { try db.run(update, [copy.packed, copy.key], keyring: nil) }
    }

    /// Makes one copy anew that does not open and whose row does. One that opens may be right where its row is not: the
    /// tally says that at a start.
    /// - Returns: whether it was made.
    func renew(ofKey key: SQLValue, _ db: Database) throws -> Bool {
        guard try copy(ofKey: key, db) == nil else { return false }
        var isSound = false
        try db.each("SELECT \(columns) FROM \(source) AS r WHERE r.\(quotedKey) IS ?", [key]) { row in
            isSound = table.opens(row.values, keyring)
        }
        guard isSound else { return false }
        try db.run(
            "INSERT OR REPLACE INTO main.cairn_copies \(Self.copy(of: tallied)) FROM \(source) AS r "
                + "WHERE r.\(quotedKey) IS ?", [key], keyring: nil)
        return true
    }

    /// Writes a row in the place of the one with the key of `former`.
    func replace(_ former: [SQLValue]?, by row: [SQLValue]?, _ db: Database) throws {
        if let former { try db.run("DELETE FROM \(source) WHERE \(quotedKey) IS ?", [key(of: former)], keyring: nil) }
        guard let row else { return }
        let own = table.ownColumns
        let names = own.map { table.columns[$0].text }.joined(separator: ", ")
        let marks = own.map { _ in "?" }.joined(separator: ", ")
        try db.run("INSERT INTO \(source) (\(names)) VALUES (\(marks))", own.map { row[$0] }, keyring: nil)
    }

    /// Writes the columns of a row that differ from those of another one with the same key.
    func change(_ former: [SQLValue], to row: [SQLValue], _ db: Database) throws {
        let changed = table.ownColumns.filter { row[$0] != former[$0] }
        guard !changed.isEmpty else { return }
        let set = changed.map { "\(table.columns[$0].text) = ?" }.joined(separator: ", ")
        try db.run(
            "UPDATE \(source) SET \(set) WHERE \(quotedKey) IS ?", changed.map { row[$0] } + [key(of: row)],
            keyring: nil)
    }

    func key(of row: [SQLValue]) -> SQLValue { row[table.key[0]] }
}

extension StoredTable {
    /// The columns that are the table's own: some descriptions name the sealed column twice, as it opens and as it
    /// stands.
    var ownColumns: [Int] { columns.indices.filter { !columns[$0].text.utf8.contains(0x20) } }

    /// Whether every sealed value of a row, as it stands in the file, opens beside the other columns.
    func opens(_ values: [SQLValue], _ keyring: Keyring) -> Bool {
        openings.allSatisfy { opening in
            guard case .integer(let row) = values[opening.row] else { return false }
            let bound = opening.bound.map { values[$0] }
            if case .sealed = keyring.open(values[opening.column], opening.seal, row: row, bound: bound) { return true }
            return false
        }
    }
}
