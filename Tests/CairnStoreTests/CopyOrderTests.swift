import CairnCore
import Foundation
import Testing

@testable import CairnStore

/// A key of a second copy that is out of its order: SQLite does not find the copy by it, and what goes through the
/// copies by their keys may come back to where it was.
@Suite("Keys of second copies out of their order", .timeLimit(.minutes(10)))
struct CopyOrderTests {
    /// More rows than one step of a sweep compares.
    private static let ids = (1...620).map { Int64($0) }
    /// Its copy is the last of the first step.
    private static let last: Int64 = 500

    private func backups(_ place: TemporaryDatabase) -> BackupFolder {
        BackupFolder(path: place.folder + "/backups", keep: 5)
    }

    /// Makes the key of a copy the least of all, where it stands.
    private func flipKey(of id: Int64, in place: TemporaryDatabase) throws {
        let key = Data(Array("doors".utf8) + [UInt8(id >> 8), UInt8(id & 0xFF)])
        let bytes = place.bytes
        let found = try place.pages(of: "cairn_copies").compactMap { bytes.range(of: key, in: $0) }
        let at = try #require(found.first).lowerBound + 5
        try place.damage(at: at, with: [bytes[at] ^ 0x80])
    }

    private func expectWhole(_ store: Store, _ ids: Int64...) async throws {
        for id in ids { #expect(try await Doors.texts(store, id) == [Doors.longText, Doors.longText], "\(id)") }
    }

    private func expectSound(_ place: TemporaryDatabase, copies: Int = 1_240) throws {
        let report = try place.verify(Doors.keptTwice)
        #expect(report.isSound && report.copyFaults.isEmpty, "\(report.faults) \(report.copyFaults.text)")
        #expect(report.rowsPerTable["cairn_copies"] == copies)
    }

    /// Whether the key is the last of a step depends on where its copy is made anew, before it or behind it in the tree,
    /// and that on the sizes of the packed copies. Where it is not, the sweep goes past it.
    @Test func sweepThatComesBackToWhereItWas_isRefused() async throws {
        let place = try await Doors.world(Self.ids)
        try flipKey(of: Self.last, in: place)
        let connection = try Connection(path: place.path, role: .writer(.normal))
        defer { connection.close() }
        let keyring = try #require(try connection.unlock(with: place.keys))
        let table = Doors.keptTwice.tables[0]
        var sweep = CopySweep(.rows(of: "doors"))
        var steps = 0
        do {
            try connection.lend("sweep") { db in
                let copies = try #require(try SecondCopies(table, TalliedTable(table, in: db), keyring))
                try SecondCopies.install(in: db)
                while !sweep.isDone, steps < 20 {
                    steps += 1
                    try sweep.step(copies, db)
                }
            }
            #expect(sweep.isDone, "it never ends")
        } catch let error as StoreError {
            #expect(error.kind == .damaged && error.cause == "keys of cairn_copies are out of their order")
        }
    }

    @Test func start_putsTheKeysInOrder() async throws {
        let place = try await Doors.world(Self.ids)
        try flipKey(of: Self.last, in: place)
        let store = try await place.open(Doors.keptTwice)
        try await expectWhole(store, 1, Self.last, 620)
        #expect(store.figures.copyFaults == 1)
        #expect(place.log.all.contains { $0.hasPrefix("error: store: second copies of rows were made anew: ") })
        await store.close()
        try expectSound(place)
    }

    /// However many rows have copies: a start leaves the order of more than it counts as it is.
    @Test func accept_putsTheKeysInOrder() async throws {
        let place = try await Doors.world(Self.ids)
        try flipKey(of: Self.last, in: place)
        let accepted = try Store.acceptRows(options: place.options, format: Doors.keptTwice)
        #expect(accepted.before.isSound && !accepted.before.copyFaults.findings.isEmpty && accepted.mended.isEmpty)
        try expectSound(place)
    }

    /// The copies are put in order before they are compared: one that is better than its row stays.
    @Test(arguments: [
        "UPDATE doors SET sealed = \(Doors.flipped("sealed")) WHERE id IN (3, 600)",
        "DELETE FROM keys WHERE door IN (3, 600)",
    ])
    func start_putsTheKeysInOrder_andMendsRowsByTheirCopies(sql: String) async throws {
        let place = try await Doors.world(Self.ids)
        try place.tamper(sql)
        try flipKey(of: Self.last, in: place)
        let store = try await place.open(Doors.keptTwice)
        try await expectWhole(store, 3, Self.last, 600)
        #expect(store.figures.mendedRows == 2)
        await store.close()
        try expectSound(place)
    }

    @Test func backup_namesTheKey_andTheServerGoesOn() async throws {
        let place = try await Doors.world(Self.ids)
        let store = try await place.open(Doors.keptTwice) { $0.backups = backups(place) }
        try flipKey(of: Self.last, in: place)
        let report = try await store.backUp()
        #expect(report.isSound && !report.copyFaults.findings.isEmpty)
        let told = await place.log.line(with: "error: store: backup \(report.path): ")
        #expect(told.contains("start (or restart) the server: it makes them anew, if at most 200000 rows have copies"))
        #expect(await place.log.line(with: "are out of their order").contains("start (or restart) the server"))
        try await store.commit(Doors.door(5_000, Doors.longText))
        try await expectWhole(store, 5_000)
        await store.close()
        let again = try await place.open(Doors.keptTwice)
        try await expectWhole(again, Self.last, 5_000)
        await again.close()
        try expectSound(place, copies: 1_242)
    }

    /// Strays are another sweep's.
    @Test func sweepOfATableThatIsNotKeptTwice_deletesNothing() async throws {
        let place = try await Doors.world([1, 2])
        try place.tamper("INSERT INTO cairn_copies SELECT 'doorz', key, row FROM cairn_copies WHERE source = 'doors'")
        let connection = try Connection(path: place.path, role: .writer(.normal))
        defer { connection.close() }
        _ = try #require(try connection.unlock(with: place.keys))
        let tables = Doors.keptTwice.tables
        let swept = try connection.renewCopies(CopySweep(.rows(of: "doorz")), among: tables)
        #expect(swept.isDone && swept.changes == 0)
        let strays = try connection.renewCopies(CopySweep(.strays), among: tables)
        #expect(strays.changes == 2)
    }

    /// Copies of no table are deleted some at a time, like others that have no row.
    @Test func copiesOfNoTable_areGoneAfterABackup() async throws {
        let place = try await Doors.world(Self.ids)
        let store = try await place.open(Doors.keptTwice) { $0.backups = backups(place) }
        try place.tamper(
            "INSERT INTO cairn_copies SELECT 'doorz', key, row FROM cairn_copies WHERE source = 'doors'",
            "INSERT INTO cairn_copies SELECT 'lost', key, row FROM cairn_copies WHERE source = 'keys' LIMIT 7")
        let faults = try await store.backUp().copyFaults
        #expect(faults.count == 2)
        _ = await place.log.line(with: "made anew now, where rows are as the server wrote them; look for a fault")
        _ = await place.log.line(with: "notice: store: 627 second copies of no table were deleted")
        #expect(try await store.backUp().copyFaults.isEmpty)
        await store.close()
        try expectSound(place)
    }
}
