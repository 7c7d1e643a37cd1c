import CairnCore
import Foundation
import Synchronization
import Testing

@testable import CairnStore

/// People who are sealed, and visits of theirs: a world small enough to know every row of it.
enum SmallWorld {
    private static let seal = Seal("people")

    private static let migrations = [
        Migration(
            "people-1",
            "CREATE TABLE people (id INTEGER PRIMARY KEY, home INTEGER NOT NULL, sealed BLOB NOT NULL) STRICT",
            "CREATE INDEX people_home ON people (home)",
            """
            CREATE TABLE visits (id INTEGER PRIMARY KEY, person INTEGER NOT NULL REFERENCES people (id)
                ON DELETE CASCADE, at INTEGER NOT NULL) STRICT
            """)
    ]

    private static let people = StoredTable(
        "people", of: .account, columns: ["id", "home", "sealed"], key: [0], opening: [Opening(2, seal, row: 0)]
    ) { (row) throws(ColumnFault) in
        let home = try row.within(2) { (sealed) throws(ColumnFault) in try sealed.integer(1, in: 0...1_000) }
        return [StoredTable.Derived(1, .pseudonym(UInt64(home), seal))]
    }

    private static let visits = StoredTable(
        "visits", of: .account, columns: ["id", "person", "at"], key: [0], references: [.init(1, to: "people", "id")]
    ) { (row) throws(ColumnFault) in
        _ = try row.wallTime(2)
        return []
    }

    static let format = StoreFormat(migrations: migrations, tables: [people, visits])

    static func person(_ id: Int64, home: UInt64 = 7) -> Statement {
        Statement(
            "INSERT INTO people (id, home, sealed) VALUES (?, ?, ?)", .integer(id), .pseudonym(home, seal),
            .sealed([.text("Ada"), .integer(Int64(home))], seal, row: id))
    }

    static func visit(_ id: Int64, of person: Int64) -> Statement {
        Statement("INSERT INTO visits (id, person, at) VALUES (?, ?, ?)", .integer(id), .integer(person), .integer(1))
    }

    static func folder(_ place: TemporaryDatabase) -> BackupFolder {
        BackupFolder(path: place.folder + "/backups", keep: 2)
    }

    static func open(_ place: TemporaryDatabase) async throws -> Store {
        try await place.open(format.migrations, tables: format.tables) { $0.backups = folder(place) }
    }

    /// Twenty people with a visit each, a backup, person 21 without a backup, and what happens to the file then.
    static func make(_ damage: String...) async throws -> TemporaryDatabase {
        let place = try TemporaryDatabase()
        let store = try await open(place)
        try await store.commit((1...20).map { person($0, home: UInt64($0)) })
        try await store.commit((1...20).map { visit($0, of: $0) })
        _ = try await store.backUp()
        try await store.commit([person(21)])
        await store.close()
        let connection = try Connection(path: place.path, role: .writer(.normal))
        defer { connection.close() }
        try connection.lend("damage") { db in
            for sql in ["PRAGMA foreign_keys = 0", "PRAGMA writable_schema = 1"] + damage {
                try db.run(sql, [], keyring: nil)
            }
        }
        return place
    }

    static func verify(_ place: TemporaryDatabase) throws -> VerifyReport {
        try Store.verify(place.path, options: place.options, format: format)
    }

    static func repair(_ place: TemporaryDatabase) throws -> RepairReport {
        try Store.repair(from: folder(place).backups[0].path, options: place.options, format: format)
    }

    /// Changes several bits at the end of a sealed value: a single one would be mended at a start.
    static func flip(_ person: Int64) -> String {
        """
        UPDATE people SET sealed = CAST(substr(sealed, 1, length(sealed) - 2) || CASE substr(sealed, -2)
            WHEN x'0000' THEN x'0303' ELSE x'0000' END AS BLOB) WHERE id = \(person)
        """
    }

}

/// Every row is opened and compared, and found by its name.
@Suite("Verify, row by row")
struct RowCheckTests {
    @Test func soundWorld_isSound() async throws {
        let report = try SmallWorld.verify(try await SmallWorld.make())
        #expect(report.isSound && report.rowsPerTable["people"] == 21 && report.rowsPerTable["visits"] == 20)
    }

    @Test(arguments: [
        (SmallWorld.flip(3), "people 3: sealed does not open"),
        ("UPDATE people SET home = home + 1 WHERE id = 4", "people 4: home does not agree"),
        ("UPDATE people SET sealed = (SELECT sealed FROM people WHERE id = 6) WHERE id = 5", "people 5: sealed"),
        ("UPDATE visits SET at = -1 WHERE id = 7", "visits 7: at is out of range"),
        ("DELETE FROM people WHERE id = 8", "visits 8: person names a row that is not there"),
    ])
    func damagedRow_isNamed(damage: String, finding: String) async throws {
        let report = try SmallWorld.verify(try await SmallWorld.make(damage))
        #expect(!report.isSound && report.damagedCount == 1)
        #expect(report.damaged.first?.description.hasPrefix(finding) == true, "\(report.damaged)")
    }

    @Test func progress_isToldByTable() async throws {
        let place = try await SmallWorld.make()
        let parts = Mutex<[String]>([])
        _ = try Store.verify(place.path, options: place.options, format: SmallWorld.format) { progress in
            parts.withLock { $0.append(progress.part) }
        }
        #expect(parts.withLock { $0.first } == "pages")
    }

    @Test func backupOfDamagedRows_isWritten_butCountsAsNoneAndPushesNoSoundOneOut() async throws {
        let place = try await SmallWorld.make(SmallWorld.flip(3))
        let store = try await SmallWorld.open(place)
        let sound = SmallWorld.folder(place).backups.map(\.path)
        for _ in 1...4 {
            let report = try await store.backUp()
            #expect(!report.isSound && report.path.hasSuffix(".unsound.sqlite"))
        }
        let left = SmallWorld.folder(place).backups
        #expect(left.filter(\.isSound).map(\.path) == sound && left.count == sound.count + 2)
        #expect(store.figures.lastBackupUnsound)
        #expect(store.figures.lastBackupAt == left.first?.takenAt, "the newest sound one")
        #expect(await place.log.line(with: "is unsound").contains("people 3"))
    }

    @Test func damagedStart_takesTheNewestSoundBackup() async throws {
        let place = try await SmallWorld.make(SmallWorld.flip(3))
        let store = try await SmallWorld.open(place)
        _ = try await store.backUp()
        await store.close()
        try place.damage(at: 0, with: Array("not a database, ".utf8))
        let again = try await SmallWorld.open(place)
        #expect(again.figures.restored?.from == SmallWorld.folder(place).backups.first { $0.isSound }?.path)
    }

    @Test func damagedStart_withoutASoundBackup_takesOneWithDamagedRows() async throws {
        let place = try await SmallWorld.make(SmallWorld.flip(3))
        let store = try await SmallWorld.open(place)
        let unsound = try await store.backUp().path
        await store.close()
        for backup in SmallWorld.folder(place).backups where backup.isSound { unlink(backup.path) }
        try place.damage(at: 0, with: Array("not a database, ".utf8))
        #expect(try await SmallWorld.open(place).figures.restored?.from == unsound)
    }

    @Test func restoreOfABackupWithDamagedRows_isRefused_unlessItIsMeant() async throws {
        let place = try await SmallWorld.make(SmallWorld.flip(3))
        let copy = place.folder + "/copy.sqlite"
        let report = try Store.backUp(to: copy, options: place.options, format: SmallWorld.format)
        #expect(report.faults.contains("people 3"))
        let before = place.bytes
        #expect {
            try Store.restore(copy, options: place.options, format: SmallWorld.format)
        } throws: { ($0 as? StoreError)?.remedy.contains("--even-unsound") == true }
        #expect(place.bytes == before)
        _ = try Store.restore(copy, options: place.options, format: SmallWorld.format, evenUnsound: true)
        #expect(try SmallWorld.verify(place).damagedCount == 1)
    }
}

/// What a sound backup has of a damaged world comes back, and nothing else.
@Suite("Repair from a backup")
struct RepairTests {
    @Test(arguments: [
        (SmallWorld.flip(3), "people 3"),
        ("UPDATE people SET home = home + 1 WHERE id = 4", "people 4"),
        ("UPDATE visits SET at = -1 WHERE id = 7", "visits 7"),
        // Missing, but named by a visit.
        ("DELETE FROM people WHERE id = 8", "people 8"),
    ])
    func damagedRow_comesBack_andTheFileIsKept(damage: String, name: String) async throws {
        let place = try await SmallWorld.make(damage)
        let broken = try SmallWorld.verify(place)
        let report = try SmallWorld.repair(place)
        #expect(report.putBack == [name] && report.left.isSound)
        #expect(report.left.rowsPerTable["people"] == 21 && report.left.rowsPerTable["visits"] == 20)
        let kept = try #require(report.kept)
        let before = try Store.verify(kept, options: place.options, format: SmallWorld.format)
        #expect(before.damaged == broken.damaged)
        #expect(try SmallWorld.verify(place).isSound)
    }

    @Test func rowWhoseKeyWasDamaged_isKnownByItsSeal() async throws {
        let place = try await SmallWorld.make("UPDATE people SET id = 99 WHERE id = 20")
        let report = try SmallWorld.repair(place)
        #expect(report.left.isSound && report.putBack == ["people 20"])
        #expect(report.left.rowsPerTable["people"] == 21)
    }

    @Test func index_isBuiltAnew() async throws {
        let place = try await SmallWorld.make(
            "UPDATE sqlite_master SET sql = 'CREATE INDEX people_home ON people (home) WHERE 0'"
                + " WHERE name = 'people_home'", "PRAGMA writable_schema = RESET", "REINDEX",
            "PRAGMA writable_schema = 1",
            "UPDATE sqlite_master SET sql = 'CREATE INDEX people_home ON people (home)' WHERE name = 'people_home'")
        let broken = try SmallWorld.verify(place)
        #expect(!broken.isSound && broken.damagedCount == 0 && broken.faults.contains("people_home"))
        #expect(try SmallWorld.repair(place).left.isSound)
    }

    @Test func rowThatTheBackupLacks_staysAsItIs() async throws {
        let report = try SmallWorld.repair(try await SmallWorld.make(SmallWorld.flip(21)))
        #expect(report.putBack.isEmpty && report.left.damaged.map(\.name) == ["people 21"])
        #expect(report.kept != nil)
    }

    @Test func rowThatWasDeletedSinceTheBackup_staysDeleted() async throws {
        let place = try await SmallWorld.make(
            "DELETE FROM visits WHERE person = 9", "DELETE FROM people WHERE id = 9", SmallWorld.flip(3))
        let report = try SmallWorld.repair(place)
        #expect(report.putBack == ["people 3"] && report.left.rowsPerTable["people"] == 20)
    }

    @Test func visitsOfARepairedPerson_stay() async throws {
        let report = try SmallWorld.repair(try await SmallWorld.make(SmallWorld.flip(3)))
        #expect(report.left.rowsPerTable["visits"] == 20, "putting a row back deletes nothing that names it")
    }

    @Test func soundWorld_isLeftAlone() async throws {
        let place = try await SmallWorld.make()
        let before = place.bytes
        #expect(try SmallWorld.repair(place).kept == nil)
        #expect(place.bytes == before)
    }

    @Test func repairUnderARunningServer_isRefused() async throws {
        let place = try await SmallWorld.make(SmallWorld.flip(3))
        let store = try await SmallWorld.open(place)
        #expect { try SmallWorld.repair(place) } throws: { ($0 as? StoreError)?.kind == .inUse }
        await store.close()
    }

    @Test func backupOfAnotherWorld_isRefused() async throws {
        let place = try await SmallWorld.make(SmallWorld.flip(3))
        let other = try TemporaryDatabase(keys: place.keys)
        let store = try await SmallWorld.open(other)
        try await store.commit([SmallWorld.person(3)])
        let backup = try await store.backUp().path
        await store.close()
        #expect {
            try Store.repair(from: backup, options: place.options, format: SmallWorld.format)
        } throws: { ($0 as? StoreError)?.cause.contains("another world") == true }
        #expect(try SmallWorld.verify(place).damagedCount == 1)
    }
}
