import CairnCore
import Testing

@testable import CairnStore

/// A world of doors and keys: a door is found by a print that is bound to its sealed value, like an account by its
/// email, and a key opens one, like an identity at a provider.
enum Doors {
    static let seal = Seal("doors")
    static let keySeal = Seal("keys")
    static let printSeal = Seal("doors.print")

    static let migration = Migration(
        "doors-1",
        "CREATE TABLE doors (id INTEGER PRIMARY KEY, print BLOB UNIQUE, sealed BLOB NOT NULL) STRICT",
        """
        CREATE TABLE keys (print BLOB PRIMARY KEY, door INTEGER NOT NULL REFERENCES doors (id)
            ON DELETE CASCADE, sealed BLOB NOT NULL) STRICT, WITHOUT ROWID
        """)

    /// `doors` and `keys`.
    static func tables(keptTwice: Bool) -> [StoredTable] {
        [
            StoredTable(
                "doors", of: .account, columns: ["id", "print", "sealed", "sealed AS stored"], key: [0],
                opening: [Opening(2, seal, row: 0, bound: [1])], isKeptTwice: keptTwice
            ) { (row) throws(ColumnFault) in
                _ = try row.opened(2)
                return []
            },
            StoredTable(
                "keys", of: .account, columns: ["print", "door", "sealed"], key: [0],
                opening: [Opening(2, keySeal, row: 1, bound: [0])], isKeptTwice: keptTwice
            ) { (row) throws(ColumnFault) in
                _ = try row.opened(2)
                return []
            },
        ]
    }

    /// Doors and keys that are kept twice.
    static let keptTwice = StoreFormat(migrations: [migration], tables: tables(keptTwice: true))

    /// Longer than what of a blob is in a tally.
    static let longText = String(repeating: "door ", count: 60)
    /// Not one after the other, as ids of accounts are; six bytes each, in the order of their first one.
    static let ids = (1...10).map { Int64($0) << 40 | 0x1234_5678 }

    static func print(_ id: Int64) -> SQLValue { .fingerprint("door \(id)", printSeal) }

    /// A door and its key.
    static func door(_ id: Int64, _ text: String = "door") -> [Statement] {
        [
            Statement(
                "INSERT OR REPLACE INTO doors (id, print, sealed) VALUES (?, ?, ?)", .integer(id), print(id),
                .sealed([.text(text)], seal, row: id, bound: [print(id)])),
            Statement(
                "INSERT OR REPLACE INTO keys (print, door, sealed) VALUES (?, ?, ?)", print(id), .integer(id),
                .sealed([.text(text)], keySeal, row: id, bound: [print(id)])),
        ]
    }

    static func change(_ id: Int64, to text: String) -> Statement {
        Statement(
            "UPDATE OR IGNORE doors SET sealed = ? WHERE id = ?",
            .sealed([.text(text)], seal, row: id, bound: [print(id)]), .integer(id), changing: 1)
    }

    /// A closed world with doors and keys that are kept twice, with long texts.
    static func world(_ ids: [Int64] = Doors.ids) async throws -> TemporaryDatabase {
        let place = try TemporaryDatabase()
        let store = try await place.open(keptTwice)
        try await store.commit(ids.flatMap { door($0, longText) })
        await store.close()
        return place
    }

    /// The texts of a door and its key, found by their prints; nil = there is none, or it does not open.
    static func texts(_ store: Store, _ id: Int64) async throws -> [String?] {
        let rows = try await store.read([
            keptTwice.tables[0].query("WHERE print = ?", print(id)),
            keptTwice.tables[1].query("WHERE print = ?", print(id)),
        ])
        return rows.map { found in
            found.first.flatMap { try? $0.within(2) { row throws(ColumnFault) in try row.text(0) } }
        }
    }

    /// SQL for another byte in the middle of a long value, which no tally sees.
    static func flipped(_ column: String) -> String {
        let other = "CASE substr(\(column), 151, 1) WHEN x'00' THEN x'01' ELSE x'00' END"
        return "CAST(substr(\(column), 1, 150) || \(other) || substr(\(column), 152) AS BLOB)"
    }
}

extension TemporaryDatabase {
    func open(
        _ format: StoreFormat, _ change: (inout Store.Options) -> Void = { _ in }
    ) async throws -> Store {
        try await open(format.migrations, tables: format.tables, change)
    }

    func verify(_ format: StoreFormat) throws -> VerifyReport {
        try Store.verify(path, options: options, format: format)
    }

    /// As somebody who has the file and not the key, or a disk.
    func tamper(_ statements: String...) throws {
        let connection = try Connection(path: path, role: .writer(.normal))
        defer { connection.close() }
        try connection.lend("tamper") { db in
            for sql in ["PRAGMA foreign_keys = 0"] + statements { try db.run(sql, [], keyring: nil) }
        }
    }

    /// Where the pages of a table or index lie in the file, its root first.
    func pages(of name: String) throws -> [Range<Int>] {
        let reader = try Connection(path: path, role: .reader)
        defer { reader.close() }
        let rows = try reader.read([Query("SELECT pageno FROM dbstat WHERE name = ? ORDER BY path", .text(name))])[0]
        return try rows.map { row in
            let number = try Int(row.integer(0))
            return (number - 1) * 4_096..<number * 4_096
        }
    }
}
