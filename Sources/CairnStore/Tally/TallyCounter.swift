internal import CairnCore
internal import GRDB
internal import GRDBSQLite

/// A table whose rows are counted.
struct TalliedTable: Sendable {
    let name: String
    /// The columns that count, in the order of the table. Where a row is indexed is no content of it.
    let columns: [String]
    /// The place among `columns` of the key by which missing rows are known one by one; nil = by their sum alone.
    let key: Int?
    /// The column by which second copies of the rows are found; nil = the rows are kept once.
    let keyOfCopies: String?

    /// Reads the columns of a table from the database; nil = there is no such table.
    init?(_ table: StoredTable, in db: Database) throws {
        let names = try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_info(?, 'main') ORDER BY cid", arguments: [table.name.text])
        guard !names.isEmpty else { return nil }
        name = table.name.text
        columns = names.filter { $0 != "filed" }
        let keyName = table.key.first.map { table.columns[$0].text }
        key = table.isTalliedByKey ? keyName.flatMap(columns.firstIndex) : nil
        keyOfCopies = table.isKeptTwice ? keyName : nil
    }

    /// The call that counts a row.
    /// - Parameters:
    ///   - prefix: `new.` or `old.` in a trigger.
    ///   - sign: 1 = the row is there, -1 = it is no more.
    func call(index: Int, sign: Int, _ prefix: String = "") -> String {
        let values = columns.map { prefix + $0.quotedDatabaseIdentifier }.joined(separator: ", ")
        return "\(TallyCounter.function)(\(index), \(sign), \(values))"
    }
}

/// Counts the rows that a connection changes. Temporary triggers, which are in no file, call it for every row, whatever
/// statement changed it: cascades and replaced rows included. It belongs to the connection's thread.
final class TallyCounter {
    fileprivate static let function = "cairn_tally"

    let tables: [TalliedTable]
    /// Steps of the schema that are done.
    let steps: Int
    /// As the last transaction left them on the disk.
    private(set) var saved: [Tally]
    /// With the changes of the transaction under way.
    private(set) var current: [Tally]
    /// Places of the tables that the transaction has changed.
    private(set) var changed: Set<Int> = []
    private let keyring: Keyring
    private var head: TallyHead
    private var row: [UInt8] = []

    init(_ tables: [TalliedTable], steps: Int, _ keyring: Keyring) {
        (self.tables, self.steps, self.keyring) = (tables, steps, keyring)
        head = TallyHead(tables.map(\.name))
        saved = tables.map { Tally(keepsCodes: $0.key != nil) }
        current = saved
    }

    /// Rows of these tables together.
    func rows(of names: [String]) -> Int64 {
        zip(tables, saved).filter { names.contains($0.0.name) }.reduce(0) { $0 + $1.1.rows }
    }

    /// Whether the transaction has changed rows.
    var isChanged: Bool { !changed.isEmpty }

    /// Takes over what is on the disk.
    func begin(with tallies: [Tally]) {
        (saved, current, changed) = (tallies, tallies, [])
    }

    /// Writes the tallies of all tables.
    /// - Parameter rewritten: places of the tables whose codes by key are written.
    func write(
        codesOf rewritten: some Sequence<Int>, to db: Database, among prepared: PreparedStatements? = nil
    ) throws {
        try TallyRecord.write(&head, current, steps: steps, codesOf: rewritten, db, keyring, among: prepared)
    }

    func committed() {
        for index in changed { saved[index] = current[index] }
        changed = []
    }

    func rolledBack() {
        for index in changed { current[index] = saved[index] }
        changed = []
    }

    /// A moment within a transaction.
    struct Mark {
        fileprivate let current: [Tally]
        fileprivate let changed: Set<Int>
    }

    var mark: Mark { Mark(current: current, changed: changed) }

    func rolledBack(to mark: Mark) { (current, changed) = (mark.current, mark.changed) }

    // MARK: Counting

    /// Makes the SQL functions that count and that pack copies. The first one keeps the counter until it is removed or
    /// the connection is closed. Neither is marked innocuous, so SQLite refuses them to whatever stands in the file
    /// (`trusted_schema`).
    func install(in db: Database) throws {
        let code = sqlite3_create_function_v2(
            db.sqliteConnection, Self.function, -1, SQLITE_UTF8,
            // SQLite releases it below, also when the function cannot be made.
            Unmanaged.passRetained(self).toOpaque(),
            { context, count, values in
                guard let context, let values, let counter = sqlite3_user_data(context) else { return }
                // Retained by the function; the values are lent for this call.
                Unmanaged<TallyCounter>.fromOpaque(counter).takeUnretainedValue()
                    .count(UnsafeBufferPointer(start: values, count: Int(count)))
            }, nil, nil,
            { counter in
                guard let counter else { return }
                // What `passRetained` above has retained.
                Unmanaged<TallyCounter>.fromOpaque(counter).release()
            })
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        try SecondCopies.install(in: db)
    }

    /// Removes the SQL functions.
    static func remove(from db: Database) {
        SecondCopies.remove(from: db)
        sqlite3_create_function_v2(
            db.sqliteConnection, function, -1, SQLITE_UTF8, nil, nil, nil, nil, nil)
    }

    /// Makes the triggers that count every change of this connection, and keep second copies with it.
    func watch(_ db: Database) throws {
        // Without it SQLite fires no trigger for a row that `INSERT OR REPLACE` deletes.
        try db.execute(sql: "PRAGMA recursive_triggers = 1")
        for (index, table) in tables.enumerated() {
            let on = "ON main.\(table.name.quotedDatabaseIdentifier) BEGIN SELECT"
            let inserted = table.call(index: index, sign: 1, "new.")
            let deleted = table.call(index: index, sign: -1, "old.")
            let columns = table.columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
            for (name, event, calls, isGone, isNew) in [
                ("insert", "INSERT", inserted, false, true), ("delete", "DELETE", deleted, true, false),
                ("update", "UPDATE OF \(columns)", "\(deleted), \(inserted)", true, true),
            ] {
                let trigger = "cairn_tally_\(table.name)_\(name)".quotedDatabaseIdentifier
                let upkeep = SecondCopies.upkeep(of: table, removing: isGone, adding: isNew)
                try db.execute(
                    sql: "CREATE TEMP TRIGGER \(trigger) AFTER \(event) \(on) \(calls); \(upkeep) END")
            }
        }
    }

    /// Counts all rows of a table.
    func scan(_ index: Int, in db: Database) throws {
        let table = tables[index]
        let rows = table.name.quotedDatabaseIdentifier
        try db.run("SELECT \(table.call(index: index, sign: 1)) FROM main.\(rows)", [], keyring: nil)
    }

    private func count(_ values: UnsafeBufferPointer<OpaquePointer?>) {
        guard values.count > 2 else { return }
        let index = Int(sqlite3_value_int64(values[0]))
        guard tables.indices.contains(index) else { return }
        row.removeAll(keepingCapacity: true)
        row += tables[index].name.utf8
        for value in values[2...] { append(value) }
        let code = row.withUnsafeBufferPointer { keyring.code(ofRow: $0) }
        let key = tables[index].key.map { sqlite3_value_int64(values[2 + $0]) } ?? 0
        if sqlite3_value_int64(values[1]) > 0 {
            current[index].add(code, key: key)
        } else {
            current[index].remove(code, key: key)
        }
        changed.insert(index)
    }

    /// Longer blobs count with their length and both ends: only sealed values are so long, and the tag at their end
    /// authenticates the rest.
    private static let blobBytes = 64

    private func append(_ value: OpaquePointer?) {
        let type = sqlite3_value_type(value)
        row.append(UInt8(truncatingIfNeeded: type))
        // The bytes of a value are lent for the call, and copied.
        switch type {
        case SQLITE_INTEGER: append(UInt64(bitPattern: sqlite3_value_int64(value)))
        case SQLITE_FLOAT: append(sqlite3_value_double(value).bitPattern)
        case SQLITE_TEXT:
            let text = sqlite3_value_text(value)
            let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
            append(UInt64(bytes.count))
            row.append(contentsOf: bytes)
        case SQLITE_BLOB:
            // SQLite writes a blob byte by byte.
            let blob = sqlite3_value_blob(value)?.assumingMemoryBound(to: UInt8.self)
            let bytes = UnsafeBufferPointer(start: blob, count: Int(sqlite3_value_bytes(value)))
            append(UInt64(bytes.count))
            guard bytes.count > Self.blobBytes else { return row.append(contentsOf: bytes) }
            let half = Self.blobBytes / 2
            row.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[..<half]))
            row.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[(bytes.count - half)...]))
        default: break
        }
    }

    private func append(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes in
            // Any memory may be read as bytes.
            bytes.withMemoryRebound(to: UInt8.self) { row.append(contentsOf: $0) }
        }
    }
}
