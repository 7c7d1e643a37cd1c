import CairnCore
import CairnWire
import Foundation
import Testing

@testable import CairnStore

/// Rows whose loss costs an account are kept twice: what damages one of the two costs nobody anything, and neither of
/// them opens a right that the tally does not know.
@Suite("Second copies of rows")
struct SecondCopyTests {
    private static let text = Doors.longText
    private static let ids = Doors.ids

    private static func door(_ id: Int64, _ text: String = text) -> [Statement] { Doors.door(id, text) }

    private func verify(_ place: TemporaryDatabase) throws -> VerifyReport { try place.verify(Doors.keptTwice) }

    /// - Returns: whether a backup took the place of the world.
    @discardableResult
    private func expectAll(
        _ place: TemporaryDatabase, backups: BackupFolder? = nil, _ what: String
    ) async throws -> Bool {
        let store = try await place.open(Doors.keptTwice) { $0.backups = backups }
        for id in Self.ids {
            let found = try await Doors.texts(store, id)
            #expect(found == [Self.text, Self.text], "\(what): \(id)")
        }
        let isRestored = store.figures.restored != nil
        await store.close()
        let report = try verify(place)
        #expect(report.isSound && report.copyFaults.isEmpty, "\(what): \(report.faults) \(report.copyFaults.text)")
        return isRestored
    }

    @Test func whatTheServerDoes_isCopiedWithIt() async throws {
        let place = try await Doors.world()
        let store = try await place.open(Doors.keptTwice)
        try await store.commit([Doors.change(Self.ids[0], to: "other")])
        try await store.commit([Statement("DELETE FROM doors WHERE id = ?", .integer(Self.ids[1]), changing: 1)])
        // A row that gets another key, and back.
        try await store.commit([
            Statement("DELETE FROM keys WHERE door = ?", .integer(Self.ids[2]), changing: 1),
            Statement("UPDATE doors SET id = id + 1 WHERE id = ?", .integer(Self.ids[2]), changing: 1),
        ])
        try await store.commit([
            Statement("UPDATE doors SET id = id - 1 WHERE id = ?", .integer(Self.ids[2] + 1), changing: 1)
        ])
        try await store.commit(Self.door(77))
        await store.close()
        let report = try verify(place)
        #expect(report.isSound, "\(report.faults)")
        #expect(report.rowsPerTable["cairn_copies"] == 10 + 9)
    }

    /// A tally sees both ends of a long value only, so this bit was noticed by its reader alone.
    @Test(arguments: ["doors", "keys"])
    func flippedBitWithinASealedValue_losesNoAccount(table: String) async throws {
        let place = try await Doors.world()
        let first = "(SELECT sealed FROM \(table) LIMIT 1)"
        try place.tamper("UPDATE \(table) SET sealed = \(Doors.flipped("sealed")) WHERE sealed = \(first)")
        #expect(try verify(place).damagedCount == 1)
        try await expectAll(place, table)
        #expect(place.log.all.contains { $0.contains("\(table) ") && $0.contains("made right by its second copy") })
    }

    @Test(arguments: 1...3)
    func flippedBitAnywhereInTheirPages_losesNoAccount(start: Int) async throws {
        let place = try await Doors.world()
        let backups = BackupFolder(path: place.folder + "/backups", keep: 5)
        let store = try await place.open(Doors.keptTwice) { $0.backups = backups }
        _ = try await store.backUp()
        await store.close()
        let ofCopies = try place.pages(of: "cairn_copies")
        let pages = try ["doors", "keys", "sqlite_autoindex_doors_1"].flatMap { try place.pages(of: $0) } + ofCopies
        let bytes = place.bytes
        // Most of a page is empty: zeros.
        let places = pages.flatMap { $0 }.filter { bytes[$0] != 0 }
        let count = Int(ProcessInfo.processInfo.environment["CAIRN_COPY_FLIPS"] ?? "") ?? 15
        for number in start * count..<(start + 1) * count {
            // Prime to any number of places, so that no two are the same.
            let (at, bit) = (places[number * 1_048_583 % places.count], UInt8(1) << UInt8(number % 8))
            let image = try place.crashed()
            try image.damage(at: at, with: [bytes[at] ^ bit])
            let isRestored = try await expectAll(image, backups: backups, "byte \(at), bit \(bit)")
            let isOfCopies = ofCopies.contains { $0.contains(at) }
            #expect(!isRestored || !isOfCopies, "byte \(at), bit \(bit): copies alone need no backup")
        }
    }

    @Test func flippedBitOfACopy_isNamed_andRightAtTheNextStart() async throws {
        let place = try await Doors.world()
        try place.tamper(
            "UPDATE cairn_copies SET row = \(Doors.flipped("row")) WHERE source = 'doors' AND key = \(Self.ids[4])")
        #expect(try verify(place).copyFaults.text.contains("cairn_copies \(Self.ids[4])"))
        try await expectAll(place, "copy")
    }

    /// A copy that opens may be right where its row is not.
    @Test func newerCopyOfAnOlderRow_staysUntilTheStart() async throws {
        let place = try await Doors.world()
        let old = try place.crashed()
        var store = try await place.open(Doors.keptTwice) { options in
            options.backups = BackupFolder(path: place.folder + "/backups", keep: 5)
        }
        try await store.commit([Doors.change(Self.ids[0], to: "new")])
        try place.tamper(
            "ATTACH '\(old.path)' AS old",
            "UPDATE doors SET sealed = (SELECT sealed FROM old.doors AS o WHERE o.id = doors.id)")
        #expect(try await !store.backUp().isSound)
        await store.close()
        store = try await place.open(Doors.keptTwice)
        #expect(try await Doors.texts(store, Self.ids[0])[0] == "new")
        await store.close()
    }

    @Test func copiesThatAreGone_areNamed_andMadeAtTheNextStart() async throws {
        let place = try await Doors.world()
        try place.tamper("DELETE FROM cairn_copies")
        #expect(try verify(place).copyFaults.count == 20)
        try await expectAll(place, "no copies")
    }

    @Test(arguments: [
        "DELETE FROM doors WHERE id = \(ids[6])", "DELETE FROM keys WHERE door = \(ids[6])",
        "INSERT INTO doors SELECT id + 1, NULL, sealed FROM doors WHERE id = \(ids[6])",
        "UPDATE doors SET id = id + 1, print = x'00' WHERE id = \(ids[6])",
    ])
    func whatSomebodyElseDoesToTheRowsAlone_isUndone(sql: String) async throws {
        let place = try await Doors.world()
        try place.tamper(sql)
        #expect(try !verify(place).isSound)
        try await expectAll(place, sql)
    }

    /// A file whose one row was changed, and the file of before.
    private static func changed() async throws -> (place: TemporaryDatabase, old: TemporaryDatabase) {
        let place = try TemporaryDatabase()
        var store = try await place.open(Doors.keptTwice)
        try await store.commit(door(ids[0], "old"))
        await store.close()
        let old = try place.crashed()
        store = try await place.open(Doors.keptTwice)
        try await store.commit([Doors.change(ids[0], to: text)])
        await store.close()
        return (place, old)
    }

    /// A row of before, put back without its copy: with the copy the table is as the server wrote it.
    @Test func olderRowPutBack_givesWayToTheCopy() async throws {
        let (place, old) = try await Self.changed()
        let attach = "ATTACH '\(old.path)' AS old"
        let rowBack = "UPDATE doors SET sealed = (SELECT sealed FROM old.doors)"
        let both = try place.crashed()
        try place.tamper(attach, rowBack)
        var store = try await place.open(Doors.keptTwice)
        #expect(try await Doors.texts(store, Self.ids[0])[0] == Self.text)
        await store.close()
        #expect(try verify(place).isSound)

        // Together with its copy it is as before: named, and nothing is made of it.
        try both.tamper(
            attach, rowBack, "DELETE FROM cairn_copies WHERE source = 'doors'",
            "INSERT INTO cairn_copies SELECT * FROM old.cairn_copies WHERE source = 'doors'")
        store = try await both.open(Doors.keptTwice)
        await store.close()
        #expect(try verify(both).unaccounted.map(\.table) == ["doors"])
    }

    /// A copy of before is not taken for a row that its reader finds sound.
    @Test func olderCopyPutBack_givesWayToTheRow() async throws {
        let (place, old) = try await Self.changed()
        try place.tamper(
            "ATTACH '\(old.path)' AS old",
            """
            UPDATE cairn_copies SET row = (SELECT c.row FROM old.cairn_copies AS c WHERE c.source = 'doors')
            WHERE source = 'doors'
            """)
        let report = try verify(place)
        #expect(report.isSound && report.copyFaults.named.map(\.name) == ["cairn_copies \(Self.ids[0])"])
        var store = try await place.open(Doors.keptTwice)
        #expect(try await Doors.texts(store, Self.ids[0]) == [Self.text, "old"])
        await store.close()
        #expect(try verify(place).copyFaults.isEmpty)
        // The copy of now is taken from then on.
        try place.tamper("UPDATE doors SET sealed = \(Doors.flipped("sealed"))")
        store = try await place.open(Doors.keptTwice)
        #expect(try await Doors.texts(store, Self.ids[0]) == [Self.text, "old"])
        await store.close()
    }

    @Test func anotherRowsCopy_givesWayToTheRow() async throws {
        let place = try await Doors.world()
        let other = "(SELECT row FROM cairn_copies WHERE source = 'doors' LIMIT 1)"
        try place.tamper(
            "UPDATE cairn_copies SET row = \(other) WHERE source = 'doors' AND key = \(Self.ids[8])")
        try await expectAll(place, "another row's copy")
    }

    @Test func damagedRowThatIsRead_isRightAfterwards() async throws {
        let place = try await Doors.world()
        let store = try await place.open(Doors.keptTwice)
        let id = Self.ids[3]
        try place.tamper("UPDATE doors SET sealed = \(Doors.flipped("sealed")) WHERE id = \(id)")
        #expect(try await Doors.texts(store, id) == [nil, Self.text])
        store.report([DamagedRow(table: "doors", key: [.integer(id)], column: "sealed", cause: .doesNotOpen)])
        _ = await place.log.line(with: "made right by its second copy")
        #expect(try await Doors.texts(store, id) == [Self.text, Self.text])
        #expect(store.figures.damagedRows == 0 && store.figures.damagedTables.isEmpty)
        await store.close()
        #expect(try verify(place).isSound)
    }

    /// The index has the print of before, so SQLite refuses to change the row until the index is built anew.
    @Test func damagedPrintThatIsRead_isRightAfterwards() async throws {
        let place = try await Doors.world()
        let reader = try Connection(path: place.path, role: .reader)
        let found = try reader.read([Query("SELECT print FROM doors WHERE id = ?", .integer(Self.ids[3]))])
        reader.close()
        let print = Data(try found[0][0].blob(0))
        let pages = try place.pages(of: "doors")
        let at = try #require(pages.compactMap { place.bytes.range(of: print, in: $0) }.first).lowerBound
        let store = try await place.open(Doors.keptTwice)
        try place.damage(at: at + 5, with: [place.bytes[at + 5] ^ 4])
        let query = Doors.keptTwice.tables[0].query("WHERE id = ?", .integer(Self.ids[3]))
        let damaged = try await store.read([query])[0][0]
        #expect((try? damaged.opened(2)) == nil)
        store.report([DamagedRow(table: "doors", key: [.integer(Self.ids[3])], column: "sealed", cause: .doesNotOpen)])
        _ = await place.log.line(with: "made right by its second copy")
        #expect(try await Doors.texts(store, Self.ids[3]) == [Self.text, Self.text])
        await store.close()
        #expect(try verify(place).isSound)
    }

    @Test func registerOfDamagedRows_isBounded() {
        var register = CopyRegister()
        register.tables = ["doors"]
        let now = ContinuousClock.now
        func row(_ id: Int64, _ table: String = "doors") -> DamagedRow {
            DamagedRow(table: table, key: [.integer(id)], column: "sealed", cause: .doesNotOpen)
        }
        let queued = [
            register.met([row(1, "walls")], at: now), register.met([row(1)], at: now), register.met([row(1)], at: now),
        ]
        #expect(queued == [false, true, false])
        let (first, second) = (register.next(), register.next())
        #expect(first == row(1) && second == nil)
        let again = [59, 60].map { register.met([row(1)], at: now + .seconds($0)) }
        #expect(again == [false, true])
        let doors = CopyGroup.rows(of: "doors")
        let groups: [Set<CopyGroup>] = [[.rows(of: "walls")], [doors], [doors], [.strays, doors]]
        let differing = groups.map { register.differ($0) }
        #expect(differing == [false, true, false, true])
        let next = [register.nextDiffering(), register.nextDiffering(), register.nextDiffering()]
        #expect(next == [doors, .strays, nil])
        for id in 2...Int64(CopyRegister.waitingMax + 9) { _ = register.met([row(id)], at: now) }
        var waiting = 0
        while register.next() != nil { waiting += 1 }
        #expect(waiting == CopyRegister.waitingMax)
    }
}
