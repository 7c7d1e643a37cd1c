import Testing

@testable import CairnStore

/// Which tables a start counts before it serves anybody (decision 0005).
@Suite("StartCount")
struct StartCountTests {
    private static func chosen(_ rows: [Int64?], byKey: Set<Int> = []) -> [Int] {
        StartCount.chosen(rows.enumerated().map { index, rows in rows.map { ($0, byKey.contains(index)) } }).sorted()
    }

    @Test func tablesOfASmallWorld_areAllCounted() {
        #expect(Self.chosen([0, 10, 99_999, 50_000]) == [0, 1, 2, 3])
    }

    @Test func aLongTable_isLeft() {
        #expect(Self.chosen([StartCount.tableRowsMax, StartCount.tableRowsMax + 1]) == [0])
    }

    /// Twenty tables of 100,000 rows took some 10 s of a processor before anybody was served.
    @Test func allTablesTogether_haveABound_andTheShortestAreFirst() {
        let chosen = Self.chosen(Array(repeating: 100_000, count: 20) + [5, 10])
        #expect(chosen.contains(20) && chosen.contains(21))
        #expect(chosen.count == 3, "one of 100,000 beside them; two would be too many")
    }

    @Test func tablesWhoseMissingRowsAreKnownOneByOne_areFirst() {
        #expect(Self.chosen([90_000, 80_000, 100_000, 70_000], byKey: [2]) == [2, 3])
    }

    @Test func tableWithoutATally_isNoneOfTheChoice() {
        #expect(Self.chosen([nil, 3]) == [1])
    }

    @Test func whatIsCountedAndLeft_isSaid() {
        var count = StartCount()
        (count.tables, count.rows, count.took) = (40, 1_234, .milliseconds(56))
        #expect("\(count)" == "counted 1234 rows of 40 tables in 0.056 s")
        count.left = [("kept_answers", 300_000)]
        #expect("\(count)".hasSuffix("because they are long: kept_answers (300000)"))
    }
}
