import CairnCore
import Foundation
import Testing

@testable import CairnStore

/// DAT-6, B6: a database that is damaged at the start, with backups at hand.
@Suite("Damage at the start")
struct DamageTests {
    /// What can happen to a file.
    enum Damage: String, CaseIterable, Sendable {
        case zeroedPage, badHeader, truncated, randomBits, emptied

        func happen(to place: TemporaryDatabase) throws {
            switch self {
            case .zeroedPage: try place.damage(at: 5 * 4_096, with: [UInt8](repeating: 0, count: 4_096))
            case .badHeader: try place.damage(at: 0, with: Array("not a database, ".utf8))
            case .truncated: #expect(truncate(place.path, place.bytes.count / 2) == 0)
            case .randomBits:
                var noise = SystemRandomNumberGenerator()
                for page in 3..<9 { try place.damage(at: page * 4_096, with: (0..<512).map { _ in noise.next() }) }
            case .emptied: #expect(truncate(place.path, 0) == 0)
            }
        }
    }

    private static func withBackups(_ place: TemporaryDatabase) -> BackupFolder {
        BackupFolder(path: place.folder + "/backups", keep: 5)
    }

    /// 3,000 marks, a backup, and one mark more.
    private static func world() async throws -> (place: TemporaryDatabase, backups: BackupFolder) {
        let place = try TemporaryDatabase()
        let backups = withBackups(place)
        let store = try await place.open { $0.backups = backups }
        try await store.commit((1...3_000).map { mark($0) })
        _ = try await store.backUp()
        try await store.commit([mark(3_001)])
        await store.close()
        return (place, backups)
    }

    @Test(arguments: [Damage.zeroedPage, .badHeader, .truncated, .randomBits])
    func damagedDatabase_givesWayToTheBackup_andIsKept(damage: Damage) async throws {
        let (place, backups) = try await Self.world()
        try damage.happen(to: place)
        let broken = place.bytes
        let store = try await place.open { $0.backups = backups }
        #expect(try await store.markCount == 3_000)
        let report = try #require(store.figures.restored)
        #expect(report.lostSince == backups.backups[0].takenAt && report.lostUntil >= report.lostSince)
        let kept = try #require(report.setAside)
        #expect(FileManager.default.contents(atPath: kept) == broken)
        #expect(await place.log.line(with: "Lost are changes from").contains("UTC"))
        try await store.commit([mark(4_000)])
        await store.close()
    }

    @Test func damagedBackup_isPassedOver() async throws {
        let (place, backups) = try await Self.world()
        let store = try await place.open { $0.backups = backups }
        let newest = try await store.backUp()
        await store.close()
        let file = try #require(FileHandle(forUpdatingAtPath: newest.path))
        try file.seek(toOffset: 3 * 4_096)
        try file.write(contentsOf: Data(count: 4_096))
        try file.close()
        try Damage.badHeader.happen(to: place)
        let again = try await place.open { $0.backups = backups }
        #expect(try await again.markCount == 3_000)
        #expect(await place.log.line(with: "is passed over").contains(newest.path))
    }

    @Test func backupOfAClockThatWasAhead_isRestoredOnlyWhenThereIsNoOther() async throws {
        let (place, backups) = try await Self.world()
        let store = try await place.open { $0.backups = backups }
        let newest = try await store.backUp()
        await store.close()
        // The older one says that it is from the future.
        let ahead = backups.path + "/cairn-29991231T235959.000Z.sqlite"
        try FileManager.default.moveItem(atPath: backups.backups[1].path, toPath: ahead)
        try Damage.badHeader.happen(to: place)
        let again = try await place.open { $0.backups = backups }
        #expect(again.figures.restored?.from == newest.path)
        #expect(try await again.markCount == 3_001)
    }

    @Test func logOfTheDamagedDatabase_isNotPlayedIntoTheBackup() async throws {
        let place = try TemporaryDatabase()
        let backups = Self.withBackups(place)
        let store = try await place.open { $0.backups = backups }
        try await store.commit((1...3_000).map { mark($0) })
        _ = try await store.backUp()
        for id in Int64(3_001)...3_020 { try await store.commit([mark(id)]) }
        let image = try place.crashed()
        try image.damage(at: 0, with: Array("not a database, ".utf8))
        let again = try await image.open { $0.backups = backups }
        #expect(try await again.markCount == 3_000)
        let kept = try #require(again.figures.restored?.setAside)
        #expect(FileManager.default.fileExists(atPath: kept + "-wal"))
    }

    @Test(arguments: [Damage.zeroedPage, .badHeader, .truncated, .randomBits])
    func withoutASoundBackup_theStartIsRefused_andNothingTouched(damage: Damage) async throws {
        let (place, backups) = try await Self.world()
        for backup in backups.backups { #expect(truncate(backup.path, 5_000) == 0) }
        try damage.happen(to: place)
        let before = place.bytes
        await #expect { try await place.open { $0.backups = backups } } throws: { error in
            let error = error as? StoreError
            return error?.kind == .damaged && error?.cause.contains("no sound backup") == true
                && error?.remedy.contains("cairn restore") == true
        }
        #expect(place.bytes == before)
    }

    @Test(arguments: [true, false])
    func databaseThatIsGoneWhileBackupsAreThere_isRestored(isEmptied: Bool) async throws {
        let (place, backups) = try await Self.world()
        if isEmptied {
            try Damage.emptied.happen(to: place)
        } else {
            try FileManager.default.removeItem(atPath: place.path)
        }
        let store = try await place.open { $0.backups = backups }
        #expect(try await store.markCount == 3_000)
    }

    /// 20 marks in the database, 20 in its log, as a crash leaves them.
    private static func crashed() async throws -> (place: TemporaryDatabase, image: TemporaryDatabase) {
        let place = try TemporaryDatabase()
        let backups = withBackups(place)
        let store = try await place.open {
            $0.backups = backups
            $0.checkpointPages = 1_000_000
        }
        for id in Int64(1)...20 { try await store.commit([mark(id)]) }
        _ = try await store.backUp()
        for id in Int64(21)...40 { try await store.commit([mark(id)]) }
        return (place, try place.crashed())
    }

    @Test func logWithoutItsDatabase_isNotPlayedIntoTheBackup_andKept() async throws {
        let (place, image) = try await Self.crashed()
        let backups = Self.withBackups(place)
        let log = image.logBytes
        try FileManager.default.removeItem(atPath: image.path)
        let store = try await image.open { $0.backups = backups }
        #expect(try await store.markCount == 20)
        let folder = (image.path as NSString).deletingLastPathComponent
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix("-wal") }
        #expect(kept.contains { FileManager.default.contents(atPath: folder + "/" + $0) == log })
    }

    @Test func logWithoutItsDatabase_isNoNewWorld() async throws {
        let (_, image) = try await Self.crashed()
        let log = image.logBytes
        try FileManager.default.removeItem(atPath: image.path)
        await #expect { try await image.open() } throws: { ($0 as? StoreError)?.kind == .damaged }
        #expect(image.logBytes == log && !FileManager.default.fileExists(atPath: image.path))
    }

    @Test func restoreThatWasCutOff_isUndone() async throws {
        let (_, image) = try await Self.crashed()
        // Between setting the database aside and the backup's taking its name.
        let aside = image.path + ".before-restore-20261121T101500.123Z"
        #expect(link(image.path, aside) == 0 && rename(image.path + "-wal", aside + "-wal") == 0)
        let store = try await image.open()
        #expect(try await store.markCount == 40)
        #expect(!FileManager.default.fileExists(atPath: aside))
    }

    @Test func restoreOfADatabaseThatWasSetAside_bringsItsLogAlong() async throws {
        let (place, image) = try await Self.crashed()
        let backups = Self.withBackups(place)
        let kept = try Store.restore(backups.backups[0].path, options: image.options, format: marksFormat).setAside
        let then = try await image.open()
        #expect(try await then.markCount == 20)
        await then.close()
        _ = try Store.restore(try #require(kept), options: image.options, format: marksFormat)
        let now = try await image.open()
        #expect(try await now.markCount == 40)
    }
}
