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

    private static func change(_ id: Int64, to text: String) -> Statement {
        Statement(
            "UPDATE OR IGNORE doors SET sealed = ? WHERE id = ?",
            .sealed([.text(text)], Doors.seal, row: id, bound: [Doors.print(id)]), .integer(id), changing: 1)
    }

    private func verify(_ place: TemporaryDatabase) throws -> VerifyReport { try place.verify(Doors.keptTwice) }

    private func world() async throws -> TemporaryDatabase {
        let place = try TemporaryDatabase()
        let store = try await place.open(Doors.keptTwice)
        try await store.commit(Self.ids.flatMap { Self.door($0) })
        await store.close()
        return place
    }

    /// The texts of the doors and keys that are found by their prints.
    private func texts(_ store: Store, _ id: Int64) async throws -> [String?] {
        let rows = try await store.read([
            Doors.keptTwice.tables[0].query("WHERE print = ?", Doors.print(id)),
            Doors.keptTwice.tables[1].query("WHERE print = ?", Doors.print(id)),
        ])
        return rows.map { found in
            found.first.flatMap { try? $0.within(2) { row throws(ColumnFault) in try row.text(0) } }
        }
    }

    private func expectAll(_ place: TemporaryDatabase, backups: BackupFolder? = nil, _ what: String) async throws {
        let store = try await place.open(Doors.keptTwice) { $0.backups = backups }
        for id in Self.ids {
            let found = try await texts(store, id)
            #expect(found == [Self.text, Self.text], "\(what): \(id)")
        }
        await store.close()
        let report = try verify(place)
        #expect(report.isSound, "\(what): \(report.faults)")
    }

    /// Another byte in the middle.
    private static func flipped(_ column: String) -> String {
        "CAST(substr(\(column), 1, 150) || x'00' || substr(\(column), 152) AS BLOB)"
    }
    private static let flip = flipped("sealed")

    @Test func whatTheServerDoes_isCopiedWithIt() async throws {
        let place = try await world()
        let store = try await place.open(Doors.keptTwice)
        try await store.commit([Self.change(Self.ids[0], to: "other")])
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
        let place = try await world()
        let first = "(SELECT sealed FROM \(table) LIMIT 1)"
        try place.tamper("UPDATE \(table) SET sealed = \(Self.flip) WHERE sealed = \(first)")
        #expect(try verify(place).damagedCount == 1)
        try await expectAll(place, table)
        #expect(place.log.all.contains { $0.contains("\(table) ") && $0.contains("made right by its second copy") })
    }

    @Test(arguments: 1...3)
    func flippedBitAnywhereInTheirPages_losesNoAccount(start: Int) async throws {
        let place = try await world()
        let backups = BackupFolder(path: place.folder + "/backups", keep: 5)
        let store = try await place.open(Doors.keptTwice) { $0.backups = backups }
        _ = try await store.backUp()
        await store.close()
        let names = ["doors", "keys", "cairn_copies", "sqlite_autoindex_doors_1"]
        let pages = try names.flatMap { try place.pages(of: $0) }
        let bytes = place.bytes
        // Most of a page is empty: zeros.
        let places = pages.flatMap { $0 }.filter { bytes[$0] != 0 }
        let count = Int(ProcessInfo.processInfo.environment["CAIRN_COPY_FLIPS"] ?? "") ?? 15
        for number in start * count..<(start + 1) * count {
            // Prime to any number of places, so that no two are the same.
            let (at, bit) = (places[number * 1_048_583 % places.count], UInt8(1) << UInt8(number % 8))
            let image = try place.crashed()
            try image.damage(at: at, with: [bytes[at] ^ bit])
            try await expectAll(image, backups: backups, "byte \(at), bit \(bit)")
        }
    }

    @Test func flippedBitOfACopy_isNamed_andRightAtTheNextStart() async throws {
        let place = try await world()
        try place.tamper(
            "UPDATE cairn_copies SET row = \(Self.flipped("row")) WHERE source = 'doors' AND key = \(Self.ids[4])")
        #expect(try verify(place).faults.contains("cairn_copies \(Self.ids[4])"))
        try await expectAll(place, "copy")
    }

    /// One that a backup meets does not make all further backups unsound until a start.
    @Test func damagedCopyThatABackupMeets_isMadeAnew() async throws {
        let place = try await world()
        let store = try await place.open(Doors.keptTwice) { options in
            options.backups = BackupFolder(path: place.folder + "/backups", keep: 5)
        }
        let id = Self.ids[4]
        try place.tamper(
            "UPDATE cairn_copies SET row = \(Self.flipped("row")) WHERE source = 'doors' AND key = \(id)")
        #expect(try await !store.backUp().isSound)
        _ = await place.log.line(with: "damaged copy: cairn_copies \(id) was made anew from its row")
        #expect(try await store.backUp().isSound)
        #expect(store.figures.copyFaults == 1)
        await store.close()
    }

    /// A copy that opens may be right where its row is not.
    @Test func newerCopyOfAnOlderRow_staysUntilTheStart() async throws {
        let place = try await world()
        let old = try place.crashed()
        var store = try await place.open(Doors.keptTwice) { options in
            options.backups = BackupFolder(path: place.folder + "/backups", keep: 5)
        }
        try await store.commit([Self.change(Self.ids[0], to: "new")])
        try place.tamper(
            "ATTACH '\(old.path)' AS old",
            "UPDATE doors SET sealed = (SELECT sealed FROM old.doors AS o WHERE o.id = doors.id)")
        #expect(try await !store.backUp().isSound)
        await store.close()
        store = try await place.open(Doors.keptTwice)
        #expect(try await texts(store, Self.ids[0])[0] == "new")
        await store.close()
    }

    @Test func copiesThatAreGone_areNamed_andMadeAtTheNextStart() async throws {
        let place = try await world()
        try place.tamper("DELETE FROM cairn_copies")
        #expect(try verify(place).damagedCount == 20)
        try await expectAll(place, "no copies")
    }

    @Test(arguments: [
        "DELETE FROM doors WHERE id = \(ids[6])", "DELETE FROM keys WHERE door = \(ids[6])",
        "INSERT INTO doors SELECT id + 1, NULL, sealed FROM doors WHERE id = \(ids[6])",
        "UPDATE doors SET id = id + 1, print = x'00' WHERE id = \(ids[6])",
    ])
    func whatSomebodyElseDoesToTheRowsAlone_isUndone(sql: String) async throws {
        let place = try await world()
        try place.tamper(sql)
        #expect(try !verify(place).isSound)
        try await expectAll(place, sql)
    }

    /// A row of before, put back without its copy: with the copy the table is as the server wrote it.
    @Test func olderRowPutBack_givesWayToTheCopy() async throws {
        let place = try TemporaryDatabase()
        var store = try await place.open(Doors.keptTwice)
        try await store.commit(Self.door(Self.ids[0], "old"))
        await store.close()
        let old = try place.crashed()
        store = try await place.open(Doors.keptTwice)
        try await store.commit([Self.change(Self.ids[0], to: Self.text)])
        await store.close()
        let attach = "ATTACH '\(old.path)' AS old"
        let rowBack = "UPDATE doors SET sealed = (SELECT sealed FROM old.doors)"
        let both = try place.crashed()
        try place.tamper(attach, rowBack)
        store = try await place.open(Doors.keptTwice)
        #expect(try await texts(store, Self.ids[0])[0] == Self.text)
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
        let place = try await world()
        let other = "(SELECT row FROM cairn_copies WHERE source = 'doors' LIMIT 1)"
        try place.tamper(
            "UPDATE cairn_copies SET row = \(other) WHERE source = 'doors' AND key = \(Self.ids[8])")
        try await expectAll(place, "older copy")
    }

    /// An operator who accepts what was changed elsewhere loses no account that is damaged as well.
    @Test func acceptedRows_loseNoCopyOfADamagedOne() async throws {
        let place = try await world()
        try place.tamper(
            "UPDATE doors SET sealed = \(Self.flip) WHERE id = \(Self.ids[3])",
            "UPDATE keys SET sealed = zeroblob(20) WHERE door = \(Self.ids[4])", "DELETE FROM cairn_tally")
        _ = try Store.acceptRows(options: place.options, format: Doors.keptTwice)
        try await expectAll(place, "accepted")
    }

    /// A copy that somebody has put in the place of another row's is not taken for it, and is in no other row's way.
    @Test func copyOfAnotherRow_isNotTaken() async throws {
        let place = try await world()
        let (lost, mended) = (Self.ids[2], Self.ids[6])
        let other = "(SELECT row FROM cairn_copies WHERE source = 'doors' AND key = \(Self.ids[8]))"
        try place.tamper(
            "UPDATE cairn_copies SET row = \(other) WHERE source = 'doors' AND key = \(lost)",
            "UPDATE doors SET sealed = \(Self.flip) WHERE id IN (\(lost), \(mended))")
        let store = try await place.open(Doors.keptTwice)
        let found = [try await texts(store, mended)[0], try await texts(store, Self.ids[8])[0]]
        #expect(found == [Self.text, Self.text])
        #expect(try await texts(store, lost)[0] == nil)
        // Nor while it serves.
        store.report([DamagedRow(table: "doors", key: [.integer(lost)], column: "sealed", cause: .doesNotOpen)])
        let next = Self.ids[7]
        try place.tamper("UPDATE doors SET sealed = \(Self.flip) WHERE id = \(next)")
        store.report([DamagedRow(table: "doors", key: [.integer(next)], column: "sealed", cause: .doesNotOpen)])
        _ = await place.log.line(with: "doors \(next) was made right by its second copy")
        #expect(try await texts(store, Self.ids[8])[0] == Self.text)
        await store.close()
    }

    /// A row that opens is not told as one that was mended: something else is wrong with it, or with a backup.
    @Test func soundRowThatIsReported_isNotMended() async throws {
        let place = try await world()
        let store = try await place.open(Doors.keptTwice)
        store.report([DamagedRow(table: "doors", key: [.integer(Self.ids[0])], column: "id", cause: .dangling)])
        try place.tamper("UPDATE doors SET sealed = \(Self.flip) WHERE id = \(Self.ids[3])")
        store.report([DamagedRow(table: "doors", key: [.integer(Self.ids[3])], column: "sealed", cause: .doesNotOpen)])
        _ = await place.log.line(with: "doors \(Self.ids[3]) was made right by its second copy")
        #expect(store.figures.mendedRows == 1 && store.figures.damagedRows == 1)
        await store.close()
    }

    @Test func damagedRowThatIsRead_isRightAfterwards() async throws {
        let place = try await world()
        let store = try await place.open(Doors.keptTwice)
        let id = Self.ids[3]
        try place.tamper("UPDATE doors SET sealed = \(Self.flip) WHERE id = \(id)")
        #expect(try await texts(store, id) == [nil, Self.text])
        store.report([DamagedRow(table: "doors", key: [.integer(id)], column: "sealed", cause: .doesNotOpen)])
        _ = await place.log.line(with: "made right by its second copy")
        #expect(try await texts(store, id) == [Self.text, Self.text])
        #expect(store.figures.damagedRows == 0 && store.figures.damagedTables.isEmpty)
        await store.close()
        #expect(try verify(place).isSound)
    }

    /// The index has the print of before, so SQLite refuses to change the row until the index is built anew.
    @Test func damagedPrintThatIsRead_isRightAfterwards() async throws {
        let place = try await world()
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
        #expect(try await texts(store, Self.ids[3]) == [Self.text, Self.text])
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
        for id in 2...Int64(CopyRegister.waitingMax + 9) { _ = register.met([row(id)], at: now) }
        var waiting = 0
        while register.next() != nil { waiting += 1 }
        #expect(waiting == CopyRegister.waitingMax)
    }
}
