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

    /// The SQL function that packs the columns of a row.
    private static let function = "cairn_pack"

    let table: StoredTable
    let keyring: Keyring
    let tallied: TalliedTable
    /// The key of both.
    private let key: String

    /// Nil = the table is not kept twice, or is not there.
    init?(_ table: StoredTable, _ tallied: TalliedTable?, _ keyring: Keyring) {
        guard table.isKeptTwice, let tallied, let key = tallied.keyOfCopies else { return nil }
        (self.table, self.tallied, self.keyring, self.key) = (table, tallied, keyring, key)
    }

    /// Those of all tables that are kept twice.
    static func all(of tables: [StoredTable], in db: Database, _ keyring: Keyring) throws -> [SecondCopies] {
        try tables.compactMap { try SecondCopies($0, TalliedTable($0, in: db), keyring) }
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
            "DELETE FROM cairn_copies WHERE \(isOf(table.name, "\(row).\(key.quotedDatabaseIdentifier)"));"
        }
        return (old ? removal("old") : "")
            + (new ? "\(removal("new")) INSERT INTO cairn_copies \(copy(of: table, "new."));" : "")
    }

    /// The condition that a copy is of the row with this key. The sign keeps the column's type out of the comparison:
    /// with it SQLite would search by the source alone, and read the copies of all rows for each row.
    private static func isOf(_ table: String, _ key: String) -> String { "source = '\(table)' AND key = +\(key)" }

    static func copy(of table: TalliedTable, _ prefix: String) -> String {
        let key = (table.keyOfCopies ?? "").quotedDatabaseIdentifier
        return "SELECT '\(table.name)', \(prefix)\(key), \(packed(table, prefix))"
    }

    private static func packed(_ table: TalliedTable, _ prefix: String) -> String {
        let columns = table.columns.map { prefix + $0.quotedDatabaseIdentifier }.joined(separator: ", ")
        return "\(function)(\(columns))"
    }

    // MARK: Reading

    var name: String { "main.\(table.name.text.quotedDatabaseIdentifier)" }
    var quotedKey: String { key.quotedDatabaseIdentifier }
    var columns: String { table.columns.map(\.text).joined(separator: ", ") }

    /// Rows without an equal copy.
    var isAlone: String {
        """
        NOT EXISTS (SELECT 1 FROM main.cairn_copies
            WHERE \(Self.isOf(table.name.text, "r.\(quotedKey)")) AND row = \(Self.packed(tallied, "r.")))
        """
    }

    /// Copies without a row of their key.
    var isOrphan: String {
        "source = '\(table.name.text)' AND NOT EXISTS (SELECT 1 FROM \(name) AS r WHERE r.\(quotedKey) = c.key)"
    }

    /// Rows that differ from their copy or have none, in the order of the table's columns.
    func alone(_ db: Database, _ body: ([SQLValue]) throws -> Void) throws {
        try db.each("SELECT \(columns) FROM \(name) AS r WHERE \(isAlone)", []) { try body($0.values) }
    }

    /// Copies without a row, as rows; those that do not open, or that are of another key, are left out.
    func orphans(_ db: Database, atMost count: Int) throws -> [[SQLValue]] {
        var found: [[SQLValue]] = []
        try db.each("SELECT c.key, c.row FROM main.cairn_copies AS c WHERE \(isOrphan) LIMIT \(count)", []) { copy in
            if let row = opened(copy.values[1], ofKey: copy.values[0]) { found.append(row) }
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

    /// The copy of a row, if it opens and is of that key: then it is a row that the server has written there.
    func copy(ofKey key: SQLValue, _ db: Database) throws -> [SQLValue]? {
        var found: [SQLValue]?
        let query = "SELECT row FROM main.cairn_copies WHERE source = '\(table.name.text)' AND key = ?"
        try db.each(query, [key]) { found = opened($0.values[0], ofKey: key) }
        return found
    }

    /// A packed row in the order of the table's columns, if it opens and has this key.
    private func opened(_ packed: SQLValue, ofKey key: SQLValue) -> [SQLValue]? {
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

    /// Adds the copies that are not as their rows are. A row that does not open is a fault of the row, not of its copy.
    static func note(
        in faults: inout CopyFaults, _ tables: [StoredTable], _ db: Database, _ keyring: Keyring
    ) throws {
        guard keyring.isTallied, tables.contains(where: \.isKeptTwice) else { return }
        try install(in: db)
        defer { remove(from: db) }
        let kept = try all(of: tables, in: db, keyring)
        for copies in kept {
            let table = copies.table
            let group = CopyGroup.rows(of: table.name.text)
            try copies.alone(db) { row in
                if table.opens(row, keyring) { faults.note(copies.key(of: row), .differs, of: group) }
            }
            for key in try copies.orphanedKeys(db, atMost: faultsMax) { faults.note(key, .rowless, of: group) }
        }
        for _ in try strays(among: kept.map(\.table.name.text), db) {
            faults.note(.null, .rowless, of: .strays)
        }
    }

    /// Copies without a row that `note` counts, of each table.
    private static let faultsMax = 1_000

    // MARK: Making anew

    /// Makes the copies of all tables as their rows are. The function that packs is installed.
    static func renewAll(of tables: [StoredTable], in db: Database, _ keyring: Keyring) throws {
        let kept = try all(of: tables, in: db, keyring)
        for copies in kept { try copies.renew(db) }
        try dropStrays(among: kept.map(\.table.name.text), db)
    }

    /// Writes the tree of the copies anew, in the order of their keys, if a check finds a fault of their values or
    /// order: in a tree that is out of order SQLite does not find each copy by its key. It keeps each copy, since one
    /// may be better than its row; that under a wrong key is one without a row from then on. So it comes before rows
    /// are compared with copies. A transaction is open.
    ///
    /// Throws for a tree whose pages are damaged. SQLite drops a table by walking its tree, and a wrong pointer would
    /// free pages of another one: that is done in a copy of the file alone (`Recovery.makeCopiesAnew`).
    /// - Returns: the first of what the check found; nil = the tree is sound.
    static func mendTree(in db: Database) throws -> String? {
        let findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(cairn_copies)")
        guard findings != ["ok"] else { return nil }
        guard findings.allSatisfy(Connection.isOfRows) else {
            throw StoreError(
                .damaged, operation: "put the second copies in order", cause: findings.first ?? "no answer",
                remedy: remedy)
        }
        // From one kind of table to another: between two of one kind SQLite copies the entries in the order in which
        // they are.
        try db.execute(
            sql: """
                CREATE TABLE main.cairn_copies_found (source, key, row);
                INSERT INTO main.cairn_copies_found SELECT source, key, row FROM main.cairn_copies;
                DROP TABLE main.cairn_copies
                """)
        try migration.execute(in: db)
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO main.cairn_copies SELECT source, key, row FROM main.cairn_copies_found
                WHERE typeof(source) = 'text' AND typeof(row) = 'blob';
                DROP TABLE main.cairn_copies_found
                """)
        return findings.first
    }

    /// What an operator does about copies whose tree is damaged.
    static let remedy = """
        start (or restart) the server: it makes them anew, or restores a backup if other pages or rows of accounts are \
        damaged too
        """

    /// What an operator does about copies whose keys are out of their order.
    static let remedyOfOrder = """
        start (or restart) the server: it makes them anew, if at most \(StartCount.rowsMax) rows have copies; beyond \
        that stop it and run cairn verify --accept
        """

    // MARK: Writing

    /// Whether there are copies of this table, or nothing to copy: a world of before has none.
    func areBegun(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM main.cairn_copies WHERE source = '\(table.name.text)')
                    OR NOT EXISTS (SELECT 1 FROM \(name))
                """) ?? true
    }

    /// Writes a row in the place of the one with the key of `former`.
    func replace(_ former: [SQLValue]?, by row: [SQLValue]?, _ db: Database) throws {
        if let former { try db.run("DELETE FROM \(name) WHERE \(quotedKey) IS ?", [key(of: former)], keyring: nil) }
        guard let row else { return }
        let own = table.ownColumns
        let names = own.map { table.columns[$0].text }.joined(separator: ", ")
        let marks = own.map { _ in "?" }.joined(separator: ", ")
        try db.run("INSERT INTO \(name) (\(names)) VALUES (\(marks))", own.map { row[$0] }, keyring: nil)
    }

    /// Writes the columns of a row that differ from those of another one with the same key.
    func change(_ former: [SQLValue], to row: [SQLValue], _ db: Database) throws {
        let changed = table.ownColumns.filter { row[$0] != former[$0] }
        guard !changed.isEmpty else { return }
        let set = changed.map { "\(table.columns[$0].text) = ?" }.joined(separator: ", ")
        try db.run(
            "UPDATE \(name) SET \(set) WHERE \(quotedKey) IS ?", changed.map { row[$0] } + [key(of: row)],
            keyring: nil)
    }

    func key(of row: [SQLValue]) -> SQLValue { row[table.key[0]] }
}

extension StoredTable {
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
