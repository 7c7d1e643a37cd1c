import CairnConfiguration
@testable import CairnCore
import CairnFeatures
import CairnTesting
import CairnWire
import Testing

@testable import CairnRoot

/// What the tables of a world are, as their steps make them and as the register declares them.
@Suite("Schema")
struct SchemaTests {
    private static let tables = StorageTools.tables(Configuration())

    /// The store's own: keys, tallies, and the names of the steps that were done.
    private static let ofTheStore: Set = ["cairn_copies", "cairn_keys", "cairn_tally", "grdb_migrations"]

    /// Its name, and whether it has no rowid.
    private static func made(_ world: TemporaryStore) async throws -> [(name: String, isWithoutRowid: Bool)] {
        let list = Query(
            "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name")
        return try await world.read(list)[0].map { (try $0.text(0), try $0.integer(1) == 1) }
            .filter { !$0.0.hasPrefix("sqlite_") && !ofTheStore.contains($0.0) }
    }

    /// A copy has every column, or the row that comes back from it would lack some.
    @Test func rowsThatCostAnAccount_areKeptTwice_andWhole() async throws {
        let kept = Self.tables.filter(\.isKeptTwice)
        #expect(
            Set(kept.map(\.name.text)) == ["accounts", "credentials", "provider_identities", "app_identities"])
        let world = try await TemporaryStore.open(migrations: StorageTools.migrations())
        for table in kept {
            let query = Query("SELECT name FROM pragma_table_info(?) ORDER BY cid", .text(table.name.text))
            let columns = try await world.read(query)[0].map { try $0.text(0) }
            #expect(columns == table.columns.map(\.text).filter { !$0.contains(" ") }, "\(table.name)")
        }
        await world.close()
    }

    @Test func everyTable_isDeclaredWithTheKeyThatItHas() async throws {
        let world = try await TemporaryStore.open(migrations: StorageTools.migrations())
        let made = try await Self.made(world)
        #expect(made.map(\.name) == Self.tables.map(\.name.text).sorted())
        for (name, isWithoutRowid) in made {
            let table = try #require(Self.tables.first { $0.name.text == name })
            let columns = Query("SELECT name, type FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", .text(name))
            let key = try await world.read(columns)[0].map { (try $0.text(0), try $0.text(1)) }
            #expect(key.map(\.0) == table.key.map { table.columns[$0].text }, "\(name)")
            // Otherwise SQLite names the row by a number of its own, which the declared key does not say.
            #expect(isWithoutRowid || (key.count == 1 && key[0].1 == "INTEGER"), "\(name)")
        }
        await world.close()
    }

    /// Where a home goes its rows go: it wakes from no others.
    @Test func cell_wakesFromRowsOfItsOwn() {
        let cells = Set(Self.tables.filter { [.cell, .namedHome].contains($0.owner) }.map(\.name.text))
        let queries = Features.register.stored(in: .cell(Ground.here.cell)).flatMap { $0 }
        #expect(!queries.isEmpty)
        for query in queries {
            let named = query.sql.text.matches(of: /FROM (\w+)/).map { String($0.output.1) }
            #expect(!named.isEmpty && cells.isSuperset(of: named), "\(query.sql.text)")
        }
    }

    /// CMP-3: whoever adds a table says what becomes of a person's rows when they delete their account.
    @Test func everyTable_saysWhatADeletionDoesToIt() {
        for table in Self.tables {
            #expect(table.erasure?.isEmpty == false, "\(table.name.text) does not say it: StoredTable.erasure")
            for case .with(let other)? in table.erasure ?? [] {
                #expect(Self.tables.contains { $0.name == other && $0.erasure != nil }, "\(table.name.text)")
            }
        }
    }

    /// CMP-2: whoever adds a table says what of it a person gets in an export.
    @Test func everyTable_saysWhatAnExportHasOfIt() {
        for table in Self.tables {
            if case .nothingPersonal? = table.erasure?.first { continue }
            #expect(table.export != nil, "\(table.name.text) does not say it: StoredTable.export")
        }
    }

    /// CMP-3: a deletion asks for a person's rows again and again, and must not read whole tables for that.
    @Test func rowsOfAPerson_areFoundByAnIndex() async throws {
        let world = try await TemporaryStore.open(migrations: StorageTools.migrations())
        // Small: its rows live for minutes.
        let scanned: Set = ["messages_heard"]
        for table in Self.tables where !scanned.contains(table.name.text) {
            for erasure in table.erasure ?? [] {
                let column: Int
                switch erasure {
                case .homes(_, _, let of): column = of
                case .rows(let of, _), .atOnce(let of): column = of
                default: continue
                }
                let query = table.count(with: .integer(1), in: column)
                let plan = Query(StaticText(joining: ["EXPLAIN QUERY PLAN ", query.sql]), .integer(1))
                let steps = try await world.read(plan)[0].map { try $0.text(3) }
                // New and filed rows are in two indexes. Some columns have none of their own: an index is read.
                let reads = steps.filter { $0.hasPrefix("SCAN") && !$0.contains("USING INDEX") }
                #expect(reads.isEmpty && steps.contains { $0.hasPrefix("SEARCH") }, "\(table.name.text): \(steps)")
            }
        }
        await world.close()
    }

    @Test func verify_tellsWhoseRowsATableHolds() async throws {
        let world = try await TemporaryStore.open(migrations: StorageTools.migrations())
        await world.close()
        var configuration = Configuration()
        configuration.storage.path = world.folder.path
        configuration.storage.keyFile = world.folder.path + "/cairn.key"
        let lines = try StorageTools.verify(configuration, file: nil) { _ in }.text.split(separator: "\n")
        #expect(lines.contains("  instances 0 (cell)"))
        #expect(lines.contains("  kept_answers 0 (account)"))
        #expect(lines.contains("  engagement 0 (world)"))
    }
}
