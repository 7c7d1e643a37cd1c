import Foundation

/// Draws a sample as plain lines, none wider than the terminal.
struct TopScreen {
    /// The lines above the cells; the last one has the names of the columns.
    let head: [String]
    private let look: TopLook
    private let view: TopView
    private let width: Int
    private let columns: [Column]

    /// - Parameter height: height of the terminal; on a low one the head is cut instead of wrapped.
    init(_ look: TopLook, view: TopView, path: String, width: Int, height: Int = .max) {
        self.look = look
        self.view = view
        self.width = width
        // As wide as the longest name and no wider, so that all figures fit on a terminal of 80 columns.
        columns = Self.columns(cell: 1 + (look.cells.map(\.cell.count) + [8]).reduce(0, max))
        let titles = columns.map { $0.title }.joined()
        let paragraphs = Self.paragraphs(look, path: path)
        var above = paragraphs.flatMap { Self.wrapped($0, width) }
        if above.count > height / 2 - 2 { above = paragraphs.map { String($0.joined(separator: "   ").prefix(width)) } }
        head = above + ["", String(titles.prefix(width))]
    }

    /// At most `count` rows, from the one that the view is scrolled to.
    func rows(_ count: Int) -> [String] {
        look.cells.dropFirst(view.offset).prefix(count).map { cell in
            String(columns.map { $0.text(cell) }.joined().prefix(width))
        }
    }

    /// The last line.
    /// - Parameter silentSeconds: seconds since the last sample; nil = samples come in time.
    func footer(rows: Int, silentSeconds: Int?) -> String {
        if let typing = view.typing { return "filter: \(typing)_" }
        let silence = silentSeconds.map { "NO NEWS for \($0) s" }
        if !view.message.isEmpty { return [silence, view.message].compactMap(\.self).joined(separator: "   ") }
        let shown = max(0, min(rows, look.cells.count - view.offset))
        let first = shown == 0 ? 0 : view.offset + 1
        let parts = [
            silence, view.isFrozen ? "FROZEN" : nil, "\(first)-\(view.offset + shown) of \(look.of)",
            "by \(view.order.rawValue)", view.filter.isEmpty ? "/ filter" : "filter \(view.filter)", "space freeze",
            "? help", "q quit",
        ]
        return String(parts.compactMap(\.self).joined(separator: "   ").prefix(width))
    }

    static let help = [
        "p  people         e  events a second    u  unsaved changes",
        "i  things         t  turns a second     w  waiting for slow readers",
        "s  watching       b  bytes a second     l  slowest turns",
        "n  name",
        "",
        "/  filter: a cell's token, LAT,LON,METRES, or occupied; empty for all",
        "space freeze   arrows, page up and down scroll   + - faster, slower",
        "Escape leaves help, filter and freeze   q quit",
    ]

    // MARK: The head

    /// Paragraphs of the head, each as pieces that are never divided.
    private static func paragraphs(_ look: TopLook, path: String) -> [[String]] {
        let (totals, rates, queues) = (look.totals, look.totals.rates, look.totals.queues)
        let loops = totals.loops.map { loop in
            "\(StatsText.percent(loop.busy)) \(StatsText.microseconds(loop.delayMicroseconds))"
        }
        let p99 = StatsText.microseconds(totals.store.commitP99Microseconds)
        return [
            ["cairn \(look.info.version)", "up \(StatsText.duration(look.info.uptimeSeconds))", path],
            [
                "people \(StatsText.count(totals.people))", "connections \(StatsText.count(totals.connections))",
                "behind \(StatsText.count(totals.behind))", "cells \(StatsText.count(totals.cells))",
                "things \(StatsText.count(totals.instances))",
                "memory \(StatsText.bytes(Double(totals.process.residentBytes)))",
            ],
            [
                "in \(StatsText.rate(rates.messagesIn))/s \(StatsText.bytes(rates.bytesIn))/s",
                "out \(StatsText.rate(rates.messagesOut))/s \(StatsText.bytes(rates.bytesOut))/s",
                "positions \(StatsText.rate(rates.positions))/s", "events \(StatsText.rate(rates.events))/s",
                "refusals \(StatsText.rate(rates.refusals))/s", "drops \(StatsText.rate(rates.drops))/s",
            ],
            [
                "disk \(StatsText.rate(rates.commits)) commits/s", "\(StatsText.rate(rates.changes)) changes/s",
                "p99 \(p99)",
            ] + (totals.alarms ?? []).map(Self.words) + [
                "backlog \(StatsText.count(queues.backlogChanges))",
                "oldest \(StatsText.milliseconds(queues.oldestUnsavedMilliseconds))",
                "loops \(loops.joined(separator: " | "))",
            ],
        ]
    }

    /// `damagedRows` as DAMAGED ROWS with the number and the remedy. It comes first, where no narrow terminal cuts it.
    private static func words(of alarm: StatsTotals.Alarm) -> String {
        let name = alarm.figure.map { $0.isUppercase ? " \($0)" : $0.uppercased() }.joined()
        let amount = alarm.amount.map { " \(StatsText.count($0))" } ?? ""
        return name + amount + (alarm.remedy.isEmpty ? "" : ": \(alarm.remedy)")
    }

    /// Joins the pieces, with a line break where the width is used up.
    private static func wrapped(_ pieces: [String], _ width: Int) -> [String] {
        var lines: [String] = []
        for piece in pieces {
            let piece = String(piece.prefix(width))
            if let last = lines.last, last.count + 3 + piece.count <= width {
                lines[lines.count - 1] = last + "   " + piece
            } else {
                lines.append(piece)
            }
        }
        return lines
    }

    // MARK: The cells

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

    private static func columns(cell width: Int) -> [Column] {
        [
            Column(left: "CELL", width) { $0.cell },
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
