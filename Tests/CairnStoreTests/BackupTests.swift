import CairnCore
import CairnTesting
import Foundation
import Testing

@testable import CairnStore

/// DAT-5, B25: copies of a store that serves.
@Suite("Backups")
struct BackupTests {
    private static func backups(of place: TemporaryDatabase, keep: Int = 3) -> BackupFolder {
        BackupFolder(path: place.folder + "/backups", keep: keep)
    }

    @Test func backup_holdsEveryChangeAcknowledgedBefore_andIsOnePlainFile() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        try await store.commit((1...2_000).map { mark($0) })
        let path = place.folder + "/copy.sqlite"
        let report = try await store.backUp(to: path)
        #expect(report.path == path && report.bytes > 20_000)
        let found = try Store.verify(path, options: place.options, format: marksFormat)
        #expect(found.rowsPerTable["marks"] == 2_000)
        let beside = try FileManager.default.contentsOfDirectory(atPath: place.folder).filter { $0.hasPrefix("copy") }
        #expect(beside == ["copy.sqlite"])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func backupWhileChangesGoOn_isOneMoment() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open([TemporaryDatabase.marks, Self.pairs])
        try await store.commit((1...20_000).map { mark($0) })
        let writing = Task {
            var id = Int64(0)
            while !Task.isCancelled {
                id += 1
                // Both or none: a copy that is not of one moment would hold one of them.
                try await store.commit([
                    Statement("INSERT INTO one (id) VALUES (?)", .integer(id)),
                    Statement("INSERT INTO two (id) VALUES (?)", .integer(id)),
                ])
            }
        }
        for number in 1...3 {
            let report = try await store.backUp(to: place.folder + "/copy-\(number).sqlite")
            let rows = try DatabaseCheck(masters: place.keys).run(report.path).rowsPerTable
            #expect(rows["one"] == rows["two"] && rows["marks"] == 20_000)
        }
        writing.cancel()
        _ = await writing.result
    }

    private static let pairs = Migration(
        "pairs-1", "CREATE TABLE one (id INTEGER PRIMARY KEY)", "CREATE TABLE two (id INTEGER PRIMARY KEY)")

    @Test func backupsBeyondTheBound_areDeleted_oldestFirst_othersStay() async throws {
        let place = try TemporaryDatabase()
        let folder = Self.backups(of: place, keep: 2)
        let store = try await place.open { $0.backups = folder }
        try folder.create()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path + "/cairn-mine.sqlite"))
        var paths: [String] = []
        for _ in 1...4 { paths.append(try await store.backUp().path) }
        #expect(folder.backups.map(\.path) == paths.suffix(2).reversed())
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
        #expect(store.figures.backups == 4 && store.figures.lastBackupAt > .epoch)
    }

    @Test func backupThatFails_isCounted_leavesNothingBehind_andTheNextMends() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        try Data("no folder".utf8).write(to: URL(fileURLWithPath: place.folder + "/file"))
        await #expect(throws: StoreError.self) { try await store.backUp(to: place.folder + "/file/copy.sqlite") }
        #expect(store.figures.backupFailures == 1 && store.figures.lastBackupFailed)
        #expect(await place.log.line(with: "backup failed").contains("error"))
        _ = try await store.backUp(to: place.folder + "/copy.sqlite")
        #expect(!store.figures.lastBackupFailed)
    }

    @Test func backup_canBeMadeBesideTheServer_andOfAStoppedOne() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        try await store.commit([mark(1)])
        let first = try Store.backUp(to: place.folder + "/one.sqlite", options: place.options, format: marksFormat)
        await store.close()
        let second = try Store.backUp(to: place.folder + "/two.sqlite", options: place.options, format: marksFormat)
        #expect(first.rows == second.rows)
    }

    @Test func backup_takesNoNameThatIsTaken() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        try await store.commit([mark(1)])
        let one = place.folder + "/one.sqlite"
        for name in [place.path, try Store.backUp(to: one, options: place.options, format: marksFormat).path] {
            #expect {
                try Store.backUp(to: name, options: place.options, format: marksFormat)
            } throws: { ($0 as? StoreError)?.kind == .rejected }
        }
        #expect(try await store.markCount == 1)
    }

    @Test func backupOfAClockThatWasAhead_isNotTheNewest() async throws {
        let place = try TemporaryDatabase()
        let backups = Self.backups(of: place)
        let store = try await place.open { $0.backups = backups }
        let now = try await store.backUp().takenAt
        let ahead = backups.path + "/cairn-29991231T235959.000Z.sqlite"
        try FileManager.default.copyItem(atPath: backups.backups[0].path, toPath: ahead)
        #expect(backups.backups.count == 2 && backups.newest(now: now)?.takenAt == now)
        #expect(backups.backups.last?.path == ahead, "it is the last to be restored, and the first to go")
    }

    @Test func backupByAClockThatIsBehind_staysAndGoesFirst() async throws {
        let place = try TemporaryDatabase()
        let backups = Self.backups(of: place, keep: 2)
        let store = try await place.open { $0.backups = backups }
        var paths: [String] = []
        for _ in 1...2 { paths.append(try await store.backUp().path) }
        // A clock that has lost its battery.
        let then: WallTime = 1_000_000
        let behind = try backups.add(from: place.path, check: DatabaseCheck(masters: place.keys), now: then).path
        #expect(backups.backups(now: then).map(\.path) == [behind, paths[1]])
        let before = then - .milliseconds(1)
        let second = try backups.add(from: place.path, check: DatabaseCheck(masters: place.keys), now: before).path
        #expect(backups.backups(now: before).map(\.path).first == second)
        #expect(FileManager.default.fileExists(atPath: second))
    }

    @Test func whatACutOffBackupLeft_goesAfterAnHour() async throws {
        let place = try TemporaryDatabase()
        let backups = Self.backups(of: place)
        let store = try await place.open { $0.backups = backups }
        _ = try await store.backUp()
        let drafts = ["old", "young"].map { backups.path + "/cairn-\($0).sqlite.part" }
        for draft in drafts { #expect(FileManager.default.createFile(atPath: draft, contents: Data([1]))) }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3_700)], ofItemAtPath: drafts[0])
        _ = try await store.backUp()
        #expect(drafts.map(FileManager.default.fileExists) == [false, true])
    }

    @Test func restore_bringsBackTheBackup_andKeepsWhatWasThere() async throws {
        let place = try TemporaryDatabase()
        let first = try await place.open()
        try await first.commit([mark(1)])
        let backup = try await first.backUp(to: place.folder + "/copy.sqlite")
        try await first.commit([mark(2)])
        await first.close()
        let report = try Store.restore(backup.path, options: place.options, format: marksFormat)
        let kept = try #require(report.setAside)
        #expect(try DatabaseCheck(masters: place.keys).run(kept).rowsPerTable["marks"] == 2)
        #expect(try await place.open().markCount == 1)
    }

    @Test func restoreUnderAServer_isRefused() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        let backup = try await store.backUp(to: place.folder + "/copy.sqlite")
        #expect {
            try Store.restore(backup.path, options: place.options, format: marksFormat)
        } throws: { ($0 as? StoreError)?.kind == .inUse }
    }

    @Test func restoreOfAnotherWorldsBackup_isRefused_andNothingTouched() async throws {
        let (place, other) = (try TemporaryDatabase(), try TemporaryDatabase())
        try await place.open().close()
        let before = place.bytes
        let backup = try await other.open().backUp(to: other.folder + "/copy.sqlite")
        #expect {
            try Store.restore(backup.path, options: place.options, format: marksFormat)
        } throws: { ($0 as? StoreError)?.kind == .key }
        #expect(place.bytes == before)
    }

    @Test func timeInAName_isReadAgain() {
        #expect(WallClock.stamp(1_778_580_900_123) == "20260512T101500.123Z")
        #expect(WallClock.time(of: "20260512T101500.123Z") == 1_778_580_900_123)
        #expect(WallClock.time(of: "20261512T101500.123Z") == nil)
        #expect(WallClock.time(of: "mine") == nil)
        #expect(WallClock.text(1_778_580_900_123) == "2026-05-12 10:15:00 UTC")
    }
}
