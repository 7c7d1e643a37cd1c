internal import CairnGeo
internal import CairnServer

/// The newest rows of all cells, each with the number of the sample at which it last changed. A watcher that has seen
/// some number gets the changes since then, so a watcher that was too slow for one update gets a larger next one.
struct CellTable {
    private var entries: [CellID: Entry] = [:]
    private var gone: [(cell: CellID, number: UInt64)] = []
    /// The cells that went in samples up to this one are forgotten.
    private var goneSince: UInt64 = 0
    /// The number of the last sample.
    private(set) var number: UInt64 = 0

    /// Most cells that are remembered as gone.
    private static let goneMax = 50_000

    private struct Entry {
        var row: CellRow
        var next: CellRow
        var changedAt: UInt64
        var heardAt: UInt64

        mutating func renew(_ row: CellRow, _ number: UInt64) {
            next = row
            heardAt = number
        }
    }

    /// What has changed since a sample.
    struct Changes {
        /// Whether `rows` is the whole table: for a first look, or when the cells that went are no longer known.
        var isWhole = false
        var rows: [CellRow] = []
        var gone: [CellID] = []
    }

    var count: Int { entries.count }
    var rows: [CellRow] { entries.values.map(\.row) }
    subscript(_ cell: CellID) -> CellRow? { entries[cell]?.row }

    /// Adds a sample: all shards' parts of one moment.
    mutating func hear(_ parts: [ShardRows]) {
        number += 1
        entries.reserveCapacity(parts.reduce(0) { $0 + $1.cells.count })
        for part in parts {
            for row in part.cells { begin(row) }
        }
        for part in parts {
            for share in part.shares { add(share) }
        }
        finishSample()
    }

    private mutating func begin(_ row: CellRow) {
        entries[row.cell, default: Entry(row: row, next: row, changedAt: number, heardAt: number)].renew(row, number)
    }

    private mutating func add(_ share: CellShare) {
        let empty = CellRow(cell: share.cell)
        if entries[share.cell]?.heardAt != number { begin(empty) }
        entries[share.cell]?.next.add(share)
    }

    private mutating func finishSample() {
        var left: [CellID] = []
        var index = entries.startIndex
        while index != entries.endIndex {
            let entry = entries.values[index]
            if entry.heardAt != number {
                left.append(entry.row.cell)
            } else if entry.row != entry.next {
                entries.values[index].row = entry.next
                entries.values[index].changedAt = number
            }
            entries.formIndex(after: &index)
        }
        for cell in left {
            entries[cell] = nil
            gone.append((cell, number))
        }
        if gone.count > Self.goneMax {
            goneSince = gone[gone.count - Self.goneMax - 1].number
            gone.removeFirst(gone.count - Self.goneMax)
        }
    }

    /// What changed since the sample with this number; 0 = everything.
    func changes(since seen: UInt64) -> Changes {
        guard seen > 0, seen >= goneSince else { return Changes(isWhole: true, rows: rows) }
        var changes = Changes()
        for entry in entries.values where entry.changedAt > seen { changes.rows.append(entry.row) }
        // A cell may have come back since it went.
        for (cell, number) in gone where number > seen && entries[cell] == nil { changes.gone.append(cell) }
        return changes
    }
}

extension CellRow {
    fileprivate mutating func add(_ share: CellShare) {
        people += share.people
        bytesPerSecond += share.bytesPerSecond
        queuedBytes += share.queuedBytes
    }
}
