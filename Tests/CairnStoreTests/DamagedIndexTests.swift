import CairnCore
import CairnTesting
import Foundation
import Testing

@testable import CairnStore

/// DAT-6: an index that says what its table does not. The table answers, and the index is built anew from it.
@Suite("Damaged indexes")
struct DamagedIndexTests {
    private static let things = Migration(
        "things-1",
        """
        CREATE TABLE things (id INTEGER PRIMARY KEY, cell INTEGER NOT NULL, name TEXT NOT NULL) STRICT
        """,
        "CREATE INDEX things_cell ON things (cell)",
        """
        CREATE TABLE passes (code INTEGER PRIMARY KEY, used INTEGER NOT NULL, name TEXT NOT NULL) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX passes_used ON passes (used)")
    private static let migrations = [TemporaryDatabase.marks, things]

    /// A number whose bytes are found in the file wherever it stands.
    private static let cell: Int64 = 0x0506_0708
    private static let inCell = Query("SELECT id, name FROM things WHERE cell = ? ORDER BY id", .integer(cell))

    private static func thing(_ id: Int64, cell: Int64 = cell) -> Statement {
        Statement("INSERT INTO things (id, cell, name) VALUES (?, ?, 'flag')", .integer(id), .integer(cell))
    }

    /// 300 things, 100 of them in the cell; a pass each; closed.
    private static func world(_ backups: BackupFolder? = nil) async throws -> TemporaryDatabase {
        let place = try TemporaryDatabase()
        let store = try await place.open(migrations) { $0.backups = backups }
        try await store.commit(
            (1...300).flatMap { id in
                [
                    thing(id, cell: id % 3 == 0 ? cell : cell + id),
                    Statement("INSERT INTO passes (code, used, name) VALUES (?, ?, 'ada')", .integer(id), .integer(id)),
                ]
            })
        await store.close()
        return place
    }

    /// Where the page of an index or a table begins in the file.
    private static func page(of name: String, in place: TemporaryDatabase) throws -> Int {
        let connection = try Connection(path: place.path, role: .reader)
        defer { connection.close() }
        return try connection.lend("test") { db in
            let query = Query("SELECT rootpage FROM sqlite_master WHERE name = ?", .text(name))
            return try Int(#require(db.answer(query, keyring: nil).first).integer(0) - 1) * 4_096
        }
    }

    /// Flips a bit in the entry of `things_cell` for a thing of the cell, so that it names a thing that is not there,
    /// or another cell.
    private static func damageEntry(of id: Int64, in place: TemporaryDatabase, flipsCell: Bool = false) throws {
        let start = try page(of: "things_cell", in: place)
        let range = start..<start + 4_096
        // The cell's four bytes, then the two of an id that does not fit in one.
        let entry = Data([5, 6, 7, 8, UInt8(id >> 8), UInt8(id & 0xFF)])
        let found = try #require(place.bytes.range(of: entry, in: range), "the index is in one page")
        let offset = flipsCell ? found.lowerBound + 3 : found.upperBound - 2
        try place.damage(at: offset, with: [place.bytes[offset] ^ (flipsCell ? 0x80 : 0x40)])
    }

    /// As if the page had come from another place of the disk: no table and no index begins so.
    private static func breakPage(of name: String, in place: TemporaryDatabase) throws {
        try place.damage(at: try page(of: name, in: place), with: [0xFF])
    }

    // MARK: - Reads

    @Test func readByADamagedIndex_isAnsweredFromTheTable() async throws {
        let place = try await Self.world()
        try Self.damageEntry(of: 240, in: place)
        let store = try await place.open(Self.migrations)
        let rows = try await store.read([Self.inCell, countMarks])
        #expect(try rows[0].map { try $0.integer(0) } == (1...100).map { $0 * 3 })
        #expect(try rows[1][0].integer(0) == 0)
        await store.close()
    }

    @Test func damagedIndex_isBuiltAnew_andTheDatabaseIsSound() async throws {
        let place = try await Self.world()
        try Self.damageEntry(of: 240, in: place)
        let format = StoreFormat(migrations: Self.migrations)
        #expect(try !Store.verify(place.path, options: place.options, format: format).isSound)
        let store = try await place.open(Self.migrations)
        _ = try await store.read([Self.inCell])
        _ = await place.log.line(with: "things_cell was built anew")
        #expect(store.figures.rebuiltIndexes == ["things_cell"] && store.figures.damagedIndexes.isEmpty)
        await store.close()
        #expect(try Store.verify(place.path, options: place.options, format: format).isSound)
    }

    @Test func indexThatCannotBeBuiltAnew_isReadAround_andToldOnce() async throws {
        let place = try await Self.world()
        try Self.breakPage(of: "things_cell", in: place)
        let store = try await place.open(Self.migrations) { $0.checksAtStart = false }
        #expect(try await store.read([Self.inCell])[0].count == 100)
        _ = await place.log.line(with: "tried again when it is met in an hour")
        for _ in 1...5 { #expect(try await store.read([Self.inCell])[0].count == 100) }
        #expect(store.figures.damagedIndexes == ["things_cell"])
        #expect(place.log.all.filter { $0.contains("things_cell") }.count == 2, "found once, tried once")
        await store.close()
    }

    @Test func damagedTable_isNotReadAround() async throws {
        let place = try await Self.world()
        try Self.breakPage(of: "things", in: place)
        let store = try await place.open(Self.migrations) { $0.checksAtStart = false }
        await #expect { try await store.read([Self.inCell]) } throws: { ($0 as? StoreError)?.kind == .damaged }
        await #expect {
            try await store.read([Query("SELECT name FROM passes WHERE code = 1"), Self.inCell])
        } throws: {
            ($0 as? StoreError)?.kind == .damaged
        }
        #expect(store.figures.damagedIndexes.isEmpty)
        await store.close()
    }

    @Test(arguments: [
        Query("SELECT name FROM things WHERE cell = 84281096 ORDER BY id"),
        Query("SELECT rowid, cell FROM things WHERE id = 7"),
        Query("SELECT max(id) FROM things WHERE id < 12"),
        Query("SELECT count(*) FROM things WHERE cell > 4"),
        Query("SELECT name FROM passes WHERE used = 12"),
        Query("SELECT max(used) FROM passes WHERE used < 12"),
        Query("SELECT count(*) FROM passes"),
        Query("SELECT code FROM passes WHERE code = 9"),
        Query("SELECT name FROM things WHERE id IN (SELECT code FROM passes WHERE used IN (3, 4)) ORDER BY id"),
    ])
    func queryOfTheTablesAlone_goesByNoIndex_andSaysTheSame(query: Query) async throws {
        let place = try await Self.world()
        let usual = try Connection(path: place.path, role: .reader)
        let tables = try Connection(path: place.path, role: .readerOfTables)
        defer {
            usual.close()
            tables.close()
        }
        #expect(try tables.indexes(of: query.sql.text).isEmpty)
        let (one, other) = try (usual.read([query])[0], tables.read([query])[0])
        #expect(one == other && !one.isEmpty)
    }

    @Test func indexesOfAStatement_areThoseItOpens_andNoTable() async throws {
        let place = try await Self.world()
        let connection = try Connection(path: place.path, role: .reader)
        defer { connection.close() }
        #expect(try connection.indexes(of: Self.inCell.sql.text) == ["things_cell"])
        #expect(try connection.indexes(of: "INSERT INTO passes VALUES (?, ?, ?)") == ["passes_used"])
        #expect(try connection.indexes(of: "SELECT name FROM passes WHERE code = ?").isEmpty)
        #expect(try connection.indexes(of: "SELECT name FROM things WHERE id = ?").isEmpty)
    }

    // MARK: - Changes

    @Test func changeThatMeetsADamagedIndex_isSaved_andSoAreItsNeighbours() async throws {
        let place = try await Self.world()
        try Self.damageEntry(of: 240, in: place)
        let store = try await place.open(Self.migrations)
        let outcomes = Outcomes(of: store)
        let removal = Statement("DELETE FROM things WHERE id = 240", changing: 1)
        await store.submitTogether([
            unit(1), CommitUnit(statements: [removal], ticket: ticket(2)), unit(3),
        ])
        #expect(await outcomes.decided(3).flatMap(\.committed).map(\.turn) == [1, 2, 3])
        #expect(store.figures.rebuiltIndexes == ["things_cell"])
        #expect(try await store.read([Self.inCell])[0].count == 99)
        await store.close()
    }

    @Test func changeThatMeetsADamagedTable_isRefused_andItsNeighboursAreSaved() async throws {
        let place = try await Self.world()
        try Self.breakPage(of: "passes", in: place)
        let store = try await place.open(Self.migrations) { $0.checksAtStart = false }
        let outcomes = Outcomes(of: store)
        let lost = Statement("INSERT INTO passes (code, used, name) VALUES (900, 1, 'eve')")
        await store.submitTogether([
            unit(1), CommitUnit(statements: [lost], ticket: ticket(2, home: 2)), unit(3),
        ])
        let decided = await outcomes.decided(3)
        #expect(decided.flatMap(\.committed).map(\.turn) == [1, 3])
        #expect(decided.flatMap(\.failed).map(\.turn) == [2])
        await #expect { try await store.commit([lost]) } throws: { ($0 as? StoreError)?.kind == .damaged }
        #expect(try await store.markCount == 2 && !store.figures.isFailing)
        await store.close()
    }

    @Test func expiryThatMeetsADamagedIndex_isDoneInItsNextRound() async throws {
        let place = try await Self.world()
        try Self.damageEntry(of: 240, in: place)
        let store = try await place.open(Self.migrations)
        let things = StoredTable("things", of: .cell, columns: ["id", "cell"], key: [0]) { _ throws(ColumnFault) in [] }
        let expiry = Expiry(of: things, where: "cell", isBelow: Self.cell + 1)
        store.expire([expiry])
        _ = await place.log.line(with: "things_cell was built anew")
        store.expire([expiry])
        #expect(await soon { store.figures.rowsExpired >= 100 })
        await store.close()
    }

    // MARK: - What no query ever fails for

    @Test func thingThatAnIndexForgot_isFoundByABackup_andComesBack() async throws {
        let backups = BackupFolder(path: NSTemporaryDirectory() + "cairn-" + UUID().uuidString, keep: 5)
        defer { try? FileManager.default.removeItem(atPath: backups.path) }
        let place = try await Self.world(backups)
        try Self.damageEntry(of: 240, in: place, flipsCell: true)
        let store = try await place.open(Self.migrations) { $0.backups = backups }
        #expect(try await store.read([Self.inCell])[0].count < 100, "nothing says that one is missing")
        #expect(try await store.backUp().damagedIndexes == ["things_cell"])
        _ = await place.log.line(with: "things_cell was built anew")
        #expect(try await store.read([Self.inCell])[0].count == 100)
        #expect(try await store.backUp().isSound)
        await store.close()
    }
}

/// How often an index is built anew.
@Suite("Register of damaged indexes")
struct IndexRegisterTests {
    private static let start = ContinuousClock.now
    private static let hour = IndexRegister.rebuildInterval

    @Test func indexThatIsMetAgain_isBuiltAnewOnceAnHour() {
        var register = IndexRegister()
        #expect(register.met(["one"], at: Self.start) == ["one"])
        #expect(register.met(["one"], at: Self.start + .seconds(1)).isEmpty, "it waits")
        #expect(register.next() == "one" && register.next() == nil)
        register.mended("one")
        #expect(register.met(["one"], at: Self.start + Self.hour - .seconds(1)).isEmpty)
        #expect(register.next() == nil)
        #expect(register.met(["one"], at: Self.start + Self.hour) == ["one"])
        #expect(register.next() == "one")
    }

    @Test func indexThatIsDamagedAgain_isNoLongerAMendedOne() {
        var register = IndexRegister()
        _ = register.met(["one", "two"], at: Self.start)
        register.mended("one")
        #expect(register.rebuilt == ["one"] && register.damaged == ["two"])
        _ = register.met(["one"], at: Self.start + .seconds(1))
        #expect(register.rebuilt.isEmpty && register.damaged == ["one", "two"])
    }
}
