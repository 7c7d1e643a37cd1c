import CairnCore
import CairnTesting
import Foundation
import Testing

@testable import CairnStore

/// Files that rows name: in backups, restores, `verify` and repairs (DAT-5, DAT-6).
@Suite("Files of rows")
struct FileFolderTests {
    private static let migration = Migration(
        "papers-1", "CREATE TABLE papers (id INTEGER PRIMARY KEY, file TEXT NOT NULL) STRICT")

    /// A file is sound when it holds its own name.
    private static let papers = StoredTable(
        "papers", of: .world, columns: ["id", "file"], key: [0],
        file: { row throws(ColumnFault) in
            let name = try row.text(1)
            return StoredFile(path: name) { FileManager.default.contents(atPath: $0) == Data(name.utf8) }
        }
    ) { row throws(ColumnFault) in
        _ = try row.text(1)
        return []
    }

    private static let format = StoreFormat(migrations: [migration], tables: [papers])

    /// A database with files, and the folder of the files.
    private struct World {
        let place: TemporaryDatabase
        var files: String { place.folder + "/data/papers" }
        var options: Store.Options {
            var options = place.options
            options.files = files
            options.backups = BackupFolder(path: place.folder + "/backups", keep: 2)
            return options
        }

        init() throws { place = try TemporaryDatabase() }

        func open() async throws -> Store {
            let (files, backups) = (options.files, options.backups)
            return try await place.open([migration], tables: [papers]) {
                $0.files = files
                $0.backups = backups
            }
        }

        func write(_ name: String, _ text: String? = nil, in folder: String? = nil) throws {
            let path = (folder ?? files) + "/" + name
            try FileManager.default.createDirectory(
                atPath: path.parentDirectory, withIntermediateDirectories: true)
            try Data((text ?? name).utf8).write(to: URL(filePath: path))
        }

        func add(_ names: String..., to store: Store) async throws {
            for name in names {
                try write(name)
                let id = Int64(name.hashValue & 0xFFFF_FFFF)
                try await store.commit([
                    Statement("INSERT INTO papers (id, file) VALUES (?, ?)", .integer(id), .text(name))
                ])
            }
        }

        func text(_ path: String) -> String? {
            FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test func backup_hasTheFilesOfItsRows_andNoOthers() async throws {
        let world = try World()
        let store = try await world.open()
        try await world.add("aa/one", "bb/two", to: store)
        try world.write("cc/nobodys")
        let report = try await store.backUp()
        #expect(report.isSound && report.files == 2)
        let beside = report.path + ".files"
        #expect(world.text(beside + "/aa/one") == "aa/one" && world.text(beside + "/bb/two") == "bb/two")
        #expect(world.text(beside + "/cc/nobodys") == nil)
        #expect(FileIdentity(of: beside + "/aa/one") == FileIdentity(of: world.files + "/aa/one"))
        let found = try Store.verify(world.options.path, options: world.options, format: Self.format)
        #expect(found.isSound && found.files == 2 && found.extraFiles == 1)
    }

    @Test func filesOfOldBackups_goWithThem() async throws {
        let world = try World()
        let store = try await world.open()
        try await world.add("aa/one", to: store)
        var reports: [BackupReport] = []
        for _ in 0..<3 { reports.append(try await store.backUp()) }
        #expect(world.text(reports[0].path + ".files/aa/one") == nil)
        #expect(reports.dropFirst().allSatisfy { world.text($0.path + ".files/aa/one") == "aa/one" })
    }

    @Test func missingAndDamagedFiles_makeABackupUnsound() async throws {
        let world = try World()
        let store = try await world.open()
        try await world.add("aa/one", "bb/two", "cc/three", to: store)
        try world.write("aa/one", "another")
        unlink(world.files + "/bb/two")
        let found = try Store.verify(world.options.path, options: world.options, format: Self.format)
        #expect(found.damagedCount == 2)
        #expect(Set(found.damaged.map(\.cause)) == [.damagedFile, .noFile])
        let report = try await store.backUp()
        #expect(!report.isSound && report.path.hasSuffix(".unsound.sqlite"))
        #expect(world.text(report.path + ".files/cc/three") == "cc/three")
    }

    @Test func fileThatTheWorldHasLost_comesFromTheBackupBefore() async throws {
        let world = try World()
        let store = try await world.open()
        try await world.add("aa/one", to: store)
        _ = try await store.backUp()
        unlink(world.files + "/aa/one")
        let report = try await store.backUp()
        #expect(report.isSound && world.text(report.path + ".files/aa/one") == "aa/one")
    }

    @Test func restore_bringsTheFiles_andKeepsThoseThatWereThere() async throws {
        let world = try World()
        var store = try await world.open()
        try await world.add("aa/one", to: store)
        let backup = try await store.backUp().path
        try await store.commit([Statement("DELETE FROM papers")])
        try await world.add("bb/two", to: store)
        await store.close()
        unlink(world.files + "/aa/one")
        let report = try Store.restore(backup, options: world.options, format: Self.format)
        #expect(world.text(world.files + "/aa/one") == "aa/one")
        let aside = try #require(report.setAside)
        #expect(world.text(aside + ".files/bb/two") == "bb/two")
        #expect(world.text(world.options.path + ".restored.files/aa/one") == nil)
        // The one that was set aside is whole: it can be restored in turn.
        unlink(world.files + "/bb/two")
        _ = try Store.restore(aside, options: world.options, format: Self.format)
        store = try await world.open()
        #expect(try await store.read([Self.papers.all])[0].count == 1)
        #expect(world.text(world.files + "/bb/two") == "bb/two")
        await store.close()
    }

    @Test func restoreWithoutItsFiles_changesNothing() async throws {
        let world = try World()
        let store = try await world.open()
        try await world.add("aa/one", to: store)
        let backup = try await store.backUp().path
        await store.close()
        FileFolder(beside: backup).remove()
        // The world still has the file.
        _ = try Store.restore(backup, options: world.options, format: Self.format)
        unlink(world.files + "/aa/one")
        let before = world.place.bytes
        #expect(throws: StoreError.self) {
            try Store.restore(backup, options: world.options, format: Self.format)
        }
        #expect(world.place.bytes == before)
    }

    @Test func repair_bringsFilesBack() async throws {
        let world = try World()
        let store = try await world.open()
        try await world.add("aa/one", "bb/two", to: store)
        let backup = try await store.backUp().path
        await store.close()
        unlink(world.files + "/aa/one")
        unlink(world.files + "/bb/two")
        try world.write("bb/two", "another")
        let report = try Store.repair(from: backup, options: world.options, format: Self.format)
        #expect(report.left.isSound && world.text(world.files + "/bb/two") == "bb/two")
    }

    @Test func whereThereAreNoLinks_filesAreCopied() async throws {
        // Another owner stands in for another file system: both take the way of copies.
        let world = try World()
        let store = try await world.open()
        try await world.add("aa/one", to: store)
        guard geteuid() == 0, chown(world.files + "/aa/one", 12_345, 12_345) == 0 else { return }
        let report = try await store.backUp()
        #expect(report.isSound)
        #expect(FileIdentity(of: report.path + ".files/aa/one") != FileIdentity(of: world.files + "/aa/one"))
        #expect(world.text(report.path + ".files/aa/one") == "aa/one")
    }
}
