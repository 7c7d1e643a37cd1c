import CairnClient
import CairnConfiguration
import CairnCore
import Testing

@testable import CairnRoot

/// No row of any content traps the process: whatever stands in whichever column is sound, or is thrown with its name.
@Suite("Hostile rows")
struct HostileRowTests {
    /// Values of every type and extreme; what was sealed may hold each of the wrong ones, too.
    private static let values: [SQLValue] = [
        .null, .integer(0), .integer(-1), .integer(1), .integer(.max), .integer(.min), .integer(4_294_967_296),
        .integer(1 << 40), .real(0), .real(.infinity), .real(-1e300), .real(.nan), .text(""), .text("x"),
        .text("\u{0}\u{FFFD}"), .blob([]), .blob([0]), .blob([UInt8](repeating: 7, count: 16)),
        .blob([UInt8](repeating: 9, count: 32)), .blob([UInt8](repeating: 255, count: 90)), sealed([]),
        sealed([.null, .null, .null, .null, .null]), sealed([.integer(.max), .integer(.min)]),
        sealed([.text(""), .text(""), .blob([255]), .text(""), .blob([])]),
        sealed([.text(""), .text(""), .blob([]), .text(""), .blob([])]),
        sealed([.text(""), .integer(.min), .integer(.max), .integer(-1), .integer(.min)]),
        sealed([.text(""), .integer(.min), .blob([]), .integer(.max)]),
        sealed([.text("x"), .text("x"), .integer(.max)]),
    ]

    private static let tables = StorageTools.tables(Configuration())

    private static func sealed(_ values: [SQLValue]) -> SQLValue { .sealed(values, Seal("any"), row: 0) }

    /// Reads a row, and makes one of now of it as if it were of a world of before.
    /// - Returns: whether it is sound; nil when it is damaged and its damage is not named.
    private static func isSound(_ row: Row, in table: StoredTable) -> Bool? {
        do throws(DamagedRow) {
            if let conversion = table.conversion {
                _ = try? table.read(row) { row throws(ColumnFault) in try conversion.statements(row) }
            }
            _ = try table.check(row)
            return true
        } catch {
            return error.table == table.name.text && error.key.count == table.key.count ? false : nil
        }
    }

    @Test func everyValueInEveryColumn_isSoundOrNamed() {
        for table in Self.tables {
            var verdicts: [Bool?: Int] = [:]
            for column in table.columns.indices {
                for value in Self.values {
                    for others in Self.values {
                        var values = [SQLValue](repeating: others, count: table.columns.count)
                        values[column] = value
                        verdicts[Self.isSound(Row(values), in: table), default: 0] += 1
                    }
                }
            }
            #expect(verdicts[nil as Bool?] == nil, "\(table.name.text) has damage without a name")
            #expect((verdicts[false] ?? 0) > Self.values.count, "\(table.name.text) takes nearly everything")
        }
    }

    @Test func rowsAtRandom_areSoundOrNamed() {
        var random = SeededGenerator(seed: 20_261_122)
        for table in Self.tables {
            var unnamed = 0
            for _ in 0..<2_000 {
                let values = table.columns.map { _ in Self.value(&random, depth: 0) }
                if Self.isSound(Row(values), in: table) == nil { unnamed += 1 }
            }
            #expect(unnamed == 0, "\(table.name.text)")
        }
    }

    @Test func rowsWithoutColumns_areDamaged() {
        for table in Self.tables {
            #expect(throws: DamagedRow.self, "\(table.name.text)") { try table.check(Row([])) }
        }
    }

    // MARK: Chance

    private static func value(_ random: inout SeededGenerator, depth: Int) -> SQLValue {
        switch random.next() % (depth == 0 ? 7 : 5) {
        case 0: values[Int(random.next() % UInt64(values.count))]
        case 1: .integer(Int64(bitPattern: random.next() >> (random.next() % 64)))
        case 2: .real(Double(bitPattern: random.next()))
        case 3: .text(String(decoding: bytes(&random), as: UTF8.self))
        case 4: .blob(bytes(&random))
        default: sealed((0..<random.next() % 8).map { _ in value(&random, depth: depth + 1) })
        }
    }

    private static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<random.next() % 48).map { _ in UInt8(truncatingIfNeeded: random.next() >> 24) }
    }
}
