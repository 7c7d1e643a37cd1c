internal import CairnCore
internal import CairnText
internal import Foundation
internal import GRDB
internal import Synchronization

/// The steps of the schema, in the order of the register (DAT-9).
struct Schema: Sendable {
    private let migrations: [Migration]
    private let migrator: DatabaseMigrator
    /// The objects that sets of steps create; a start needs them twice.
    private let known = KnownSchemas()

    /// - Parameter migrations: the features' steps; the store's own come before them.
    init(_ migrations: [Migration]) {
        self.migrations = [Connection.keysMigration] + migrations + [TallyRecord.migration, SecondCopies.migration]
        var migrator = DatabaseMigrator()
        for migration in self.migrations {
            migrator.registerMigration(migration.name) { db in try migration.execute(in: db) }
        }
        self.migrator = migrator
    }

    /// The state of a database's schema.
    enum State: Hashable {
        case current
        /// The database is empty.
        case new
        /// The database holds data and lacks these steps.
        case older(missing: [String])
    }

    /// Compares the schema in a database with the schema that its steps produce. Reads only.
    ///
    /// Throws `newerSchema` for the database of a newer server, `foreign` for one with objects that no release made,
    /// `damaged` for one in which something is missing or reads otherwise.
    func examine(_ connection: Connection) throws(StoreError) -> State {
        let operation = "read the schema"
        let (applied, found) = try connection.lend(operation) { db in
            (try migrator.appliedIdentifiers(db), try SchemaObject.all(in: db))
        }
        let names = migrations.map(\.name)
        let missing = names.filter { !applied.contains($0) }
        let unknown = applied.subtracting(names).sorted()
        if !unknown.isEmpty {
            // A newer server has applied all steps of this server before its own.
            guard missing.isEmpty, unknown.allSatisfy(Self.isPlausible) else {
                throw damaged("the names of its steps do not belong together: \(unknown.joined(separator: ", "))")
            }
            throw StoreError(
                .newerSchema, operation: operation,
                cause: "the database has steps that this server does not know: \(unknown.joined(separator: ", "))",
                remedy: "start the newer server, or restore a backup from before its first start")
        }
        guard applied.isEmpty || applied.contains(Connection.keysMigration.name) else {
            guard found["cairn_keys"] == nil else { throw damaged("its first step is not noted") }
            throw StoreError(
                .key, operation: operation,
                cause: "the database was written before Cairn sealed what it keeps; no release ever did that",
                remedy: "name another folder with storage.path; nothing was changed")
        }
        try compare(found, with: applied)
        if missing.isEmpty { return .current }
        return applied.isEmpty ? .new : .older(missing: missing)
    }

    /// Throws `damaged` when the sealed record of the rows knows of more steps than are noted: somebody without the key
    /// has dropped a table together with the note of its step, as if an older server had written the file.
    func requireSteps(of connection: Connection, _ keyring: Keyring) throws(StoreError) {
        guard keyring.isTallied else { return }
        let (applied, recorded) = try connection.lend("read the schema") { db in
            (try migrator.appliedIdentifiers(db), try TallyRecord.read(db, keyring)?.steps)
        }
        // Without a record the tables count as changed, and none may be missing.
        guard applied.count < recorded ?? migrations.count else { return }
        let missing = migrations.map(\.name).filter { !applied.contains($0) }
        throw damaged("steps that were done are noted no more, of \(missing.joined(separator: ", "))")
    }

    /// How many steps are noted.
    static func stepsDone(in db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM grdb_migrations") ?? 0
    }

    private func compare(_ found: [String: SchemaObject], with applied: Set<String>) throws(StoreError) {
        var expected = try made(by: applied)
        if applied.isEmpty {
            // The migrator creates its table before the first step. A first start that ended in between leaves the
            // table alone.
            let first = try made(by: [Connection.keysMigration.name])
            expected = first.filter { $0.value.table == "grdb_migrations" && found[$0.key] == $0.value }
        }
        let differing = expected.filter { found[$0.key] != $0.value }.map(\.key).sorted()
        guard differing.isEmpty else {
            throw damaged("its schema is not what Cairn made: \(differing.prefix(5).joined(separator: ", "))")
        }
        let foreign = found.filter { expected[$0.key] == nil }.map { "\($0.value.kind) \($0.key)" }.sorted()
        guard foreign.isEmpty else {
            let known = try made(by: Set(migrations.map(\.name)))
            if found.contains(where: { expected[$0.key] == nil && known[$0.key] != nil }) {
                throw damaged("steps were done that are not noted: \(foreign.prefix(5).joined(separator: ", "))")
            }
            throw StoreError(
                .foreign, operation: "read the schema",
                cause: "the database holds what Cairn never made: \(foreign.prefix(5).joined(separator: ", "))",
                remedy: "find out who wrote it; drop it with sqlite3, or restore a backup (cairn restore)")
        }
    }

    /// The objects that these steps create, found by running the steps in memory: in one transaction, without the
    /// migrator's check of foreign keys after each step, because there are no rows.
    private func made(by applied: Set<String>) throws(StoreError) -> [String: SchemaObject] {
        guard !applied.isEmpty else { return [:] }
        if let objects = known[applied] { return objects }
        do {
            let queue = try DatabaseQueue()
            // The first step is part of every schema; with it the migrator makes the table in which it notes steps.
            try migrator.migrate(queue, upTo: Connection.keysMigration.name)
            let objects = try queue.write { db in
                for migration in migrations.dropFirst() where applied.contains(migration.name) {
                    try migration.execute(in: db)
                }
                return try SchemaObject.all(in: db)
            }
            known[applied] = objects
            return objects
        } catch {
            throw StoreError(error, operation: "make the schema in memory")
        }
    }

    /// Whether a step of a later release may have this name, for instance "things-2".
    private static func isPlausible(_ name: String) -> Bool {
        let parts = name.pieces(at: "-", omittingEmptySubsequences: false)
        return parts.count >= 2 && Int(parts[parts.count - 1]) != nil
            && parts.allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
            }
    }

    private func damaged(_ cause: String) -> StoreError {
        StoreError(
            .damaged, operation: "read the schema", cause: cause,
            remedy: "restore a backup (cairn restore); the file was left as it is")
    }

    /// Brings the database up to date, each step in a separate transaction.
    func apply(to connection: Connection) throws(StoreError) {
        try connection.lendQueue("bring the schema up to date") { try migrator.migrate($0) }
    }
}

extension Migration {
    func execute(in db: Database) throws {
        for sql in sql { try db.execute(sql: sql) }
    }
}

/// A cache of the objects that sets of steps create.
private final class KnownSchemas: Sendable {
    private let objects = Mutex<[Set<String>: [String: SchemaObject]]>([:])

    subscript(applied: Set<String>) -> [String: SchemaObject]? {
        get { objects.withLock { $0[applied] } }
        set { objects.withLock { $0[applied] = newValue } }
    }
}

/// A table, index, view or trigger, as the database describes it.
struct SchemaObject: Hashable {
    let kind: String
    let table: String
    /// The CREATE text, with runs of white space as one space; empty for objects that SQLite creates by itself.
    let sql: String

    /// All objects by name, without those of `ANALYZE`, which affect query plans only.
    static func all(in db: Database) throws -> [String: SchemaObject] {
        let query = Query("SELECT type, name, tbl_name, sql FROM sqlite_master")
        var objects: [String: SchemaObject] = [:]
        for row in try db.answer(query, keyring: nil) {
            guard case .text(let kind) = row.values[0], case .text(let name) = row.values[1],
                case .text(let table) = row.values[2]
            else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row of the schema has no name")
            }
            guard !name.hasPrefix("sqlite_stat") else { continue }
            var sql = ""
            if case .text(let text) = row.values[3] { sql = Self.onOneLine(text) }
            objects[name] = SchemaObject(kind: kind, table: table, sql: sql)
        }
        return objects
    }

    /// The text with each run of ASCII white space as one space: SQLite knows no other, and a start reads every byte of
    /// the schema several times.
    private static func onOneLine(_ text: String) -> String {
        let words = text.utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) }
        return String(decoding: Array(words.joined(separator: CollectionOfOne(0x20))), as: UTF8.self)
    }
}

extension Connection {
    /// Writes a consistent copy of the database; an older copy of that name is replaced when the new one is complete.
    func copy(to path: String) throws(StoreError) {
        let draft = path + ".part"
        try DatabaseFile.create(draft: draft)
        try lend("copy the database to \(path)") { db in
            try db.execute(sql: "VACUUM INTO ?", arguments: [draft])
        }
        try DatabaseFile.publish(draft, as: path)
    }

    /// An integer pragma of this connection or file.
    func setting(_ name: String) throws(StoreError) -> Int? {
        try lend("read the setting \(name)") { db in
            try Int.fetchOne(db, sql: "PRAGMA \(name)")
        }
    }
}
