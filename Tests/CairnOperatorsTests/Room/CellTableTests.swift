import CairnGeo
import CairnTesting
import Testing

@testable import CairnOperators
@testable import CairnServer

@Suite("Stats: the table of cells")
struct CellTableTests {
    private let cells = (0..<4).map { CellID(.make(latitude: 45 + Double($0), longitude: 7), level: 16) }

    private func part(_ rows: [CellRow], _ shares: [CellShare] = []) -> ShardRows {
        ShardRows(cells: rows, shares: shares)
    }

    @Test func hear_addsWhatConnectionsOnOtherLoopsKnow() {
        var table = CellTable()
        table.hear([
            part([CellRow(cell: cells[0], instances: 3)], [CellShare(cell: cells[0], people: 2, bytesPerSecond: 10)]),
            part([], [CellShare(cell: cells[0], people: 5, bytesPerSecond: 1, queuedBytes: 7)]),
        ])
        let row = table[cells[0]]
        #expect(row?.people == 7)
        #expect(row?.instances == 3)
        #expect(row?.bytesPerSecond == 11)
        #expect(row?.queuedBytes == 7)
    }

    @Test func people_areNotLostWhereTheCellsOwnShardHasNotSpoken() {
        var table = CellTable()
        table.hear([part([], [CellShare(cell: cells[1], people: 4)])])
        #expect(table.rows.reduce(0) { $0 + $1.people } == 4)
    }

    @Test func changes_areEverythingForWhoHasSeenNothing() {
        var table = CellTable()
        table.hear([part(cells.map { CellRow(cell: $0) })])
        let changes = table.changes(since: 0)
        #expect(changes.isWhole)
        #expect(changes.rows.count == 4)
    }

    @Test func changes_areOnlyWhatDiffersFromWhatWasSeen() {
        var table = CellTable()
        table.hear([part([CellRow(cell: cells[0]), CellRow(cell: cells[1], instances: 1)])])
        let seen = table.number
        table.hear([part([CellRow(cell: cells[0]), CellRow(cell: cells[1], instances: 2)])])
        let changes = table.changes(since: seen)
        #expect(!changes.isWhole)
        #expect(changes.rows.map(\.cell) == [cells[1]])
        #expect(changes.gone.isEmpty)
    }

    @Test func changes_nameTheCellsThatWent() {
        var table = CellTable()
        table.hear([part([CellRow(cell: cells[0]), CellRow(cell: cells[1])])])
        let seen = table.number
        table.hear([part([CellRow(cell: cells[0])])])
        #expect(table.changes(since: seen).gone == [cells[1]])
        #expect(table.count == 1)
    }

    @Test func changes_doNotNameACellThatCameBack() {
        var table = CellTable()
        table.hear([part([CellRow(cell: cells[0])])])
        let seen = table.number
        table.hear([part([])])
        table.hear([part([CellRow(cell: cells[0], instances: 9)])])
        let changes = table.changes(since: seen)
        #expect(changes.gone.isEmpty)
        #expect(changes.rows.map(\.instances) == [9])
    }

    @Test func whoWasSlow_getsAllThatChangedMeanwhileAtOnce() {
        var table = CellTable()
        table.hear([part(cells.map { CellRow(cell: $0) })])
        let seen = table.number
        for (count, cell) in cells.enumerated() {
            table.hear([part(cells.map { CellRow(cell: $0, instances: $0 <= cell ? count + 1 : 0) })])
        }
        #expect(Set(table.changes(since: seen).rows.map(\.cell)) == Set(cells))
    }

    @Test func whoWasTooSlow_startsAnew() {
        var table = CellTable()
        table.hear([part([])])
        let seen = table.number
        for round in 0..<3 {
            let many = (0..<20_000).map { number in
                CellID(rawValue: UInt64(number + round * 20_000) << 31 | 1 << 30 | 1 << 62) ?? cells[0]
            }
            table.hear([part(many.map { CellRow(cell: $0) })])
        }
        table.hear([part([])])
        let isWhole = table.changes(since: seen).isWhole
        #expect(isWhole)
    }
}
