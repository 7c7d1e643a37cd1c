internal import CairnCore
internal import GRDB

/// The table with the tallies: one row with those of all tables, and a row of codes for each table whose rows are known
/// one by one. All of it is sealed, and the first row says what the others add up to.
enum TallyRecord {
    static let migration = Migration(
        "store-tally-1", "CREATE TABLE cairn_tally (id INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT")

    private static let seal = Seal("cairn_tally")
    private static let codesSeal = Seal("cairn_tally.codes")
    private static let headRow: Int64 = 1

    // MARK: Writing

    /// Writes the tallies of all tables, and the codes of those that have changed.
    static func write(
        _ head: inout TallyHead, _ tallies: [Tally], steps: Int, codesOf changed: some Sequence<Int>, _ db: Database,
        _ keyring: Keyring, among prepared: PreparedStatements? = nil
    ) throws {
        let bytes = head.encode(tallies)
        try put(
            .sealed([.blob(bytes), .integer(Int64(steps))], seal, row: headRow, bound: []), row: headRow, db, keyring,
            prepared)
        for table in changed {
            guard let codes = tallies[table].codes else { continue }
            let row = codesRow(of: head.tables[table])
            let sealed = SQLValue.sealed([.blob(encode(codes))], codesSeal, row: row, bound: [])
            try put(sealed, row: row, db, keyring, prepared)
        }
    }

    private static func put(
        _ value: SQLValue, row: Int64, _ db: Database, _ keyring: Keyring, _ prepared: PreparedStatements?
    ) throws {
        try db.run(
            """
            INSERT INTO cairn_tally (id, sealed) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed
            """, [.integer(row), value], keyring: keyring, among: prepared)
    }

    /// The row with the codes of a table: never the first one, and the same in every release.
    private static func codesRow(of table: String) -> Int64 {
        // FNV-1a, which is stable; two names of one number would share a row, and their codes would not open.
        let hash = table.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return Int64(hash) | 1 << 33
    }

    private static func encode(_ codes: [Int64: Tally.Code]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(codes.count * codeBytes)
        for (key, code) in codes {
            append(UInt64(bitPattern: key), to: &bytes)
            append(code, to: &bytes)
        }
        return bytes
    }

    private static func append(_ code: Tally.Code, to bytes: inout [UInt8]) {
        append(code.low, to: &bytes)
        append(code.high, to: &bytes)
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static let codeBytes = 24

    // MARK: Reading

    /// What is stored.
    struct Stored {
        fileprivate(set) var tallies: [String: Tally]
        /// Steps of the schema that were done when it was written.
        let steps: Int
    }

    /// The stored tallies; nil = the row with them is missing or does not open. A table whose codes are missing, or add
    /// up to something else, is lost.
    static func read(_ db: Database, _ keyring: Keyring) throws -> Stored? {
        guard try db.tableExists("cairn_tally"),
            let (bytes, steps) = try opened(headRow, seal, db, keyring, head),
            var tallies = decode(bytes)
        else { return nil }
        for (table, tally) in tallies where tally.codes != nil {
            let stored = try opened(codesRow(of: table), codesSeal, db, keyring) { row throws(ColumnFault) in
                try row.blob(0)
            }
            let codes = stored.flatMap(decodeCodes)
            let sum = codes?.values.reduce(Tally.Code()) { $0 &+ $1 }
            // An empty table has a row of codes as well, with none in it.
            let isWhole = sum == tally.sum && codes?.count ?? 0 == tally.rows
            tallies[table] = Tally(
                rows: tally.rows, sum: tally.sum, codes: codes ?? [:], isLost: tally.isLost || !isWhole)
        }
        return Stored(tallies: tallies, steps: Int(steps))
    }

    private static func head(_ row: CairnCore.Row) throws(ColumnFault) -> (bytes: [UInt8], steps: Int64) {
        (try row.blob(0), try row.integer(1))
    }

    /// Reads a sealed row; nil = it is missing or does not open.
    private static func opened<Content>(
        _ row: Int64, _ seal: Seal, _ db: Database, _ keyring: Keyring,
        _ read: (CairnCore.Row) throws(ColumnFault) -> Content
    ) throws -> Content? {
        let query = Query(
            "SELECT id, sealed FROM cairn_tally WHERE id = ?", arguments: [.integer(row)],
            opening: [Opening(1, seal, row: 0)])
        guard let answer = try db.answer(query, keyring: keyring).first else { return nil }
        return try? answer.within(1, read)
    }

    private static func decode(_ bytes: [UInt8]) -> [String: Tally]? {
        var (rest, tallies) = (bytes[...], [String: Tally]())
        while let count = rest.popFirst() {
            guard rest.count >= Int(count) + TallyHead.numberBytes else { return nil }
            let table = String(decoding: rest.prefix(Int(count)), as: UTF8.self)
            rest = rest.dropFirst(Int(count))
            let flags = rest.removeFirst()
            let rows = Int64(bitPattern: number(from: &rest))
            let sum = Tally.Code(low: number(from: &rest), high: number(from: &rest))
            tallies[table] = Tally(rows: rows, sum: sum, codes: flags & 2 != 0 ? [:] : nil, isLost: flags & 1 != 0)
        }
        return tallies
    }

    private static func decodeCodes(_ bytes: [UInt8]) -> [Int64: Tally.Code]? {
        guard bytes.count.isMultiple(of: codeBytes) else { return nil }
        var (rest, codes) = (bytes[...], [Int64: Tally.Code]())
        while !rest.isEmpty {
            let key = Int64(bitPattern: number(from: &rest))
            codes[key] = Tally.Code(low: number(from: &rest), high: number(from: &rest))
        }
        return codes
    }

    /// The caller has seen that there are eight bytes.
    private static func number(from rest: inout ArraySlice<UInt8>) -> UInt64 {
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The tallies of all tables as they are written. A commit writes them all, so what stays is encoded once: the names,
/// each with room for its numbers behind it.
struct TallyHead {
    /// In the order of the tallies.
    let tables: [String]
    private var bytes: [UInt8] = []
    /// Where the numbers of each table begin.
    private var places: [Int] = []

    /// Flags, rows and sum.
    fileprivate static let numberBytes = 25

    init(_ tables: [String]) {
        self.tables = tables
        places = Array(repeating: 0, count: tables.count)
        for (index, table) in tables.enumerated().sorted(by: { $0.element < $1.element }) {
            bytes.append(UInt8(clamping: table.utf8.count))
            bytes += table.utf8.prefix(Int(UInt8.max))
            places[index] = bytes.count
            bytes += Array(repeating: 0, count: Self.numberBytes)
        }
    }

    /// - Parameter tallies: of the tables, in their order.
    mutating func encode(_ tallies: [Tally]) -> [UInt8] {
        bytes.withUnsafeMutableBytes { bytes in
            for (place, tally) in zip(places, tallies) {
                bytes[place] = (tally.isLost ? 1 : 0) | (tally.codes != nil ? 2 : 0)
                bytes.storeBytes(of: tally.rows.littleEndian, toByteOffset: place + 1, as: Int64.self)
                bytes.storeBytes(of: tally.sum.low.littleEndian, toByteOffset: place + 9, as: UInt64.self)
                bytes.storeBytes(of: tally.sum.high.littleEndian, toByteOffset: place + 17, as: UInt64.self)
            }
        }
        return bytes
    }
}
