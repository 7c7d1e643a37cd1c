import CairnCore
import Foundation
import Synchronization
import Testing

@testable import CairnStore

/// DAT-6, DAT-9, B5, B6: what can be opened, and what is refused with its file left alone.
@Suite("Opening and closing")
struct OpeningTests {
    @Test func newDatabase_isOnlyItsOwnersToRead() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        try await store.commit([mark(1)])
        let manager = FileManager.default
        for ending in ["", "-wal", "-shm", ".lock"] {
            let rights = try manager.attributesOfItem(atPath: place.path + ending)[.posixPermissions] as? Int
            #expect(rights == 0o600, "\(ending)")
        }
        let folder = (place.path as NSString).deletingLastPathComponent
        #expect(try manager.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
    }

    @Test func close_savesWhatWaits() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open { $0.commitChangesMax = 10 }
        await store.withWriter { _ in for id in Int64(1)...100 { store.submit(unit(id)) } }
        #expect(await store.close() == 0)
        #expect(try await place.open().markCount == 100)
    }

    @Test func close_leavesOneFile() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        try await store.commit([mark(1)])
        _ = try await store.markCount
        await store.close()
        #expect(!FileManager.default.fileExists(atPath: place.path + "-wal"))
    }

    @Test func close_isBoundedWhenTheDiskRefuses_andSaysWhatIsLost() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open { $0.closeMax = .milliseconds(20) }
        await store.withWriter { writer in
            writer.beforeCommit = { throw StoreError(.full, operation: "commit", cause: "full", remedy: "make room") }
        }
        let outcomes = Outcomes(of: store)
        for id in Int64(1)...3 { store.submit(unit(id)) }
        #expect(await store.close() == 3)
        #expect(outcomes.received.withLock { $0.isEmpty })
        #expect(await place.log.line(with: "could not be saved").contains("3 changes"))
    }

    @Test func closedStore_refuses() async throws {
        let store = try await TemporaryDatabase().open()
        await store.close()
        #expect(!store.acceptsChanges)
        await #expect { try await store.commit([mark(1)]) } throws: { ($0 as? StoreError)?.kind == .closed }
        await #expect { try await store.read([countMarks]) } throws: { ($0 as? StoreError)?.kind == .closed }
        #expect(await store.close() == 0, "twice does no harm")
    }

    @Test func databaseInUse_isRefused_andNamesTheProcess() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        await #expect { try await place.open() } throws: { error in
            let error = error as? StoreError
            return error?.kind == .inUse && error?.cause.contains("\(getpid())") == true
        }
        await store.close()
        try await place.open().commit([mark(1)])
    }

    @Test func directoryThatCannotBeWritten_isRefused() async throws {
        let place = try TemporaryDatabase()
        // Nobody's rights stop root, but the kernel's own file system does.
        let folder = getuid() == 0 ? "/sys/kernel" : place.folder + "/locked"
        if getuid() != 0 {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o500])
        }
        await #expect { try await place.open { $0.path = folder + "/cairn.sqlite" } } throws: { error in
            let error = error as? StoreError
            return error?.kind == .readOnly && error?.operation.contains(folder) == true
                && error?.remedy.isEmpty == false
        }
    }

    @Test func newerSchema_isRefused_andTheFileLeftAlone() async throws {
        let place = try TemporaryDatabase()
        try await place.open([TemporaryDatabase.marks, Migration("later-1", "CREATE TABLE later (id INTEGER)")]).close()
        let before = place.bytes
        await #expect { try await place.open() } throws: { error in
            let error = error as? StoreError
            return error?.kind == .newerSchema && error?.cause.contains("later-1") == true
        }
        #expect(place.bytes == before)
    }

    @Test func newerSchema_isRefused_evenAfterACrash_andTheFileLeftAlone() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open([
            TemporaryDatabase.marks, Migration("later-1", "CREATE TABLE later (id INTEGER)"),
        ])
        try await store.commit([mark(1)])
        let image = try place.crashed()
        let before = (image.bytes, image.logBytes)
        await #expect { try await image.open() } throws: { ($0 as? StoreError)?.kind == .newerSchema }
        #expect(image.bytes == before.0 && image.logBytes == before.1)
    }

    @Test func olderSchema_isBroughtUpToDate_afterACopy() async throws {
        let place = try TemporaryDatabase()
        let old = try await place.open()
        try await old.commit([mark(1)])
        await old.close()
        let migrations = [TemporaryDatabase.marks, Migration("colours-1", "ALTER TABLE marks ADD COLUMN colour TEXT")]
        let store = try await place.open(migrations)
        #expect(try await store.read([Query("SELECT id, colour FROM marks")]) == [[Row([.integer(1), .null])]])
        let copy = try Connection(path: place.path + ".before-colours-1", role: .reader)
        #expect(try copy.read([Query("SELECT * FROM marks")])[0].map(\.values.count) == [3])
        let rights = try FileManager.default.attributesOfItem(atPath: place.path + ".before-colours-1")
        #expect(rights[.posixPermissions] as? Int == 0o600)
    }

    @Test func stepThatFails_leavesTheSchemaBeforeIt() async throws {
        let place = try TemporaryDatabase()
        let broken = Migration("broken-1", "CREATE TABLE half (id INTEGER)", "CREATE TABLE marks (id INTEGER)")
        await #expect { try await place.open([TemporaryDatabase.marks, broken]) } throws: { error in
            (error as? StoreError)?.cause.contains("marks already exists") == true
        }
        let store = try await place.open()
        await #expect(throws: StoreError.self) { try await store.read([Query("SELECT * FROM half")]) }
    }

    @Test func damagedHeader_isRefused_andTheFileLeftAlone() async throws {
        let place = try TemporaryDatabase()
        try await place.open().close()
        try place.damage(at: 0, with: Array("not a database, ".utf8))
        let before = place.bytes
        await #expect { try await place.open() } throws: { error in
            let error = error as? StoreError
            return error?.kind == .damaged && error?.remedy.contains("restore a backup") == true
        }
        #expect(place.bytes == before)
    }

    @Test func zeroedPage_isFoundAtStart_andTheFileLeftAlone() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        try await store.commit((1...2_000).map { mark($0) })
        await store.close()
        try place.damage(at: 4 * 4_096, with: [UInt8](repeating: 0, count: 4_096))
        let before = place.bytes
        await #expect { try await place.open() } throws: { ($0 as? StoreError)?.kind == .damaged }
        #expect(place.bytes == before)
    }

    @Test func truncatedFile_isRefused_andLeftAlone() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        try await store.commit((1...2_000).map { mark($0) })
        await store.close()
        let file = try #require(FileHandle(forUpdatingAtPath: place.path))
        try file.truncate(atOffset: UInt64(place.bytes.count / 2))
        try file.close()
        let before = place.bytes
        await #expect { try await place.open() } throws: { ($0 as? StoreError)?.kind == .damaged }
        #expect(place.bytes == before)
    }

    @Test func damagedEndOfTheLog_costsOnlyWhatItHeld() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        for id in Int64(1)...5 { try await store.commit([mark(id)]) }
        let image = try place.crashed()
        let size = try #require(
            FileManager.default.attributesOfItem(atPath: image.path + "-wal")[.size] as? Int)
        try image.damage("-wal", at: size - 100, with: [UInt8](repeating: 0xA5, count: 100))
        #expect(try await image.open().markCount == 4)
    }

    @Test func fileThatIsNoDatabase_isRefused() async throws {
        let place = try TemporaryDatabase()
        let folder = (place.path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("hello".utf8).write(to: URL(fileURLWithPath: place.path))
        await #expect { try await place.open() } throws: { ($0 as? StoreError)?.kind == .damaged }
        #expect(place.bytes == Data("hello".utf8))
    }
}
