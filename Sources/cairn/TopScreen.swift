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
        columns = Self.columns(look, order: view.order, width: width)
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
        if let typing = view.typing { return "\(view.isFinding ? "find" : "filter"): \(typing)_" }
        let silence = silentSeconds.map { "NO NEWS for \($0) s" }
        if !view.message.isEmpty { return [silence, view.message].compactMap(\.self).joined(separator: "   ") }
        if let page = view.pages.last {
            let parts = [silence, page.commands.isEmpty ? nil : "1-9 open", "arrows scroll", "Escape back", "/ find"]
            return parts.compactMap(\.self).joined(separator: "   ")
        }
        let shown = max(0, min(rows, look.cells.count - view.offset))
        let first = shown == 0 ? 0 : view.offset + 1
        let parts = [
            silence, view.isFrozen ? "FROZEN" : nil, "\(first)-\(view.offset + shown) of \(look.of)",
            "by \(view.order)", view.filter.isEmpty ? "f filter" : "filter \(view.filter)", "/ find", "space freeze",
            "? help", "q quit",
        ]
        return String(parts.compactMap(\.self).joined(separator: "   ").prefix(width))
    }

    /// What each key does, the columns' first.
    var help: [String] {
        look.columns.map { "\($0.key)  \(StatsText.left($0.title, 10)) \($0.meaning)" } + [""] + Self.keys
    }

    private static let keys = [
        "!  the state of health, the alarms until they are seen, and what refusals mean",
        "/  find: a name, an id, a cell, LAT,LON or a link; 1 to 9 open what was found",
        "f  filter: a cell's token, LAT,LON,METRES, or occupied; empty for all",
        "space freeze   arrows, page up and down scroll   + - faster, slower",
        "Escape leaves help, page, filter and freeze   q quit",
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
            health(totals),
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
                "p99 \(p99)", "backlog \(StatsText.count(queues.backlogChanges))",
                "oldest \(StatsText.milliseconds(queues.oldestUnsavedMilliseconds))",
                "loops \(loops.joined(separator: " | "))",
            ],
        ]
    }

    /// The state, then each alarm with what to do: it stands where no narrow terminal cuts it.
    private static func health(_ totals: StatsTotals.Totals) -> [String] {
        let alarms = (totals.alarms ?? []).map(\.words)
        let state = totals.health?.state ?? (alarms.isEmpty ? "healthy" : "watch")
        let unseen = (totals.health?.unseen ?? 0) - alarms.count
        return [state.uppercased()] + alarms
            + (unseen > 0 ? ["\(StatsText.count(unseen)) earlier: press !"] : [])
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
        /// As wide as the column.
        let title: String
        let text: (StatsCells.Cell) -> String
    }

    /// The columns that fit: the cell, the one by which it is sorted, then the others in their order. Each is as wide
    /// as the widest of its texts and no wider, so that many fit on a terminal of 80 columns.
    private static func columns(_ look: TopLook, order: String, width: Int) -> [Column] {
        guard let cell = look.columns.first else { return [] }
        let (chosen, others) = (look.columns.dropFirst().filter { $0.order == order }, look.columns.dropFirst())
        var left = width
        var columns: [Column] = []
        for column in [cell] + chosen + others.filter({ $0.order != order }) {
            let made = Self.column(column, in: look.cells, isLeft: columns.isEmpty)
            left -= made.title.count
            guard left >= 0 else { break }
            columns.append(made)
        }
        return columns
    }

    private static func column(_ column: StatsColumns.Column, in cells: [StatsCells.Cell], isLeft: Bool) -> Column {
        let text = { (cell: StatsCells.Cell) in cell[column.name].map { StatsText.figure($0, in: column.unit) } ?? "" }
        let title = column.title.uppercased()
        let widest = cells.reduce(title.count) { max($0, text($1).count) }
        if isLeft {
            return Column(title: StatsText.left(title, widest)) { StatsText.left(text($0), widest) }
        }
        // A space before it.
        return Column(title: StatsText.right(title, widest + 1)) { StatsText.right(text($0), widest + 1) }
    }
}
