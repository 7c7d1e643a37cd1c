import CairnCore
import Testing

@testable import CairnStore

/// A good copy outlives whatever is done for its damaged row, a damaged copy costs nobody a backup, and what is told
/// as made right is right.
@Suite("Faults of second copies")
struct CopyFaultTests {
    private static let ids = Doors.ids
    private static let whole = [Doors.longText, Doors.longText]
    private static let flip = "UPDATE doors SET sealed = \(Doors.flipped("sealed"))"

    private func backups(_ place: TemporaryDatabase) -> BackupFolder {
        BackupFolder(path: place.folder + "/backups", keep: 5)
    }

    private func damaged(_ id: Int64, _ cause: ColumnFault.Cause = .doesNotOpen) -> DamagedRow {
        DamagedRow(table: "doors", key: [.integer(id)], column: "sealed", cause: cause)
    }

    private func expectWhole(_ place: TemporaryDatabase, _ ids: [Int64] = Self.ids) async throws {
        let store = try await place.open(Doors.keptTwice)
        for id in ids { #expect(try await Doors.texts(store, id) == Self.whole, "\(id)") }
        await store.close()
    }

    // MARK: Good copies

    /// The middle of a long value is in no tally, and a row with a wrong key opens no more.
    @Test(arguments: ["\(flip) WHERE id = \(ids[3])", "UPDATE doors SET id = id + 1 WHERE id = \(ids[3])"])
    func rowsThatAreAccepted_giveWayToTheirCopies_ifTheyDoNotOpen(sql: String) async throws {
        let place = try await Doors.world()
        // What the operator has done and wants to keep.
        try place.tamper("DELETE FROM keys WHERE door = \(Self.ids[7])", sql)
        let accepted = try Store.acceptRows(options: place.options, format: Doors.keptTwice)
        #expect(accepted.before.unaccounted.map(\.table).contains("keys"))
        #expect(accepted.mended == ["doors \(Self.ids[3])"])
        #expect(accepted.left.isSound && accepted.left.copyFaults.isEmpty, "\(accepted.left.faults)")
        try await expectWhole(place, Self.ids.filter { $0 != Self.ids[7] })
        let store = try await place.open(Doors.keptTwice)
        #expect(try await Doors.texts(store, Self.ids[7]) == [Doors.longText, nil])
        await store.close()
    }

    @Test func damagedRowsBeyondThoseOfOneStart_keepTheirCopies() async throws {
        let ids = (1...130).map { Int64($0) }
        let place = try await Doors.world(ids)
        try place.tamper(Self.flip)
        try await place.open(Doors.keptTwice).close()
        #expect(try place.verify(Doors.keptTwice).damagedCount == 30)
        try await expectWhole(place, ids)
        #expect(try place.verify(Doors.keptTwice).isSound)
    }

    private static let copyOfOther = """
        UPDATE cairn_copies SET row = (SELECT row FROM cairn_copies WHERE source = 'doors' AND key = \(ids[0]))
        WHERE source = 'doors' AND key = \(ids[8])
        """
    private static let copyElsewhere = """
        INSERT INTO cairn_copies SELECT source, 999, row FROM cairn_copies WHERE source = 'doors' AND key = \(ids[8])
        """

    /// Somebody has put the copy of another row in the place of a damaged row's, or that of a missing row beside it.
    @Test(arguments: [true, false])
    func copyUnderAnotherKey_isNone(isDamaged: Bool) async throws {
        let place = try await Doors.world()
        if isDamaged {
            try place.tamper(Self.copyOfOther, "\(Self.flip) WHERE id IN (\(Self.ids[5]), \(Self.ids[8]))")
        } else {
            try place.tamper(
                Self.copyElsewhere, "DELETE FROM doors WHERE id = \(Self.ids[8])",
                "\(Self.flip) WHERE id = \(Self.ids[5])")
        }
        let store = try await place.open(Doors.keptTwice)
        store.report([damaged(Self.ids[8])])
        // The writer goes on, a step with each change.
        for id in 1...3 { try await store.commit(Doors.door(Int64(id), "other")) }
        for id in Self.ids where id != Self.ids[8] { #expect(try await Doors.texts(store, id) == Self.whole) }
        // The damaged row has no copy of its own any more, the missing one has.
        let found = try await Doors.texts(store, Self.ids[8])
        #expect(found == [isDamaged ? nil : Doors.longText, Doors.longText])
        #expect(store.figures.mendedRows == (isDamaged ? 1 : 2) && store.figures.copyFaults == 0)
        await store.close()
    }

    @Test func rowThatOpens_isNotToldAsMended() async throws {
        let place = try await Doors.world()
        let store = try await place.open(Doors.keptTwice)
        let (dangling, sound, broken) = (damaged(Self.ids[0], .dangling), Self.ids[1], Self.ids[2])
        try place.tamper("\(Self.flip) WHERE id = \(broken)")
        store.report([dangling, damaged(sound), damaged(broken)])
        _ = await place.log.line(with: "doors \(broken) was made right by its second copy")
        #expect(store.figures.mendedRows == 1)
        // What a row names may be missing still; that it does not open was noticed in the file of a backup alone.
        #expect(store.damage.rows.map(\.row) == [dangling])
        #expect(place.log.all.filter { $0.contains("was made right by its second copy") }.count == 1)
        await store.close()
    }

    @Test func repair_takesTheSecondCopyBeforeTheBackup() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open(Doors.keptTwice) { $0.backups = backups(place) }
        try await store.commit(Self.ids.flatMap { Doors.door($0, "old") })
        let backup = try await store.backUp().path
        try await store.commit(Self.ids.map { Doors.change($0, to: Doors.longText) })
        await store.close()
        let (first, second) = (Self.ids[0], Self.ids[1])
        try place.tamper(
            "\(Self.flip) WHERE id IN (\(first), \(second))",
            "DELETE FROM cairn_copies WHERE source = 'doors' AND key = \(second)")
        let report = try Store.repair(from: backup, options: place.options, format: Doors.keptTwice)
        #expect(report.putBack == ["doors \(first)", "doors \(second)"])
        // Where there is no copy the backup has the older row, and the tally says so.
        #expect(report.left.damagedCount == 0 && report.left.unaccounted.map(\.table) == ["doors"])
        let repaired = try await place.open(Doors.keptTwice)
        #expect(try await Doors.texts(repaired, first) == [Doors.longText, "old"])
        #expect(try await Doors.texts(repaired, second) == ["old", "old"])
        await repaired.close()
    }

    // MARK: Damaged copies

    @Test(arguments: [
        "UPDATE cairn_copies SET row = \(Doors.flipped("row")) WHERE source = 'doors' AND key = \(ids[4])",
        "DELETE FROM cairn_copies WHERE source = 'doors'",
        "INSERT INTO cairn_copies SELECT source, key + 1, row FROM cairn_copies WHERE source = 'doors'",
    ])
    func damagedCopies_costNoBackup_andAreMadeAnewAfterIt(sql: String) async throws {
        let place = try await Doors.world()
        let store = try await place.open(Doors.keptTwice) { $0.backups = backups(place) }
        try place.tamper(sql)
        let report = try await store.backUp()
        #expect(report.isSound && !report.copyFaults.isEmpty && !store.figures.lastBackupUnsound)
        #expect(store.figures.copyFaults == 1 && store.figures.damagedRows == 0)
        let looked = try Store.verify(report.path, options: place.options, format: Doors.keptTwice)
        #expect(looked.remedyOfCopies.hasSuffix("; the file stays as it is"))
        _ = await place.log.line(with: "second copies of rows of doors were made anew")
        #expect(try await store.backUp().copyFaults.isEmpty)
        await store.close()
        #expect(try place.verify(Doors.keptTwice).rowsPerTable["cairn_copies"] == 20)
        // They are good for what copies are for.
        try place.tamper(Self.flip)
        try await expectWhole(place)
    }

    /// A table of more rows than one step compares.
    @Test func copiesOfManyRows_areMadeAnew() async throws {
        let ids = (1...1_200).map { Int64($0) }
        let place = try await Doors.world(ids)
        let store = try await place.open(Doors.keptTwice) { $0.backups = backups(place) }
        try place.tamper(
            "DELETE FROM cairn_copies WHERE source = 'doors' AND key % 2",
            "INSERT INTO cairn_copies SELECT source, key + 5000, row FROM cairn_copies WHERE source = 'doors'",
            "\(Self.flip) WHERE id = 700")
        #expect(try await store.backUp().copyFaults.count == 600 + 600)
        _ = await place.log.line(with: "store: 1200 second copies of rows of doors were made anew")
        #expect(try await Doors.texts(store, 1_199) == Self.whole)
        await store.close()
        let report = try place.verify(Doors.keptTwice)
        #expect(report.isSound && report.copyFaults.isEmpty, "\(report.faults) \(report.copyFaults.text)")
    }

    /// Either may be at fault: with the copies the next start makes the table what the server wrote.
    @Test func copiesOfATableThatIsNotAsWritten_areLeftToTheStart() async throws {
        let place = try await Doors.world()
        let store = try await place.open(Doors.keptTwice) { $0.backups = backups(place) }
        try place.tamper("DELETE FROM doors WHERE id = \(Self.ids[6])")
        let report = try await store.backUp()
        #expect(!report.isSound && report.copyFaults.named.map(\.cause) == [.rowless])
        // The writer goes on, a step with each change.
        for id in 1...5 { try await store.commit(Doors.door(Int64(id), "other")) }
        await store.close()
        try await expectWhole(place)
        #expect(try place.verify(Doors.keptTwice).isSound)
    }

    @Test func copiesOfNoTable_areNamed_andGoneAfterTheNextStart() async throws {
        let place = try await Doors.world()
        try place.tamper("INSERT INTO cairn_copies SELECT 'doorz', key, row FROM cairn_copies WHERE source = 'keys'")
        let report = try place.verify(Doors.keptTwice)
        #expect(report.isSound && report.copyFaults.count == 1 && report.rowsPerTable["cairn_copies"] == 30)
        #expect(report.remedyOfCopies.hasPrefix("a start makes them anew"))
        try await expectWhole(place)
        let after = try place.verify(Doors.keptTwice)
        #expect(after.copyFaults.isEmpty && after.rowsPerTable["cairn_copies"] == 20)
    }
}
