internal import CairnCore
internal import Foundation
internal import GRDB

/// The steps of the schema, in the order of the register (DAT-9).
struct Schema {
    private let names: [String]
    private var migrator = DatabaseMigrator()

    /// - Parameter migrations: the features' steps; the store's own come before them.
    init(_ migrations: [Migration]) {
        let migrations = [Connection.keysMigration] + migrations
        names = migrations.map(\.name)
        for migration in migrations {
            migrator.registerMigration(migration.name) { db in
                for sql in migration.sql { try db.execute(sql: sql) }
            }
        }
    }

    /// What a database still lacks.
    enum State: Hashable {
        case current
        /// Nothing was ever in it.
        case new
        /// Lacks these steps, and holds data.
        case older(missing: [String])
    }

    /// Refuses a database that a newer server wrote.
    func examine(_ connection: Connection) throws(StoreError) -> State {
        let applied = try connection.lend("read the schema's version") { db in
            try migrator.appliedIdentifiers(db)
        }
        guard applied.isEmpty || applied.contains(Connection.keysMigration.name) else {
            throw StoreError(
                .key, operation: "read the schema's version",
                cause: "the database was written before Cairn sealed what it keeps; no release ever did that",
                remedy: "name another folder with storage.path; nothing was changed")
        }
        let unknown = applied.subtracting(names).sorted()
        guard unknown.isEmpty else {
            throw StoreError(
                .newerSchema, operation: "read the schema's version",
                cause: "the database has steps that this server does not know: \(unknown.joined(separator: ", "))",
                remedy: "start the newer server, or restore a backup from before its first start")
        }
        let missing = names.filter { !applied.contains($0) }
        if missing.isEmpty { return .current }
        return applied.isEmpty ? .new : .older(missing: missing)
    }

    /// Brings the database up to date, each step in a transaction of its own.
    func apply(to connection: Connection) throws(StoreError) {
        try connection.migrate(migrator)
    }
}

extension Connection {
    fileprivate func migrate(_ migrator: DatabaseMigrator) throws(StoreError) {
        try lendQueue("bring the schema up to date") { try migrator.migrate($0) }
    }

    /// Writes a consistent copy of the database; an older copy of that name is replaced when the new one is complete.
    func copy(to path: String) throws(StoreError) {
        let draft = path + ".part"
        try DatabaseFile.createEmpty(draft)
        try lend("copy the database to \(path)") { db in
            try db.execute(sql: "VACUUM INTO ?", arguments: [draft])
        }
        try DatabaseFile.publish(draft, as: path)
    }

    /// Looks for damage; throws what it finds.
    func examineFile(_ path: String) throws(StoreError) {
        let findings = try lend("check \(path)") { db in
            try String.fetchAll(db, sql: "PRAGMA quick_check(3)")
        }
        guard findings == ["ok"] else {
            throw StoreError(
                .damaged, operation: "check \(path)", cause: findings.joined(separator: ", "),
                remedy: "restore a backup (cairn restore); the file was left as it is")
        }
    }

    /// A number that SQLite keeps about this connection or file.
    func setting(_ name: String) throws(StoreError) -> Int? {
        try lend("read the setting \(name)") { db in
            try Int.fetchOne(db, sql: "PRAGMA \(name)")
        }
    }
}
