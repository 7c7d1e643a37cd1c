import CairnCore
import CairnGeo
import CairnLogging
import CairnTesting
import Foundation
import Testing

@testable import CairnOperators
@testable import CairnServer

@Suite("Stats: the protocol")
struct StatsProtocolTests {
    private func choice(_ text: String) throws -> CellChoice { try CellChoice(StatsArguments(text[...])) }

    @Test func commands_haveNamesOfTheirOwn() {
        let names = StatsCommand.all.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func cellChoice_understandsOrdersAreasAndCounts() throws {
        let cell = CellID(.make(latitude: 45.5, longitude: -73.57), level: 16)
        let here = CellRow(cell: cell, people: 1)
        let there = CellRow(cell: CellID(.make(latitude: 0, longitude: 0), level: 16))
        #expect(try choice("events").order == "events")
        #expect(try choice("top=3").top == 3)
        for text in ["occupied", cell.parent(level: 12).token, cell.token, "45.5,-73.57,50"] {
            let isIncluded = try choice(text).isIncluded
            #expect(isIncluded(here) && !isIncluded(there), "\(text)")
        }
        #expect(try choice("").isIncluded(there))
    }

    @Test(arguments: ["peple", "top=0", "top=x", "1,2", "1,2,-3", "91,0,5", "1,2,nan", "zzzz"])
    func cellChoice_refusesWhatItDoesNotUnderstand(_ text: String) {
        #expect(throws: StatsRefusal.self) { try choice(text) }
    }

    @Test func cellOrder_breaksTiesByName() {
        let cells = (0..<3).map { CellID(.make(latitude: Double($0) * 10, longitude: 0), level: 16) }
            .sorted()
        let rows = cells.reversed().map { CellRow(cell: $0, people: 2) }
        #expect(CellColumn.named("people")?.sorted(rows).map(\.cell) == cells)
    }

    @Test func row_isWrittenAsTheSchemaSays() throws {
        let cell = CellID(.make(latitude: 45.5, longitude: -73.57), level: 16)
        let line = JSONLine.object { $0.members(MetricsRegistry.cell, of: CellRow(cell: cell, people: 3)) }
        let object = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        let explained = try #require(MetricsRegistry.sections.first { $0.section == .cell })
        #expect(Set(object.keys) == Set(explained.figures.map(\.name)))
        #expect(object["people"] as? Int == 3)
    }

    @Test func columnsOfACell_haveNamesOfTheirOwn_theFeaturesToo() {
        let names = MetricsRegistry.cellColumns.map { "\($0.name)" }
        #expect(Set(names).count == names.count)
        #expect(names.contains("people") && names.count > CellRow.metrics(of: FeatureRegister([])).count)
    }

    @Test func columns_haveWordsAndKeysOfTheirOwn() {
        let columns = CellColumn.all
        #expect(Set(columns.map(\.order)).count == columns.count && Set(columns.map(\.key)).count == columns.count)
        #expect(!columns.contains { $0.key == "q" }, "ends cairn top")
    }

    @Test func document_isMadeOfTheTables() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/stats.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        for block in StatsReference.blocks { #expect(text.contains(block), "run scripts/generate-stats-docs") }
    }
}
