import CairnCore
import Foundation
import Testing

@testable import CairnStore

/// Rows whose absence gives a right: everything that is deleted, inserted or changed behind the server's back is found,
/// and nothing that the server does looks like that.
@Suite("Tallies of tables")
struct TallyTests {
    /// A ban takes a right away.
    private static let bans = StoredTable(
        "bans", of: .account, columns: ["door", "since"], key: [0], isTalliedByKey: true
    ) { (row) throws(ColumnFault) in
        _ = try row.integer(1)
        return []
    }

    private static let format = StoreFormat(
        migrations: [
            Doors.migration,
            Migration("bans-1", "CREATE TABLE bans (door INTEGER PRIMARY KEY, since INTEGER NOT NULL) STRICT"),
        ],
        tables: Doors.tables(keptTwice: false) + [bans])

    private static func ban(_ id: Int64, since: Int64 = 1) -> Statement {
        Statement("INSERT OR REPLACE INTO bans (door, since) VALUES (?, ?)", .integer(id), .integer(since))
    }

    private func open(_ place: TemporaryDatabase, _ more: Migration...) async throws -> Store {
        try await place.open(StoreFormat(migrations: Self.format.migrations + more, tables: Self.format.tables))
    }

    private func verify(_ place: TemporaryDatabase, _ more: Migration...) throws -> VerifyReport {
        try place.verify(StoreFormat(migrations: Self.format.migrations + more, tables: Self.format.tables))
    }

    /// Ten doors with their keys, of which two are banned.
    private func world() async throws -> TemporaryDatabase {
        let place = try TemporaryDatabase()
        let store = try await open(place)
        try await store.commit((1...10).flatMap { Doors.door($0) } + [Self.ban(3), Self.ban(5)])
        await store.close()
        return place
    }

    @Test func whateverTheServerDoes_isSound() async throws {
        let place = try await world()
        let store = try await open(place)
        // A replaced row, a cascade, a refused unit among others, a row that is there no more.
        try await store.commit(Doors.door(1) + [Self.ban(3, since: 9)])
        try await store.commit([Statement("DELETE FROM doors WHERE id = ?", .integer(2), changing: 1)])
        async let good: Void = store.commit(Doors.door(11))
        async let bad: Void = store.commit(
            Doors.door(12) + [Statement("DELETE FROM doors WHERE id = ?", .integer(99), changing: 1)])
        async let other: Void = store.commit([Statement("DELETE FROM bans WHERE door = ?", .integer(5), changing: 1)])
        try await good
        try await other
        do {
            try await bad
            Issue.record("nobody has a door 99")
        } catch {
            #expect((error as? StoreError)?.kind == .overtaken)
        }
        await store.close()
        let report = try verify(place)
        #expect(report.isSound, "\(report.unaccounted)")
        #expect(report.rowsPerTable["doors"] == 10 && report.rowsPerTable["bans"] == 1)
        #expect(report.rowsPerTable["keys"] == 10)
    }

    @Test(arguments: [
        ("DELETE FROM keys WHERE door = 4", "keys"), ("DELETE FROM bans WHERE door = 5", "bans"),
        ("INSERT INTO bans VALUES (7, 1)", "bans"), ("UPDATE bans SET since = 2 WHERE door = 3", "bans"),
        ("DELETE FROM doors WHERE id IN (1, 2)", "doors"),
    ])
    func whatSomebodyElseDoes_isNamed(sql: String, table: String) async throws {
        let place = try await world()
        try place.tamper(sql)
        #expect(try verify(place).unaccounted.map(\.table) == [table])
        // A start hides nothing.
        try await open(place).close()
        #expect(try verify(place).unaccounted.map(\.table) == [table])
        let accepted = try Store.acceptRows(options: place.options, format: Self.format)
        #expect(accepted.before.unaccounted.map(\.table) == [table] && accepted.left.unaccounted.isEmpty)
    }

    @Test func rowsPutBackFromBefore_areNamed() async throws {
        let place = try await world()
        try place.tamper("CREATE TABLE kept AS SELECT * FROM bans")
        try place.tamper("DELETE FROM bans", "INSERT INTO bans SELECT door, since + 1 FROM kept", "DROP TABLE kept")
        let finding = try #require(try verify(place).unaccounted.first)
        #expect(finding.table == "bans" && finding.rowsWritten == finding.rowsFound && finding.foreign == [3, 5])
    }

    @Test func banThatIsGone_isKnownAndComesBack() async throws {
        let place = try await world()
        try place.tamper("DELETE FROM bans WHERE door = 5")
        let store = try await open(place)
        #expect(store.missingRows(of: Self.bans) == [5])
        try await store.commit([Self.ban(5)])
        await store.close()
        #expect(try verify(place).isSound)
    }

    @Test(arguments: ["DELETE FROM cairn_tally", "UPDATE cairn_tally SET sealed = zeroblob(90) WHERE id = 1"])
    func recordThatIsGone_isMissed_untilSomebodyAccepts(sql: String) async throws {
        let place = try await world()
        try place.tamper(sql, "DELETE FROM bans")
        #expect(try verify(place).unaccounted.count == 3)
        try await open(place).close()
        #expect(try verify(place).unaccounted.allSatisfy(\.isLost))
        #expect(try verify(place).unaccounted.count == 3)
        #expect(try Store.acceptRows(options: place.options, format: Self.format).left.isSound)
    }

    /// What says that there is no ban is missed like what says that there is one.
    @Test func codesOfATableWithoutRows_areMissed() async throws {
        let place = try TemporaryDatabase()
        try await open(place).close()
        #expect(try verify(place).isSound)
        try place.tamper("UPDATE cairn_tally SET sealed = zeroblob(60) WHERE id <> 1")
        #expect(try verify(place).unaccounted.map(\.table) == ["bans"])
    }

    @Test func newStepOfTheSchema_hidesNothing() async throws {
        let place = try await world()
        let step = Migration("bans-2", "ALTER TABLE bans ADD COLUMN cause INTEGER NOT NULL DEFAULT 0")
        try place.tamper("DELETE FROM bans WHERE door = 5")
        try await open(place, step).close()
        let finding = try #require(try verify(place, step).unaccounted.first)
        #expect(finding.table == "bans" && finding.rowsWritten == 2 && finding.missing == [5])
    }

    @Test(arguments: [0, 63, 127])
    func flippedBitOfAPrint_losesNoDoor(bit: Int) async throws {
        let place = try await world()
        let reader = try Connection(path: place.path, role: .reader)
        let rows = try reader.read([
            Query("SELECT print FROM doors WHERE id = 4"), Query("SELECT print FROM keys WHERE door = 4"),
        ])
        reader.close()
        var bytes = try rows[0][0].blob(0)
        #expect(try rows[1][0].blob(0) == bytes)
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        let flipped = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        try place.tamper(
            "UPDATE doors SET print = x'\(flipped)' WHERE id = 4",
            "UPDATE keys SET print = x'\(flipped)' WHERE door = 4")
        #expect(try verify(place).damagedCount == 2)
        let store = try await open(place)
        for table in ["doors", "keys"] {
            let query =
                table == "doors"
                ? Query("SELECT count(*) FROM doors WHERE print = ?", Doors.print(4))
                : Query("SELECT count(*) FROM keys WHERE print = ?", Doors.print(4))
            #expect(try await store.read([query])[0][0].integer(0) == 1, "\(table)")
        }
        await store.close()
        #expect(try verify(place).isSound)
    }

    @Test func indexThatLacksARow_isBuiltAnewAtTheStart() async throws {
        let place = try await world()
        let reader = try Connection(path: place.path, role: .reader)
        let rows = try reader.read([
            Query("SELECT print FROM doors WHERE id = 4"),
            Query("SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_doors_1'"),
        ])
        reader.close()
        let print = try rows[0][0].blob(0)
        let page = try Int(rows[1][0].integer(0) - 1) * 4_096
        let at = try #require(place.bytes.range(of: Data(print), in: page..<page + 4_096)).lowerBound
        try place.damage(at: at, with: [print[0] ^ 1])
        #expect(try !verify(place).structure.isEmpty)
        let store = try await open(place)
        let query = Query("SELECT count(*) FROM doors WHERE print = ?", Doors.print(4))
        #expect(try await store.read([query])[0][0].integer(0) == 1)
        #expect(place.log.all.contains { $0.hasPrefix("error: store: indexes were built anew: doors (") })
        await store.close()
        #expect(try verify(place).isSound)
    }
}
