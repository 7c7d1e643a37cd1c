internal import CairnCore
internal import CairnGeo
internal import CairnLogging
internal import CairnServer
internal import CairnText
internal import CairnWire

/// Commands that look at cells.
extension StatsCommand {
    static var cells: [StatsCommand] {
        [
            StatsCommand(
                "cells", takes: "[SORT] [FILTER] [top=N]",
                "cells by \(CellChoice.orders); all, those in a larger cell, within LAT,LON,METRES, or occupied"
            ) { room, someone, arguments throws(StatsRefusal) in
                let choice = try CellChoice(arguments)
                room.whenBusy(someone) { done in
                    room.hear { room in
                        done(room) { $0.link.send(room.cellLines(choice)) }
                    }
                }
            },
            StatsCommand("columns", "the columns of cells: names, titles, units, and the words that cells sorts by") {
                room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                room.answer(someone) { line in
                    line.array("columns") { line in
                        for column in CellColumn.all { line.element { $0.describe(column) } }
                    }
                }
            },
            StatsCommand("cell", takes: "TOKEN", "one cell with its last refusals; for admins with the sessions in it")
            {
                room, someone, arguments throws(StatsRefusal) in
                let token = try arguments.one("a cell's token, such as 4cc91a544")
                guard let cell = CellID(token: token) else {
                    throw StatsRefusal(.badArgument, "\(token.prefix(40)) is no cell's token")
                }
                room.describe(cell, to: someone)
            },
            StatsCommand("ground", takes: "TOKEN...", "outlines of cells as GeoJSON, for maps; at most 500") {
                room, someone, arguments throws(StatsRefusal) in
                let cells = arguments.words.compactMap { CellID(token: $0) }
                guard cells.count == arguments.words.count, (1...500).contains(cells.count) else {
                    throw StatsRefusal(.badArgument, "wants 1 to 500 tokens of cells")
                }
                room.answer(someone) { line in
                    line.member("type", "FeatureCollection")
                    line.array("features") { line in
                        for cell in cells { line.element { cell.writeGround(in: &$0) } }
                    }
                }
            },
        ]
    }
}

/// Which cells, in which order.
struct CellChoice {
    var order = CellColumn.first
    var top = Int.max
    var isIncluded: (CellRow) -> Bool = { _ in true }

    init(_ arguments: StatsArguments) throws(StatsRefusal) {
        for word in arguments.words {
            if CellColumn.named(word) != nil {
                order = word
            } else if word.hasPrefix("top="), let top = Int(word.dropFirst(4)), top > 0 {
                self.top = top
            } else if word == "occupied" {
                isIncluded = { $0.people > 0 }
            } else if let area = CellID(token: word) {
                isIncluded = { area.contains($0.cell) }
            } else if let (centre, metres) = Self.disc(word) {
                isIncluded = { $0.cell.distanceMetres(to: centre) <= metres }
            } else {
                throw StatsRefusal(
                    .badArgument,
                    "\(word.prefix(40)) is no order (\(Self.orders)), no cell, no LAT,LON,METRES, not occupied, "
                        + "not top=N", nearest: NearestName.of(word, in: CellColumn.all.map(\.order)))
            }
        }
    }

    static let orders = CellColumn.all.map(\.order).joined(separator: ", ")

    private static func disc(_ word: String) -> (Coordinate, Double)? {
        let numbers = word.pieces(at: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1], let metres = numbers[2],
            metres.isFinite, metres > 0, let centre = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        return (centre, metres)
    }
}

extension StatsRoom {
    /// Rows that go into one line.
    static let rowsPerLine = 200
    /// Refusals that are shown of a cell, the newest first.
    fileprivate static let refusalsOfCell = 20

    func cellLines(_ choice: CellChoice) -> [[UInt8]] {
        let included = table.rows.filter(choice.isIncluded)
        let all = CellColumn.named(choice.order)?.sorted(included) ?? included
        let rows = all.prefix(choice.top)
        var lines: [[UInt8]] = []
        var rest = rows[...]
        repeat {
            let page = rest.prefix(Self.rowsPerLine)
            rest = rest.dropFirst(Self.rowsPerLine)
            lines.append(
                JSONLine.object { line in
                    line.member("at", Int(figures.at.milliseconds))
                    line.member("of", all.count)
                    line.write(page, more: !rest.isEmpty)
                })
        } while !rest.isEmpty
        return lines
    }

    func describe(_ cell: CellID, to someone: Operator) {
        let showsSessions = someone.level == .admin
        whenBusy(someone) { done in
            hear { room in
                guard let row = room.table[cell] else {
                    return done(room) {
                        room.answer($0, refusal: StatsRefusal(.notFound, "\(cell) is not awake: nobody is near it"))
                    }
                }
                room.ask({ shard in
                    (sessions: showsSessions ? shard.sessions(in: cell) : [], refusals: shard.refusals(in: cell))
                }) { room, parts in
                    let sessions = parts.flatMap { $0?.sessions ?? [] }
                    let refusals = parts.flatMap { $0?.refusals ?? [] }.sorted { $0.secondsAgo < $1.secondsAgo }
                    done(room) { someone in
                        room.answer(someone) { line in
                            line.member("at", Int(room.figures.at.milliseconds))
                            line.members(MetricsRegistry.cellColumns, of: row)
                            line.object("ground") { cell.writeGround(in: &$0) }
                            line.array("refusals") { line in
                                for refusal in refusals.prefix(StatsRoom.refusalsOfCell) {
                                    line.element { $0.members(RefusalRow.metrics, of: refusal) }
                                }
                            }
                            guard showsSessions else { return }
                            line.array("sessions") { line in
                                for session in sessions { line.element { $0.members(SessionRow.metrics, of: session) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

extension JSONLine {
    mutating func write(_ rows: some Sequence<CellRow>, more: Bool) {
        array("cells") { line in
            for row in rows { line.element { $0.members(MetricsRegistry.cellColumns, of: row) } }
        }
        member("more", more)
    }
}

extension CellID {
    /// The cell's outline as a GeoJSON feature (RFC 7946).
    fileprivate func writeGround(in line: inout JSONLine) {
        let corners = vertices
        line.member("type", "Feature")
        line.member("id", token)
        line.object("geometry") { line in
            line.member("type", "Polygon")
            line.array("coordinates") { line in
                line.elements { line in
                    for corner in corners + corners.prefix(1) {
                        line.elements { line in
                            line.element(degrees: corner.longitude)
                            line.element(degrees: corner.latitude)
                        }
                    }
                }
            }
        }
        line.object("properties") { $0.member("level", level) }
    }
}
