import CairnCore
import Foundation
import Testing

@testable import CairnStore

/// Damage to the tree of the second copies: they say nothing that their rows do not say, so they are made anew, nothing
/// is lost, and no backup takes the place of the world.
@Suite("The tree of the second copies")
struct CopyTreeTests {
    private func open(
        _ place: TemporaryDatabase, backups: BackupFolder? = nil, checked: Bool = true
    ) async throws -> Store {
        try await place.open(Doors.keptTwice) { options in
            options.backups = backups
            options.checksAtStart = checked
        }
    }

    /// Doors are kept twice, keys once.
    private static let doorsTwice = StoreFormat(
        migrations: [Doors.migration], tables: [Doors.keptTwice.tables[0], Doors.tables(keptTwice: false)[1]])

    /// A world with ten doors and keys; a backup has nine of them.
    private func world(
        _ format: StoreFormat = Doors.keptTwice
    ) async throws -> (place: TemporaryDatabase, backups: BackupFolder) {
        let place = try TemporaryDatabase()
        let backups = BackupFolder(path: place.folder + "/backups", keep: 5)
        let store = try await place.open(format) { $0.backups = backups }
        try await store.commit(Doors.ids.dropLast().flatMap { Doors.door($0, Doors.longText) })
        _ = try await store.backUp()
        try await store.commit(Doors.door(Doors.ids[9], Doors.longText))
        await store.close()
        return (place, backups)
    }

    private func doors(_ store: Store) async throws -> Int {
        var count = 0
        for id in Doors.ids {
            let rows = try await store.read([Doors.keptTwice.tables[0].query("WHERE print = ?", Doors.print(id))])[0]
            let text = rows.first.flatMap { try? $0.within(2) { row throws(ColumnFault) in try row.text(0) } }
            if text == Doors.longText { count += 1 }
        }
        return count
    }

    /// No page of a table begins so: the root of the tree, or the last of its leaves.
    @Test(arguments: [0, -1])
    func damagedPageOfCopies_costsNobodyAnything(page: Int) async throws {
        let (place, backups) = try await world()
        let pages = try place.pages(of: "cairn_copies")
        #expect(pages.count > 2)
        try place.damage(at: pages[page < 0 ? pages.count + page : page].lowerBound, with: [0xFF])
        let broken = place.bytes
        #expect { try place.verify(Doors.keptTwice) } throws: { error in
            (error as? StoreError)?.remedy.contains("makes them anew") == true
        }
        // A start looks at the world alone.
        let copy = place.folder + "/copy.sqlite"
        try broken.write(to: URL(fileURLWithPath: copy))
        #expect { try Store.verify(copy, options: place.options, format: Doors.keptTwice) } throws: { error in
            (error as? StoreError)?.remedy.hasPrefix("use another backup, or make a new one") == true
        }
        #expect {
            try Store.backUp(to: place.folder + "/new.sqlite", options: place.options, format: Doors.keptTwice)
        } throws: { error in
            (error as? StoreError)?.remedy.contains("restart") == true
        }
        let store = try await open(place, backups: backups)
        #expect(try await doors(store) == 10)
        #expect(store.figures.restored == nil && store.figures.copyFaults == 1)
        let line = await place.log.line(with: "were made anew from their rows")
        let kept = try #require(line.range(of: "kept as ").map { String(line[$0.upperBound...].dropLast()) })
        #expect(FileManager.default.contents(atPath: kept) == broken)
        await store.close()
        let report = try place.verify(Doors.keptTwice)
        #expect(report.isSound && report.rowsPerTable["cairn_copies"] == 20, "\(report.faults)")
        let left = try FileManager.default.contentsOfDirectory(atPath: place.folder + "/data")
        #expect(!left.contains { $0.hasSuffix(".pages") || $0.hasSuffix(".restored") || $0.hasSuffix(".part") })
    }

    /// The copies that are made anew keep what is written from then on.
    @Test func copiesThatWereMadeAnew_mendTheirRows() async throws {
        let (place, _) = try await world()
        try damageCopies(place)
        var store = try await open(place)
        try await store.commit(Doors.door(77, Doors.longText))
        await store.close()
        try place.tamper("DELETE FROM doors WHERE id IN (77, \(Doors.ids[3]))")
        store = try await open(place)
        #expect(try await doors(store) == 10)
        await store.close()
        #expect(try place.verify(Doors.keptTwice).isSound)
    }

    @Test func keyOfACopyOutOfItsOrder_isNamed_andRightAfterTheNextStart() async throws {
        let (place, _) = try await world()
        let key = Data(Array("doors".utf8) + [3, 0, 0x12, 0x34, 0x56, 0x78])
        let found = try place.pages(of: "cairn_copies").compactMap { place.bytes.range(of: key, in: $0) }
        let at = try #require(found.first).lowerBound + 5
        try place.damage(at: at, with: [3 ^ 0x40])
        let looked = try place.verify(Doors.keptTwice)
        #expect(looked.isSound)
        let findings = looked.copyFaults.findings
        #expect(findings.contains { $0.contains("PRIMARY KEY order for cairn_copies") }, "\(findings)")
        let store = try await open(place)
        #expect(try await doors(store) == 10)
        #expect(store.figures.restored == nil && store.figures.copyFaults == 1)
        #expect(place.log.all.contains { $0.hasPrefix("error: store: second copies of rows were made anew: ") })
        await store.close()
        let report = try place.verify(Doors.keptTwice)
        #expect(report.isSound && report.rowsPerTable["cairn_copies"] == 20, "\(report.faults)")
    }

    /// What the copies would have mended is lost with them: then a backup is better.
    @Test(arguments: ["UPDATE doors SET sealed = zeroblob(200) WHERE id = \(Doors.ids[4])", "DELETE FROM keys"])
    func damagedCopiesOfDamagedRows_giveWayToTheBackup(sql: String) async throws {
        let (place, backups) = try await world()
        try place.tamper(sql)
        try damageCopies(place)
        let store = try await open(place, backups: backups)
        #expect(try await doors(store) == 9)
        #expect(store.figures.restored != nil && store.figures.copyFaults == 0)
        #expect(place.log.all.contains { $0.hasPrefix("error: store: more than second copies is damaged: ") })
        await store.close()
        #expect(try place.verify(Doors.keptTwice).isSound)
    }

    /// A row that has no second copy loses nothing with the copies: a backup from before its damage would cost all
    /// that came since.
    @Test(arguments: [
        "UPDATE keys SET sealed = \(Doors.flipped("sealed")) WHERE door = \(Doors.ids[2])",
        "DELETE FROM keys WHERE door = \(Doors.ids[2])",
    ])
    func damagedCopiesBesideARowThatHasNone_costNobodyAnything(sql: String) async throws {
        let (place, backups) = try await world(Self.doorsTwice)
        try place.tamper(sql)
        try damageCopies(place)
        let store = try await place.open(Self.doorsTwice) { $0.backups = backups }
        #expect(try await doors(store) == 10)
        #expect(store.figures.restored == nil && store.figures.copyFaults == 1)
        #expect(place.log.all.contains { $0.hasPrefix("error: store: what else is damaged stays as it was: ") })
        await store.close()
        let report = try place.verify(Self.doorsTwice)
        #expect(!report.isSound && report.copyFaults.isEmpty && report.rowsPerTable["cairn_copies"] == 10)
    }

    private func damageCopies(_ place: TemporaryDatabase) throws {
        try place.damage(at: try place.pages(of: "cairn_copies")[0].lowerBound, with: [0xFF])
    }

    /// Its rows cannot be checked yet, and a backup would cost what came since.
    @Test func damagedCopiesOfAnOlderServer_areLeftToIt() async throws {
        let (place, backups) = try await world()
        try damageCopies(place)
        let broken = place.bytes
        let newer = StoreFormat(
            migrations: Doors.keptTwice.migrations + [
                Migration("rooms-1", "CREATE TABLE rooms (id INTEGER PRIMARY KEY) STRICT")
            ], tables: Doors.keptTwice.tables)
        await #expect { try await place.open(newer) { $0.backups = backups } } throws: { error in
            (error as? StoreError)?.remedy.hasPrefix("start the server that wrote it once") == true
        }
        #expect(place.bytes == broken)
        try await open(place, backups: backups).close()
        let store = try await place.open(newer) { $0.backups = backups }
        #expect(try await doors(store) == 10)
        #expect(store.figures.restored == nil)
        await store.close()
    }

    /// A full disk is no damage: the start is refused, and no backup takes the world's place.
    @Test func copiesThatTheDiskRefuses_bringNoBackupBack() async throws {
        let (place, backups) = try await world()
        try damageCopies(place)
        let broken = place.bytes
        // Something is in the way of the draft.
        let pages = place.path + Recovery.pagesEnding
        try FileManager.default.createDirectory(atPath: pages, withIntermediateDirectories: false)
        await #expect { try await open(place, backups: backups) } throws: { error in
            let error = error as? StoreError
            return error?.kind == .io && error?.remedy.contains("nothing is lost") == true
        }
        #expect(place.bytes == broken)
        let left = try FileManager.default.contentsOfDirectory(atPath: place.folder + "/data")
        #expect(!left.contains { $0.hasSuffix(".restored") || $0.hasSuffix(".part") })
        try FileManager.default.removeItem(atPath: pages)
        let store = try await open(place, backups: backups)
        #expect(try await doors(store) == 10)
        #expect(store.figures.restored == nil)
        await store.close()
    }

    @Test func diskWithoutRoom_isToldWithWhatToDo() throws {
        let place = try TemporaryDatabase()
        let check = DatabaseCheck(
            place.options, masters: place.keys, schema: Schema(Doors.keptTwice.migrations),
            tables: Doors.keptTwice.tables)
        let full = StoreError(.full, operation: "commit", cause: "database or disk is full", remedy: "")
        let told = Recovery(path: place.path, check: check).withoutLoss(full)
        #expect(told.kind == .full && told.remedy.hasPrefix("make room on the disk for two copies"))
    }

    /// SQLite deletes the log of an empty file that it opens.
    @Test func logOfAnEmptyFile_isKeptWithIt() async throws {
        let place = try TemporaryDatabase()
        let backups = BackupFolder(path: place.folder + "/backups", keep: 5)
        let store = try await open(place, backups: backups)
        _ = try await store.backUp()
        try await store.commit(Doors.door(Doors.ids[0], Doors.longText))
        let image = try place.crashed()
        await store.close()
        let log = image.logBytes
        #expect(!log.isEmpty)
        #expect(truncate(image.path, 0) == 0)
        let restored = try await open(image, backups: backups)
        let kept = try #require(restored.figures.restored?.setAside)
        #expect(FileManager.default.contents(atPath: kept + "-wal") == log)
        await restored.close()
        // The folder of the backups is its own.
        withExtendedLifetime(place) {}
    }

    @Test func withoutABackup_damageToMoreThanCopies_leavesTheFile() async throws {
        let (place, _) = try await world()
        try place.tamper("DELETE FROM keys")
        try damageCopies(place)
        let broken = place.bytes
        await #expect { try await open(place) } throws: { ($0 as? StoreError)?.kind == .damaged }
        #expect(place.bytes == broken)
    }

    /// Whatever type the key has: else each change of an account would read the copies of all accounts.
    @Test(arguments: [0, 1])
    func copiesAreFoundByTheirKeys(number: Int) async throws {
        let (place, _) = try await world()
        let connection = try Connection(path: place.path, role: .reader)
        defer { connection.close() }
        let keyring = try #require(try connection.unlock(with: place.keys))
        let table = Doors.keptTwice.tables[number]
        let plans: [[String]] = try connection.lend("explain") { db in
            let tallied = try #require(try TalliedTable(table, in: db))
            let copies = try #require(SecondCopies(table, tallied, keyring))
            try SecondCopies.install(in: db)
            // What a trigger deletes, as a question about each row.
            let trigger = SecondCopies.upkeep(of: tallied, removing: true, adding: false).dropLast()
                .replacingOccurrences(of: "DELETE", with: "SELECT 1")
            return try [
                "SELECT (\(trigger)) FROM \(tallied.name) AS old",
                "SELECT 1 FROM \(tallied.name) AS r WHERE \(copies.isAlone)",
            ].map { question in
                var plan: [String] = []
                try db.each("EXPLAIN QUERY PLAN \(question)", []) { plan.append("\($0.values[3])") }
                return plan
            }
        }
        for plan in plans {
            #expect(plan.contains { $0.contains("PRIMARY KEY (source=? AND key=?)") }, "\(plan)")
        }
    }

    /// A start that does not check the whole file meets the damage when it compares rows with their copies.
    @Test func copiesThatCannotBeRead_areTold_andTheWorldIsServed() async throws {
        let (place, _) = try await world()
        try damageCopies(place)
        let store = try await open(place, checked: false)
        #expect(try await doors(store) == 10)
        for table in ["doors", "keys"] {
            let line = "error: store: compare \(table) with its second copies: "
            let told = place.log.all.first { $0.hasPrefix(line) }
            #expect(told?.contains("start (or restart) the server") == true, "\(table)")
        }
        #expect(store.figures.copyFaults == 3)
        await store.close()
    }
}
