import Foundation

/// Draws a look.
enum TopScreen {
    /// Lines above the cells.
    static let headLines = 6

    /// The whole screen, line by line, plain.
    static func lines(_ look: TopLook, view: TopView, path: String, width: Int, rows: Int) -> [String] {
        let lines = head(look, path: path) + ["", columns.map { $0.title }.joined()]
        let cells = look.cells.prefix(rows).map { cell in columns.map { $0.text(cell) }.joined() }
        return (lines + cells).map { String($0.prefix(width)) }
    }

    private static func head(_ look: TopLook, path: String) -> [String] {
        let (totals, rates, queues) = (look.totals, look.totals.rates, look.totals.queues)
        let loops = totals.loops.map { loop in
            "\(StatsText.percent(loop.busy)) \(StatsText.microseconds(loop.delayMicroseconds))"
        }
        let p99 = StatsText.microseconds(totals.store.commitP99Microseconds)
        let disk = totals.store.failing ? "FAILING" : "p99 \(p99)"
        return [
            "cairn \(look.info.version)   up \(StatsText.duration(look.info.uptimeSeconds))   \(path)",
            "people \(StatsText.count(totals.people))   connections \(StatsText.count(totals.connections))"
                + "   behind \(StatsText.count(totals.behind))   cells \(StatsText.count(totals.cells))"
                + "   things \(StatsText.count(totals.instances))"
                + "   memory \(StatsText.bytes(Double(totals.process.residentBytes)))",
            "in \(StatsText.rate(rates.messagesIn))/s \(StatsText.bytes(rates.bytesIn))/s"
                + "   out \(StatsText.rate(rates.messagesOut))/s \(StatsText.bytes(rates.bytesOut))/s"
                + "   positions \(StatsText.rate(rates.positions))/s   events \(StatsText.rate(rates.events))/s"
                + "   refusals \(StatsText.rate(rates.refusals))/s   drops \(StatsText.rate(rates.drops))/s",
            "disk \(StatsText.rate(rates.commits)) commits/s   \(StatsText.rate(rates.changes)) changes/s   \(disk)"
                + "   backlog \(StatsText.count(queues.backlogChanges))"
                + "   oldest \(StatsText.milliseconds(queues.oldestUnsavedMilliseconds))"
                + "   loops \(loops.joined(separator: " | "))",
        ]
    }

    /// The last line.
    static func footer(_ look: TopLook, view: TopView) -> String {
        if let typing = view.typing { return "filter: \(typing)_" }
        if !view.message.isEmpty { return view.message }
        let first = look.cells.isEmpty ? 0 : view.offset + 1
        var parts = [
            "\(first)-\(view.offset + look.cells.count) of \(look.of)", "by \(view.order.rawValue)",
            view.filter.isEmpty ? "/ filter" : "filter \(view.filter)",
        ]
        if view.isFrozen { parts.append("FROZEN") }
        return parts.joined(separator: "   ") + "   space freeze   ? help   q quit"
    }

    static let help = [
        "p  people         e  events a second    u  unsaved changes",
        "i  things         t  turns a second     w  waiting for slow readers",
        "s  watching       b  bytes a second     l  slowest turns",
        "n  name",
        "",
        "/  filter: a cell's token, LAT,LON,METRES, or occupied; empty for all",
        "space freeze   arrows, page up and down scroll   + - faster, slower   q quit",
    ]

    private struct Column {
        let title: String
        let text: (StatsCells.Cell) -> String

        init(_ title: String, _ width: Int, _ value: @escaping (StatsCells.Cell) -> String) {
            self.title = StatsText.right(title, width)
            text = { StatsText.right(value($0), width) }
        }

        init(left title: String, _ width: Int, _ value: @escaping (StatsCells.Cell) -> String) {
            self.title = StatsText.left(title, width)
            text = { StatsText.left(value($0), width) }
        }
    }

    /// Computed: closures are not Sendable, and a screen is drawn once a second.
    private static var columns: [Column] {
        [
            Column(left: "CELL", 17) { $0.cell },
            Column("PEOPLE", 7) { StatsText.count($0.people) },
            Column("THINGS", 7) { StatsText.count($0.instances) },
            Column("WATCHING", 9) { StatsText.count($0.subscribers) },
            Column("EVENT/S", 8) { StatsText.rate($0.eventsPerSecond) },
            Column("TURN/S", 7) { StatsText.rate($0.turnsPerSecond) },
            Column("OUT/S", 8) { StatsText.bytes($0.bytesPerSecond) },
            Column("UNSAVED", 8) { StatsText.count($0.unsaved) },
            Column("WAITING", 8) { StatsText.bytes(Double($0.queuedBytes)) },
            Column("P99", 7) { $0.turnP99Microseconds == 0 ? "-" : StatsText.microseconds($0.turnP99Microseconds) },
        ]
    }
}
