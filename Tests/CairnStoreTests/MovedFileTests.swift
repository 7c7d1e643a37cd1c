import CairnCore
import CairnTesting
import Foundation
import Synchronization
import Testing

@testable import CairnStore

/// Files that are removed or replaced under a store that has them open.
@Suite("Files that go from under a store")
struct MovedFileTests {
    enum Move: String, CaseIterable, Sendable {
        case removed, replaced, logRemoved

        func happen(to place: TemporaryDatabase) throws {
            let files = FileManager.default
            switch self {
            case .removed:
                for ending in ["", "-wal", "-shm"] { try files.removeItem(atPath: place.path + ending) }
            case .replaced:
                try files.copyItem(atPath: place.path, toPath: place.path + ".other")
                #expect(rename(place.path + ".other", place.path) == 0)
            case .logRemoved: try files.removeItem(atPath: place.path + "-wal")
            }
        }
    }

    @Test(arguments: Move.allCases)
    func change_isNotAcknowledged_andTheNextIsRefused(move: Move) async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open { $0.closeMax = .milliseconds(20) }
        try await store.commit([mark(1)])
        let outcomes = Outcomes(of: store)
        try move.happen(to: place)
        store.submit(unit(2))
        #expect(await place.log.line(with: "was removed or replaced").hasPrefix("critical"))
        #expect(!store.acceptsChanges && store.figures.isFileMoved && store.figures.isFailing)
        await #expect { try await store.commit([mark(3)]) } throws: { ($0 as? StoreError)?.kind == .moved }
        #expect(await store.close() == 1)
        #expect(outcomes.received.withLock { $0.isEmpty })
        #expect(move != .removed || !FileManager.default.fileExists(atPath: place.path), "no empty database is made")
    }

    @Test func storeWithNothingToDo_noticesIt() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        try await store.commit([mark(1)])
        try Move.removed.happen(to: place)
        _ = await place.log.line(with: "was removed or replaced")
        #expect(!store.acceptsChanges && store.figures.isFailing)
    }

    @Test func fileThatIsPutBack_isWrittenAgain() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        try await store.commit([mark(1)])
        #expect(rename(place.path, place.path + ".away") == 0)
        let outcomes = Outcomes(of: store)
        store.submit(unit(2))
        _ = await place.log.line(with: "was removed or replaced")
        #expect(rename(place.path + ".away", place.path) == 0)
        #expect(await outcomes.decided(1).flatMap(\.committed).count == 1)
        #expect(store.acceptsChanges && !store.figures.isFileMoved)
        #expect(try await store.markCount == 2)
    }
}

/// Databases that were set aside, and how long they stay.
@Suite("Databases set aside")
struct SetAsideTests {
    private static let day = Duration.seconds(86_400)

    private func over(_ ages: [Int], days: Int = 30, countMax: Int = 4) -> [Int] {
        let files = ages.map { SetAsideFiles.File(path: "\($0)", since: .epoch - Self.day * $0) }
        let aside = SetAsideFiles(path: "/none/cairn.sqlite", age: Self.day * days, countMax: countMax)
        return aside.over(files, now: 0).map { Int((WallTime.epoch - $0.since).milliseconds / Self.day.milliseconds) }
    }

    @Test func oldOnes_areOver() { #expect(over([1, 29, 31, 40]) == [31, 40]) }

    @Test func newest_isNeverOver() { #expect(over([400]) == []) }

    @Test func thoseBeyondTheNumber_areOver() { #expect(over([1, 2, 3, 4, 5, 6]) == [5, 6]) }

    @Test func prune_deletesFileAndLog_andSaysSo_andLeavesTheRest() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open { $0.setAsideMax = 2 }
        let names = [
            ".damaged-20250101T000000.000Z", ".damaged-20250101T000000.000Z-wal",
            ".before-restore-20260101T000000.000Z",
            ".before-colours-1", ".lock", ".mine",
        ]
        for name in names { try Data("x".utf8).write(to: URL(fileURLWithPath: place.path + name)) }
        await store.pruneSetAside()
        let left = names.filter { FileManager.default.fileExists(atPath: place.path + $0) }
        #expect(left == [".before-colours-1", ".lock", ".mine"], "the age of a date in 2026 is past, too")
        #expect(place.log.all.filter { $0.contains("store: deleted") }.count == 2)
        #expect(try await store.markCount == 0)
    }
}

/// What root makes for the server's user.
@Suite("Owners of files")
struct OwnerTests {
    /// Only root makes files for others; anybody else is the server's user.
    private static let user: uid_t = geteuid() == 0 ? 54_321 : geteuid()

    private static func owner(_ path: String) throws -> uid_t? {
        try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? uid_t
    }

    /// A world and a backup of it in folders of the server's user.
    private static func world() async throws -> (TemporaryDatabase, backup: String) {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        try await store.commit([mark(1)])
        let backup = try await store.backUp(to: place.folder + "/backup.sqlite").path
        await store.close()
        let folder = (place.path as NSString).deletingLastPathComponent
        for path in [folder, place.path, place.path + ".lock"] { #expect(chown(path, user, gid_t.max) == 0) }
        return (place, backup)
    }

    @Test func restoreByRoot_leavesFilesOfTheServersUser() async throws {
        let (place, backup) = try await Self.world()
        unlink(place.path + ".lock")
        _ = try Store.restore(backup, options: place.options, format: marksFormat)
        #expect(try Self.owner(place.path) == Self.user)
        #expect(try Self.owner(place.path + ".lock") == Self.user)
        #expect(try FileManager.default.attributesOfItem(atPath: place.path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func backupByRoot_isTheServersUsers_withItsFolder() async throws {
        let (place, _) = try await Self.world()
        var options = place.options
        let data = (place.path as NSString).deletingLastPathComponent
        options.backups = BackupFolder(path: data + "/backups", keep: 2)
        let backup = try Store.backUp(to: nil, options: options, format: marksFormat).path
        #expect(try Self.owner(backup) == Self.user && Self.owner(data + "/backups") == Self.user)
    }

    @Test func linkInTheFolderOfAnother_isNotFollowed() async throws {
        let (place, backup) = try await Self.world()
        let victim = place.folder + "/victim"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: victim))
        #expect(symlink(victim, place.path + ".restored.part") == 0)
        _ = try Store.restore(backup, options: place.options, format: marksFormat)
        #expect(try Self.owner(victim) == geteuid())
        #expect(FileManager.default.contents(atPath: victim) == Data("mine".utf8))
    }
}
