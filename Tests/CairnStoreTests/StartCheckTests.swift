import CairnCore
import Foundation
import Testing

@testable import CairnStore

/// What a store looks at before it writes anything: schema, keys and the header of the file.
@Suite("Checks at the start")
struct StartCheckTests {
    private static let people = Migration(
        "people-1", "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT",
        "CREATE INDEX people_name ON people (name)")
    private static let migrations = [TemporaryDatabase.marks, people]

    /// Ten people; a backup of them when `backups` is given; closed.
    private static func world(_ place: TemporaryDatabase, backups: BackupFolder? = nil) async throws {
        let store = try await place.open(migrations) { $0.backups = backups }
        try await store.commit(
            (1...10).map { Statement("INSERT INTO people (id, name) VALUES (?, 'Ada')", .integer($0)) })
        if backups != nil { _ = try await store.backUp() }
        await store.close()
    }

    private static func folder(_ place: TemporaryDatabase) -> BackupFolder {
        BackupFolder(path: place.folder + "/backups", keep: 5)
    }

    /// As somebody who has the file and not the key.
    private static func write(_ sql: String, into place: TemporaryDatabase) throws {
        let connection = try Connection(path: place.path, role: .writer(.normal))
        defer { connection.close() }
        try connection.lend("tamper") { db in
            for sql in ["PRAGMA writable_schema = 1", sql, "PRAGMA wal_checkpoint(TRUNCATE)"] {
                try db.run(sql, [], keyring: nil)
            }
        }
    }

    @Test(arguments: [
        ("trigger robs", "CREATE TRIGGER robs BEFORE INSERT ON people BEGIN SELECT RAISE(IGNORE); END"),
        ("view everybody", "CREATE VIEW everybody AS SELECT * FROM people"),
        ("index slow", "CREATE INDEX slow ON people (id, name)"),
        ("table mine", "CREATE TABLE mine (id INTEGER PRIMARY KEY)"),
    ])
    func objectThatNoStepMade_isRefusedByName_beforeAnythingIsWritten(name: String, sql: String) async throws {
        let place = try TemporaryDatabase()
        try await Self.world(place)
        try Self.write(sql, into: place)
        let before = place.bytes
        await #expect { try await place.open(Self.migrations) } throws: { error in
            let error = error as? StoreError
            return error?.kind == .foreign && error?.cause.contains(name) == true
        }
        #expect(place.bytes == before)
        #expect(throws: StoreError.self) {
            try Store.verify(place.path, options: place.options, format: StoreFormat(migrations: Self.migrations))
        }
    }

    @Test(arguments: [
        "UPDATE sqlite_master SET sql = replace(sql, 'name TEXT', 'nbme TEXT') WHERE name = 'people'",
        "UPDATE sqlite_master SET sql = replace(sql, ' STRICT', '') WHERE name = 'people'",
        "DROP INDEX people_name",
        "UPDATE grdb_migrations SET identifier = 'people-0' WHERE identifier = 'people-1'",
        "UPDATE grdb_migrations SET identifier = 'store-keys-3' WHERE identifier = 'store-keys-1'",
        "DELETE FROM grdb_migrations WHERE identifier = 'people-1'",
        "INSERT INTO grdb_migrations VALUES ('people-\u{1}')",
        "UPDATE sqlite_master SET sql = replace(sql, 'grdb_migrations', 'grdb_migrations'), name = 'grdb_migratiqns',"
            + " tbl_name = 'grdb_migratiqns' WHERE name = 'grdb_migrations'",
        "DELETE FROM cairn_keys",
        "UPDATE cairn_keys SET wrapped = x'00' WHERE number = 1",
        "UPDATE cairn_keys SET number = 77 WHERE number = 0",
    ])
    func damageToSchemaStepsOrKeys_givesWayToTheBackup(sql: String) async throws {
        let place = try TemporaryDatabase()
        let backups = Self.folder(place)
        try await Self.world(place, backups: backups)
        try Self.write(sql, into: place)
        let store = try await place.open(Self.migrations) { $0.backups = backups }
        #expect(store.figures.restored != nil)
        #expect(try await store.read([Query("SELECT count(*) FROM people")])[0][0].values == [.integer(10)])
    }

    @Test func keysThatAreGoneFromAWorldWithRows_areNotMadeAnew() async throws {
        let place = try TemporaryDatabase()
        try await Self.world(place)
        try Self.write("DELETE FROM cairn_keys", into: place)
        let before = place.bytes
        await #expect { try await place.open(Self.migrations) } throws: { error in
            let error = error as? StoreError
            return error?.kind == .damaged && error?.cause.contains("its keys are gone") == true
        }
        #expect(place.bytes == before)
    }

    @Test(arguments: [16, 18, 19, 20, 21, 44, 47, 53, 57, 59, 61, 68, 72, 91])
    func flippedByteOfTheHeader_givesWayToTheBackup(offset: Int) async throws {
        let place = try TemporaryDatabase()
        let backups = Self.folder(place)
        try await Self.world(place, backups: backups)
        try place.damage(at: offset, with: [place.bytes[offset] ^ 0x10])
        let store = try await place.open(Self.migrations) { $0.backups = backups }
        #expect(store.figures.restored != nil)
        try await store.commit([mark(1)])
    }

    @Test func statisticsOfTheQueryPlanner_areNoForeignObjects() async throws {
        let place = try TemporaryDatabase()
        try await Self.world(place)
        try Self.write("ANALYZE", into: place)
        try await place.open(Self.migrations).commit([mark(1)])
    }
}

/// A key without its world, and a disk without room, at the first start.
@Suite("A world that is not there")
struct MissingWorldTests {
    private static func keyFile(_ place: TemporaryDatabase) -> KeyFile { KeyFile(path: place.folder + "/cairn.key") }

    private static func open(_ place: TemporaryDatabase, isNewWorld: Bool = false) async throws -> Store {
        try await place.open {
            $0.keys = .file(keyFile(place).path)
            $0.isNewWorld = isNewWorld
        }
    }

    @Test(arguments: [true, false])
    func keyWithoutItsDatabase_isRefused_andNothingMade(isEmptied: Bool) async throws {
        let place = try TemporaryDatabase()
        try await Self.open(place).close()
        if isEmptied {
            #expect(truncate(place.path, 0) == 0)
        } else {
            try FileManager.default.removeItem(atPath: (place.path as NSString).deletingLastPathComponent)
        }
        await #expect { try await Self.open(place) } throws: { error in
            let error = error as? StoreError
            return error?.kind == .worldGone && error?.remedy.contains("--new-world") == true
        }
        #expect(place.bytes.isEmpty)
    }

    @Test func keyWithoutADatabase_beginsAWorldWhenThatIsMeant() async throws {
        let place = try TemporaryDatabase()
        try await Self.open(place).close()
        try FileManager.default.removeItem(atPath: place.path)
        let store = try await Self.open(place, isNewWorld: true)
        try await store.commit([mark(1)])
        await store.close()
        #expect(try await Self.open(place).markCount == 1)
    }

    @Test func keyOfAnotherWorld_beginsOneWhereNoneWas() async throws {
        let place = try TemporaryDatabase()
        try Self.keyFile(place).write(.throwAway())
        let store = try await Self.open(place)
        try await store.commit([mark(1)])
        await store.close()
        #expect(try await Self.open(place).markCount == 1)
    }

    @Test func keyWhoseFolderCannotBeWritten_opensItsWorld() async throws {
        let place = try TemporaryDatabase()
        try Self.keyFile(place).write(.throwAway())
        try FileManager.default.createDirectory(
            atPath: Self.keyFile(place).path + ".worlds", withIntermediateDirectories: false)
        try await Self.open(place).close()
        #expect(try await Self.open(place).markCount == 0)
    }

    @Test func firstStartThatWasCutOffBeforeItsKey_isGoneOnWith() async throws {
        let place = try TemporaryDatabase()
        try DatabaseFile.claim(place.path).create()
        #expect(!Self.keyFile(place).exists)
        try await Self.open(place).commit([mark(1)])
        #expect(Self.keyFile(place).exists)
    }

    /// A database with a key and one table, made without the migrator.
    private static func begun(with table: String) throws -> TemporaryDatabase {
        let place = try TemporaryDatabase()
        try DatabaseFile.claim(place.path).create()
        try keyFile(place).write(.throwAway())
        let connection = try Connection(path: place.path, role: .writer(.full))
        defer { connection.close() }
        try connection.lend("begin") { db in _ = try db.run(table, [], keyring: nil) }
        return place
    }

    @Test func firstStartThatWasCutOffBeforeItsFirstStep_isGoneOnWith() async throws {
        // As the migrator leaves it (GRDB 7) when it is ended before the first step.
        let place = try Self.begun(with: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        let store = try await Self.open(place)
        try await store.commit([mark(1)])
        await store.close()
        #expect(try await Self.open(place).markCount == 1)
    }

    @Test func otherTableOfTheMigrator_isDamageBeforeTheFirstStep() async throws {
        let place = try Self.begun(with: "CREATE TABLE grdb_migrations (identifier TEXT PRIMARY KEY, more TEXT)")
        await #expect { try await Self.open(place) } throws: { ($0 as? StoreError)?.kind == .damaged }
    }

    @Test func worldWhoseKeyIsGone_isNotGivenAnother() async throws {
        let place = try TemporaryDatabase()
        try await Self.open(place).close()
        try FileManager.default.removeItem(atPath: Self.keyFile(place).path)
        await #expect { try await Self.open(place) } throws: { ($0 as? StoreError)?.kind == .key }
        #expect(!Self.keyFile(place).exists)
    }

    // MARK: What the log says

    /// A start that finds something in every table once held back all that followed in the log.
    @Test func tablesThatDifferAlike_shareALine() {
        let names = (0..<60).map { "table\($0)" }
        let lost = Tally(rows: 0, sum: Tally.Code(), codes: nil, isLost: true)
        let lines = TallyFinding.lines(of: names.compactMap { TallyFinding($0, written: lost, found: lost) })
        #expect(lines.count == 1)
        #expect(names.allSatisfy { lines[0].contains($0) })
        #expect(lines[0].contains("the record of its rows was removed or damaged"))
    }

    @Test func tablesThatDifferEachInItsWay_takeTenLines_andAllAreNamed() {
        let findings = (1...30).compactMap { number in
            TallyFinding(
                "table\(number)", written: Tally(rows: Int64(number), sum: Tally.Code(), codes: nil, isLost: false),
                found: Tally(keepsCodes: false))
        }
        for count in [0, 1, 10, 11, 30] {
            let lines = TallyFinding.lines(of: Array(findings.prefix(count)))
            #expect(lines.count == min(10, count))
            let words = Set(lines.joined(separator: " ").split { !$0.isLetter && !$0.isNumber })
            #expect((1...30).filter { words.contains("table\($0)") }.count == count)
        }
    }
}
