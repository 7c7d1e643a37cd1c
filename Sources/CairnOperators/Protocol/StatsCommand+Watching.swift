internal import CairnCore
internal import CairnGeo
internal import CairnLogging

/// Commands whose answers go on: updates until the operator says otherwise.
extension StatsCommand {
    static var watching: [StatsCommand] {
        [
            StatsCommand(
                "watch", takes: "[SECONDS]", "all figures now, then the changes every second or every SECONDS seconds"
            ) { room, someone, arguments throws(StatsRefusal) in
                var seconds = 1
                if !arguments.words.isEmpty {
                    let word = try arguments.one("a number of seconds")
                    guard let number = Int(word), (1...3_600).contains(number) else {
                        throw StatsRefusal(.badArgument, "got \(word.prefix(40)), wants 1 to 3600 seconds")
                    }
                    seconds = number
                }
                someone.watch = Operator.Watch(seconds: seconds, dueTick: room.tickNumber)
                room.hear { $0.updateWatchers() }
            },
            StatsCommand("stop", "ends watch") { room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                someone.watch = nil
                room.answer(someone) { $0.member("watching", false) }
            },
        ]
    }
}

extension StatsRoom {
    /// Sends each watching operator whose update is due what has changed since the last one. An operator who has not
    /// read the last update is left out and gets both at the next tick (STA-1).
    func updateWatchers() {
        var encoded: [UInt64: [[UInt8]]] = [:]
        for someone in operators.values {
            guard var watch = someone.watch, watch.dueTick <= tickNumber else { continue }
            guard someone.link.isReady else {
                watch.skipped += 1
                someone.watch = watch
                access.figures.note { $0.updatesSkipped += 1 }
                continue
            }
            let lines = encoded[watch.seen] ?? updateLines(since: watch.seen)
            encoded[watch.seen] = lines
            watch.seen = table.number
            watch.skipped = 0
            watch.dueTick = tickNumber + UInt64(watch.seconds)
            someone.watch = watch
            someone.link.send(lines)
        }
    }

    private func updateLines(since seen: UInt64) -> [[UInt8]] {
        let changes = table.changes(since: seen)
        var rest = changes.rows[...]
        var lines: [[UInt8]] = []
        repeat {
            let page = rest.prefix(Self.rowsPerLine)
            rest = rest.dropFirst(Self.rowsPerLine)
            let isFirst = lines.isEmpty
            lines.append(
                JSONLine.object { line in
                    line.reserve(page.count * 240 + 4_096)
                    line.member("type", !isFirst ? "rows" : changes.isWhole ? "snapshot" : "update")
                    line.member("number", table.number)
                    if isFirst {
                        line.member("at", Int(figures.at.milliseconds))
                        figures.writeTotals(rates, verdict, unseen: book.unseen, in: &line)
                        if !changes.isWhole {
                            line.array("gone") { line in changes.gone.forEach { line.element($0.token) } }
                        }
                    }
                    line.write(page, more: !rest.isEmpty)
                })
        } while !rest.isEmpty
        return lines
    }
}
