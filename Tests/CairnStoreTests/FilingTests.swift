import CairnCore
import Testing

@testable import CairnStore

/// New rows are in small indexes until they are filed in the large ones (decision 0035).
@Suite("Filing")
struct FilingTests {
    private static let things = Migration(
        "things-1",
        "CREATE TABLE things (id INTEGER PRIMARY KEY, cell INTEGER NOT NULL, filed INTEGER NOT NULL DEFAULT 1) STRICT",
        "CREATE UNIQUE INDEX things_cell ON things (cell) WHERE filed = 1",
        "CREATE UNIQUE INDEX things_cell_new ON things (cell) WHERE filed = 0")

    private static let table = StoredTable(
        "things", of: .world, columns: ["id", "cell", "filed"], key: [0], filing: Filing("things_cell_new")
    ) { _ throws(ColumnFault) in [] }

    private static func thing(_ id: Int64, cell: Int64? = nil) -> CommitUnit {
        CommitUnit(
            statements: [
                Statement("INSERT INTO things (id, cell, filed) VALUES (?, ?, 0)", .integer(id), .integer(cell ?? id))
            ], ticket: ticket(id))
    }

    private static func open(_ units: Int) async throws -> Store {
        try await TemporaryDatabase().open([things], tables: [table]) { $0.filingUnitsMax = units }
    }

    private static func filed(_ store: Store) async throws -> [Int64] {
        try await store.read([Query("SELECT id FROM things WHERE filed = 1 ORDER BY id")])[0].map { try $0.integer(0) }
    }

    @Test func newRows_areFiledAfterSoManyUnits() async throws {
        let store = try await Self.open(320)
        let filed = try await store.withWriter { writer throws in
            // An earlier process may have left 20, as far as the writer knows.
            try (Int64(1)...80).map { id in
                store.submit(Self.thing(id))
                _ = writer.step()
                let count = Query("SELECT count(*) FROM things WHERE filed = 1")
                return try writer.lend { try $0.read([count])[0][0].integer(0) }
            }
        }
        #expect(filed?[58] == 0)
        #expect(filed?.last ?? 0 >= 60)
        await store.close()
    }

    @Test func rowsByAnIndex_areFoundWhetherFiledOrNew() async throws {
        let store = try await Self.open(1_000)
        try await store.commit(Self.thing(1).statements + [try #require(Self.table.filingOfNewRows)])
        try await store.commit(Self.thing(2).statements)
        let query = Self.table.query("WHERE " + Self.table.condition(on: 1))
        for cell in Int64(1)...2 {
            #expect(try await store.read([query.about(.integer(cell))])[0].map { try $0.integer(0) } == [cell])
        }
        let plan = Query("EXPLAIN QUERY PLAN " + query.sql, .integer(1))
        let steps = try await store.read([plan])[0].map { try $0.text(3) }
        #expect(steps.count { $0.hasPrefix("SEARCH things USING INDEX things_cell") } == 2)
        #expect(!steps.contains { $0.hasPrefix("SCAN") }, "\(steps)")
        await store.close()
    }

    /// A column without an index of its own: the indexes that have it second are read, and never the table.
    @Test func rowsByAScannedColumn_areFoundWhetherFiledOrNew() async throws {
        let table = StoredTable(
            "owned", of: .world, columns: ["id", "cell", "owner", "filed"], key: [0],
            filing: Filing("owned_cell_new", scanned: "owner")
        ) { _ throws(ColumnFault) in [] }
        let owned = Migration(
            "owned-1",
            "CREATE TABLE owned (id INTEGER PRIMARY KEY, cell INTEGER, owner INTEGER, filed INTEGER) STRICT",
            "CREATE INDEX owned_cell ON owned (cell, owner) WHERE filed = 1",
            "CREATE INDEX owned_cell_new ON owned (cell, owner) WHERE filed = 0")
        let store = try await TemporaryDatabase().open([owned], tables: [table])
        let row = { (id: Int64, cell: Int64, owner: Int64) in
            Statement(
                "INSERT INTO owned (id, cell, owner, filed) VALUES (?, ?, ?, 0)", .integer(id), .integer(cell),
                .integer(owner))
        }
        try await store.commit([row(1, 5, 8), row(2, 6, 9), row(3, 6, 8), try #require(table.filingOfNewRows)])
        try await store.commit([row(4, 7, 8), row(5, 5, 9)])
        let ids = table.identifiers(0, with: .integer(8), in: 2, after: 1)
        #expect(try await store.read([ids])[0].map { try $0.integer(0) } == [3, 4])
        #expect(try await store.read([table.count(with: .integer(9), in: 2)])[0][0].integer(0) == 2)
        #expect(
            try await store.read([table.keys(with: .integer(9), in: 2)])[0].map(\.values) == [
                [.integer(2)], [.integer(5)],
            ])
        let plan = Query("EXPLAIN QUERY PLAN " + ids.sql, .integer(8), .integer(1), .integer(10))
        let steps = try await store.read([plan])[0].map { try $0.text(3) }
        #expect(steps.count { $0.hasPrefix("SCAN owned USING INDEX owned_cell") } == 2, "\(steps)")
        await store.close()
    }

    @Test func filedRowWithTheUniqueValuesOfANewOne_isReplaced() async throws {
        let store = try await Self.open(1_000)
        let filing = try #require(Self.table.filingOfNewRows)
        try await store.commit(Self.thing(1, cell: 7).statements + [filing])
        try await store.commit(Self.thing(2, cell: 7).statements + [filing])
        #expect(try await Self.filed(store) == [2])
        await store.close()
    }

    @Test func filingThatFails_doesNotStopTheWriter() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open(tables: [Self.table]) { $0.filingUnitsMax = 1 }
        try await store.commit([mark(1)])
        #expect(await place.log.line(with: "indexes of new ones").contains("no such table: things"))
        try await store.commit([mark(2)])
        #expect(try await store.markCount == 2)
        await store.close()
    }

    @Test func rule_filesAfterSomeTransactions_atItsBound_andWhenIdle() {
        var rule = FilingRule(tables: 1, unitsMax: 1_600)
        #expect(rule.due(idle: .milliseconds(20)) == 0 && rule.due(idle: .zero) == nil, "left by an earlier process")
        rule.filed(table: 0)
        #expect(rule.recheck == nil && rule.due(idle: .seconds(1)) == nil)
        for _ in 1...47 { rule.saved(units: 10) }
        #expect(rule.recheck != nil && rule.due(idle: .seconds(1)) == 0 && rule.due(idle: .milliseconds(19)) == nil)
        rule.saved(units: 10)
        #expect(rule.due(idle: .zero) == 0)
        rule.filed(table: 0)
        for _ in 1...7 { rule.saved(units: 200) }
        #expect(rule.due(idle: .zero) == nil)
        rule.saved(units: 200)
        #expect(rule.due(idle: .zero) == 0)
    }

    @Test func rule_filesOneTableAtATime() {
        var rule = FilingRule(tables: 2, unitsMax: 1_600)
        rule.saved(units: 1_600)
        let first = rule.due(idle: .zero)
        rule.filed(table: first ?? 0)
        rule.saved(units: 100)
        let second = rule.due(idle: .zero)
        #expect(first != nil && second != nil && first != second)
        rule.filed(table: second ?? 0)
        rule.saved(units: 1_500)
        #expect(rule.due(idle: .zero) == first)
    }

    @Test func rule_withoutTables_isNeverDue() {
        var rule = FilingRule(tables: 0, unitsMax: 1)
        rule.saved(units: 10)
        #expect(rule.due(idle: .seconds(1)) == nil && rule.recheck == nil)
    }
}
