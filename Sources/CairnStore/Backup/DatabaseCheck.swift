public import CairnCore
internal import Foundation
internal import GRDB

/// Checks whether a file is a sound database of a world, through a read-only connection: its header, schema, pages,
/// indexes and keys, and every row (DAT-5, DAT-6).
struct DatabaseCheck: Sendable {
    let masters: MasterKeys
    /// The expected schema and tables; nil = any.
    var schema: Schema?
    var tables: [StoredTable] = []
    /// Where the files are that rows name; nil = files are not looked at.
    var files: FilePlaces?
    /// Path of the world's database, which a start mends; nil = none is.
    var world: String?
    /// Called now and then with the progress.
    var progress: @Sendable (CheckProgress) -> Void = { _ in }

    /// Throws for a file that cannot be used at all. Faults of single rows or indexes are in the report.
    /// - Parameters:
    ///   - folders: where files may be; nil = where they are by the database's path.
    ///   - original: the database of which it is a copy, page by page: what is damaged is damaged there; nil = of none.
    func run(
        _ path: String, in folders: [FileFolder]? = nil, copyOf original: String? = nil
    ) throws(StoreError) -> VerifyReport {
        guard access(path, R_OK) == 0 else { throw DatabaseFile.failure("open \(path)") }
        try DatabaseFile.examineHeader(path)
        return try Self.examine(path) { (connection) throws(StoreError) in
            try run(
                connection, path, folders ?? files.map { [$0.folder(of: path)] } ?? [],
                isOfWorld: isWorld(original ?? path))
        }
    }

    private func isWorld(_ path: String) -> Bool {
        guard let world, let own = FileIdentity(of: world) else { return false }
        return FileIdentity(of: path) == own
    }

    /// The files that the rows of a database name.
    func storedFiles(of path: String) throws(StoreError) -> [StoredFile] {
        let naming = tables.filter { $0.file != nil }
        guard files != nil, !naming.isEmpty else { return [] }
        return try Self.examine(path) { (connection) throws(StoreError) in
            if let schema, try schema.examine(connection) != .current { return [] }
            guard let keyring = try connection.unlock(with: masters) else { return [] }
            let check = RowCheck(tables: naming, keyring: keyring, progress: progress)
            return try connection.lend("read the files of \(path)") { db in try check.run(db) }.files.map(\.file)
        }
    }

    /// Lends a read-only connection. The statements are known to be correct, so an error that SQLite attributes to a
    /// statement is a fault of the file.
    static func examine<Result>(
        _ path: String, _ body: (Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            let connection = try Connection(path: path, role: .reader)
            defer { connection.close() }
            return try body(connection)
        } catch {
            guard error.isPermanent else { throw error }
            throw StoreError(
                .damaged, operation: error.operation, cause: error.cause,
                remedy: "restore a backup (cairn restore); the file was left as it is")
        }
    }

    private func run(
        _ connection: Connection, _ path: String, _ folders: [FileFolder], isOfWorld: Bool
    ) throws(StoreError) -> VerifyReport {
        var tables = tables
        // The database of an older server has other columns. Its rows are checked after its schema has been brought up
        // to date.
        if let schema, try schema.examine(connection) != .current { tables = [] }
        progress(CheckProgress(part: "pages", rows: 0))
        let findings = try examineStructure(of: connection, path, isOfWorld: isOfWorld)
        var copyFaults = CopyFaults(findings: findings.filter(Connection.isOfCopies))
        guard let keyring = try connection.unlock(with: masters) else {
            throw StoreError(
                .key, operation: "check \(path)",
                cause: "it holds no keys: it is no database of Cairn's, or an empty one",
                remedy: "name another file")
        }
        try schema?.requireSteps(of: connection, keyring)
        let pages = try connection.setting("page_count") ?? 0
        let pageSize = try connection.setting("page_size") ?? 0
        let check = RowCheck(tables: tables, keyring: keyring, progress: progress)
        var found = try connection.lend("check the rows of \(path)") { db in try check.run(db) }
        try connection.lend("compare the second copies of \(path)") { db in
            try SecondCopies.note(in: &copyFaults, tables, db, keyring)
        }
        let unaccounted = try connection.lend("count the rows of \(path)") { db in
            try TallyDifference.findings(tables, db, keyring)
        }
        if !folders.isEmpty { check.check(&found, in: folders) }
        return VerifyReport(
            path: path, isOfWorld: isOfWorld, pages: pages, bytes: pages * pageSize, rowsPerTable: found.rowsPerTable,
            structure: findings.filter { !Connection.isOfCopies($0) }, damaged: found.damaged,
            damagedCount: found.damagedCount, copyFaults: copyFaults, unaccounted: unaccounted, absent: found.absent,
            areRowsChecked: !tables.isEmpty || self.tables.isEmpty, files: found.files.count,
            extraFiles: folders.first?.extras(beside: found.files.map(\.file)) ?? 0)
    }
}

extension DatabaseCheck {
    /// The check for a store with these options.
    init(_ options: Store.Options, masters: MasterKeys, schema: Schema, tables: [StoredTable]) {
        self.init(
            masters: masters, schema: schema, tables: tables, files: FilePlaces(options), world: options.path)
    }

    /// Findings about rows and indexes. Throws for damaged pages, and says so if they may be those of the second copies
    /// alone: then the world needs no backup, since a start makes them anew.
    fileprivate func examineStructure(
        of connection: Connection, _ path: String, isOfWorld: Bool
    ) throws(StoreError) -> [String] {
        do throws(StoreError) {
            return try connection.examineStructure(path, withIndexes: true)
        } catch {
            guard error.kind == .damaged, (try? connection.areCopiesDamaged()) == true else { throw error }
            throw StoreError(
                .damaged, operation: error.operation, cause: "\(error.cause); second copies are among it",
                remedy: isOfWorld
                    ? SecondCopies.remedy : "use another backup, or make a new one; the file was left as it is")
        }
    }
}

/// The progress of a check.
public struct CheckProgress: Hashable, Sendable {
    /// The part that is being checked: pages, or a table.
    public let part: String
    /// Rows of the table that have been checked.
    public let rows: Int
}

/// The result of a check: contents and faults.
public struct VerifyReport: Hashable, Sendable {
    public let path: String
    /// Whether it is the world's database, which a start mends, or a copy of it that is being made.
    let isOfWorld: Bool
    public let pages: Int
    public let bytes: Int
    public let rowsPerTable: [String: Int]
    /// SQLite's findings about indexes and single values. They concern rows; the pages are sound.
    public let structure: [String]
    /// Damaged rows, the first 1,000.
    public let damaged: [DamagedRow]
    /// Number of damaged rows.
    public let damagedCount: Int
    /// What is wrong with second copies. All that they say is in the rows, so these are sound without them.
    public let copyFaults: CopyFaults
    /// Tables in which rows are missing, added or changed and not by the server.
    public let unaccounted: [TallyFinding]
    /// Rows that are not there though a sealed value of another table says so, the first 1,000.
    public let absent: [AbsentRow]
    /// False for the database of an older server, whose rows are checked once its schema is up to date.
    public let areRowsChecked: Bool
    /// Files that rows name.
    public let files: Int
    /// Files in their folder that no row names: the server deletes them in time. They are no fault.
    public let extraFiles: Int

    /// Rows of all tables together.
    public var rows: Int { rowsPerTable.values.reduce(0, +) }
    /// Whether every row is sound and as the server wrote it.
    public var isSound: Bool { structure.isEmpty && damagedCount == 0 && unaccounted.isEmpty && absent.isEmpty }

    /// Indexes that do not agree with their tables.
    public var damagedIndexes: [String] {
        // SQLite's message ends with the name, as in "row 7 missing from index instances_cell".
        let names = structure.compactMap { finding in
            finding.range(of: " index ").map { String(finding[$0.upperBound...]) }
        }
        return Set(names).sorted()
    }

    /// What is done about the faults of second copies.
    public var remedyOfCopies: String { copyFaults.remedy(isOfWorld: isOfWorld) }

    /// Second copies that are not as their rows, though the rows are as the server wrote them: so the copies can be
    /// made anew.
    var renewableCopies: Set<CopyGroup> {
        copyFaults.groups.subtracting(unaccounted.map { CopyGroup.rows(of: $0.table) })
    }

    /// The faults of rows and indexes in one line; empty = none.
    public var faults: String {
        Self.line(damaged, unnamed: damagedCount - damaged.count, structure, unaccounted, absent)
    }

    /// The faults of rows of these tables in one line; empty = none. Damaged rows that are not named may be theirs, and
    /// are added to them.
    func faults(of tables: Set<String>) -> String {
        Self.line(
            damaged.filter { tables.contains($0.table) }, unnamed: damagedCount - damaged.count, [],
            unaccounted.filter { tables.contains($0.table) }, absent.filter { tables.contains($0.table) })
    }

    private static func line(
        _ damaged: [DamagedRow], unnamed: Int, _ structure: [String], _ unaccounted: [TallyFinding],
        _ absent: [AbsentRow]
    ) -> String {
        var parts: [String] = []
        if damaged.count + unnamed > 0 {
            let first = damaged.first.map { ", the first is \($0)" } ?? ""
            parts.append("\(damaged.count + unnamed) damaged rows\(first)")
        }
        if let first = structure.first { parts.append("SQLite finds \(structure.count) faults, the first is \(first)") }
        if let first = unaccounted.first {
            let (count, difference) = (unaccounted.count, first.difference)
            parts.append("\(count) tables are not as the server wrote them, \(first.table): \(difference)")
        }
        if let first = absent.first { parts.append("\(absent.count) rows are gone, the first is \(first)") }
        return parts.joined(separator: "; ")
    }
}

/// A row that is not there though a sealed value of another table says so.
public struct AbsentRow: Hashable, Sendable, CustomStringConvertible {
    public let table: String
    /// The value of its key.
    public let key: Int64

    public var description: String { "\(table) \(UInt64(bitPattern: key))" }
}
