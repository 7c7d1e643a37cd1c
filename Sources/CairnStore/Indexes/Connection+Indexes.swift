internal import CairnCore
internal import GRDB
internal import GRDBSQLite

extension Connection {
    /// The indexes that SQLite uses for a statement. A table is not among them, even if it is stored in the order of
    /// its primary key (WITHOUT ROWID).
    func indexes(of sql: String) throws(StoreError) -> [String] {
        try lend("find the indexes of \"\(sql)\"") { db in
            let roots = try db.rootPages(of: sql)
            let objects = try db.answer(
                Query("SELECT rootpage, name FROM sqlite_master WHERE type = 'index'"), keyring: nil)
            return objects.compactMap { row in
                guard case .integer(let root) = row.values[0], roots.contains(root),
                    case .text(let name) = row.values[1]
                else { return nil }
                return name
            }.sorted()
        }
    }

    /// Rebuilds an index from its table.
    func rebuild(index: String) throws(StoreError) {
        try lend("build the index \(index) anew") { db in
            try db.execute(sql: "REINDEX main.\(index.quotedDatabaseIdentifier)")
        }
    }

    /// Makes every query of this connection read tables only. Temporary views have the same names as the tables, are
    /// found first, and use no index.
    static func hideIndexes(_ db: Database) throws {
        let tables = try GRDB.Row.fetchAll(
            db,
            sql: """
                SELECT name, wr FROM pragma_table_list
                WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite^_%' ESCAPE '^'
                """)
        for table in tables {
            let name: String = table["name"]
            let quoted = name.quotedDatabaseIdentifier
            var sql = "CREATE TEMP VIEW \(quoted) AS SELECT rowid AS rowid, * FROM main.\(quoted) NOT INDEXED"
            if table["wr"] {
                // NOT INDEXED has no effect here. The view orders by the key and has a LIMIT, which keeps SQLite from
                // moving a query's conditions into it. In the order of the key the table itself is the cheapest way.
                let key = try String.fetchAll(
                    db, sql: "SELECT name FROM pragma_table_info(?, 'main') WHERE pk > 0 ORDER BY pk",
                    arguments: [name]
                ).map(\.quotedDatabaseIdentifier).joined(separator: ", ")
                sql = "CREATE TEMP VIEW \(quoted) AS SELECT * FROM main.\(quoted) ORDER BY \(key) LIMIT -1"
            }
            try db.execute(sql: sql)
        }
    }
}

extension Database {
    /// The root pages of all tables and indexes that a statement opens, from the program to which SQLite compiles it.
    fileprivate func rootPages(of sql: String) throws -> Set<Int64> {
        let explanation = try makeStatement(sql: "EXPLAIN \(sql)")
        var pages: Set<Int64> = []
        // SQLite's statement exists as long as GRDB's object.
        withExtendedLifetime(explanation) {
            let program = explanation.sqliteStatement
            // Columns: addr, opcode, p1, p2, p3; p2 is the page, p3 the database: 0 = main.
            while sqlite3_step(program) == SQLITE_ROW {
                guard let opcode = sqlite3_column_text(program, 1),
                    ["OpenRead", "OpenWrite", "ReopenIdx"].contains(String(cString: opcode)),
                    sqlite3_column_int64(program, 4) == 0
                else { continue }
                pages.insert(sqlite3_column_int64(program, 3))
            }
        }
        return pages
    }
}
