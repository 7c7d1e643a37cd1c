import CairnGeo
import CairnTesting
import Foundation
import Testing

@testable import CairnServer

@Suite("Stats: the protocol")
struct StatsProtocolTests {
    private func choice(_ text: String) throws -> CellChoice { try CellChoice(StatsArguments(text[...])) }

    @Test func commands_haveNamesOfTheirOwn() {
        let names = StatsCommand.all.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func figures_areExplainedOnceEach() {
        for (section, fields) in StatsSchema.sections {
            #expect(Set(fields.map(\.name)).count == fields.count, "\(section)")
            #expect(fields.allSatisfy { !$0.meaning.isEmpty }, "\(section)")
        }
    }

    @Test func cellChoice_understandsOrdersAreasAndCounts() throws {
        let cell = CellID(.make(latitude: 45.5, longitude: -73.57), level: 16)
        let here = CellRow(cell: cell, people: 1)
        let there = CellRow(cell: CellID(.make(latitude: 0, longitude: 0), level: 16))
        #expect(try choice("events").order == .events)
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
        #expect(CellOrder.people.sorted(rows).map(\.cell) == cells)
    }

    @Test func row_isWrittenAsTheSchemaSays() throws {
        let cell = CellID(.make(latitude: 45.5, longitude: -73.57), level: 16)
        let line = JSONLine.object { CellRow(cell: cell, people: 3).write(in: &$0) }
        let object = try #require(JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        let section = try #require(StatsSchema.sections.first { $0.name == "cell" })
        #expect(Set(object.keys) == Set(section.fields.map(\.name)))
    }

    @Test func reference_holdsEveryCommandAndFigure() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/stats.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        for command in StatsCommand.all { #expect(text.contains("`\(command.name)")) }
        for (section, fields) in StatsSchema.sections {
            for field in fields {
                #expect(
                    text.contains("| `\(field.name)` | \(field.unit) | \(field.meaning) |"), "\(section).\(field.name)")
            }
        }
    }
}
