import CairnCore
import CairnTesting
import Testing

@testable import CairnStore

/// Rows that cannot be used: named once, counted, and bounded.
@Suite("Damaged rows")
struct DamagedRowTests {
    private static func row(_ id: Int64) -> DamagedRow {
        DamagedRow(table: "marks", key: [.integer(id)], column: "turn", cause: .outOfRange)
    }

    @Test func damagedRow_isInTheLogOnce() {
        var register = DamageRegister()
        #expect(register.note([Self.row(1)], at: 0).count == 1)
        #expect(register.note([Self.row(1)], at: 60_000).isEmpty)
        #expect(register.report.count == 1)
    }

    @Test func line_namesTableKeyAndColumn() {
        var register = DamageRegister()
        #expect(register.note([Self.row(17)], at: 0)[0].hasPrefix("marks 17: turn is out of range"))
    }

    @Test func manyDamagedRows_areTwentyLinesAMinute_andTheNextSaysHowManyWereNot() {
        var register = DamageRegister()
        #expect(register.note((1...50).map(Self.row), at: 0).count == 20)
        #expect(register.note([Self.row(51)], at: 60_000)[0].contains("and 30 rows before it"))
    }

    @Test func rowsBeyondTheBound_areCounted() {
        var register = DamageRegister()
        _ = register.note((1...1_500).map(Self.row), at: 0)
        #expect(register.report.rows.count == 1_000 && register.report.unnamed == 500)
        #expect(register.report.count == 1_500)
    }

    @Test func damagedRows_areCountedByTable_andTheTablesAddUp() {
        var register = DamageRegister()
        let other = DamagedRow(table: "tokens", key: [.integer(1)], column: "hash", cause: .outOfRange)
        _ = register.note((1...1_001).map(Self.row) + [other, other], at: 0)
        #expect(register.report.tables == ["marks": 1_001, "tokens": 2], "beyond the bound a row may count again")
        #expect(register.report.tables.values.reduce(0, +) == register.report.count)
    }

    /// One that somebody has put into the file.
    @Test func triggerOfTheFile_doesNotRun() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        try await store.tamper("CREATE TRIGGER swallow BEFORE INSERT ON marks BEGIN SELECT RAISE(IGNORE); END")
        let statement = Statement(
            "INSERT INTO marks (id, home, turn) VALUES (?, 1, 1)", .integer(1), changing: 1)
        try await store.commit([statement])
        #expect(try await store.markCount == 1)
        await store.close()
    }

    @Test func unitThatIsOvertaken_changesNothing_andItsNeighboursAreKept() async throws {
        let place = try TemporaryDatabase()
        let store = try await place.open()
        let late = Statement("UPDATE marks SET turn = 2 WHERE id = 99", changing: 1)
        await #expect(throws: StoreError.self) { try await store.commit([mark(1), late]) }
        try await store.commit([mark(2)])
        #expect(try await store.markCount == 1)
        #expect(store.figures.unitsDropped == 0, "its submitter knows, and nothing is wrong")
        await store.close()
    }
}
