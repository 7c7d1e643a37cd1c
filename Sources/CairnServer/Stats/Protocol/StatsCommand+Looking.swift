/// Commands that look at the whole.
extension StatsCommand {
    static var looking: [StatsCommand] {
        [
            StatsCommand("help", "what commands there are") { room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                room.answer(someone) { line in
                    line.member("level", someone.level.name)
                    line.array("commands") { line in
                        for command in all where command.level <= someone.level {
                            line.element { $0.describe(command) }
                        }
                    }
                }
            },
            StatsCommand("schema", "what every figure means, and its unit") { room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                room.answer(someone) { line in
                    for (section, fields) in StatsSchema.sections {
                        line.object(named: section) { line in
                            for field in fields { line.object(named: field.name) { $0.describe(field) } }
                        }
                    }
                }
            },
            StatsCommand("info", "which server this is, and since when") { room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                room.answer(someone) { line in
                    line.member("version", Server.version)
                    line.member("protocol", 1)
                    line.member("processID", Int(room.started.processID))
                    line.member("startedAt", Int(room.started.at))
                    line.member("uptimeSeconds", Double(room.world.clock.now - room.started.at) / 1_000)
                    line.member("port", room.started.port)
                    line.member("loops", room.shards.count)
                    line.member("cellLevel", room.world.configuration.cells.level)
                    line.member("level", someone.level.name)
                }
            },
            StatsCommand("totals", "everything added up") { room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                room.answer(someone) { line in
                    line.member("at", Int(room.figures.at))
                    room.figures.writeTotals(room.rates, in: &line)
                }
            },
            StatsCommand("people", "connections and users by what they are") { room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                room.answer(someone) { line in
                    line.member("at", Int(room.figures.at))
                    room.figures.writePeople(in: &line)
                }
            },
            StatsCommand("queues", "what waits where, and what became of everything offered") { room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                room.answer(someone) { line in
                    line.member("at", Int(room.figures.at))
                    room.figures.writeQueues(in: &line)
                    room.figures.writeStore(in: &line)
                    room.figures.writeLoops(in: &line)
                    room.figures.writeAccounts(in: &line)
                }
            },
            StatsCommand("refusals", "refusals, closures, drops and rejections by reason") { room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                let figures = room.figures
                room.answer(someone) { line in
                    line.member("at", Int(figures.at))
                    line.counts("refusals", figures.refusals)
                    line.counts("closures", figures.closures)
                    line.counts("drops", figures.drops)
                    line.counts("transport", figures.transportRejections)
                    line.counts("operators", room.world.operators.figures.current.refused)
                }
            },
            StatsCommand("latency", "how long requests took, by kind, from receipt to reply") { room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                room.answer(someone) { line in
                    line.member("at", Int(room.figures.at))
                    room.figures.writeLatency(in: &line)
                }
            },
            StatsCommand("history", "the last five minutes, second by second") { room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                room.answer(someone) { line in
                    line.member("at", Int(room.figures.at))
                    room.history.write(in: &line)
                }
            },
        ]
    }
}

extension JSONLine {
    fileprivate mutating func describe(_ command: StatsCommand) {
        member("command", command.name)
        member("arguments", command.arguments)
        member("level", command.level.name)
        member("meaning", command.meaning)
    }

    fileprivate mutating func describe(_ field: StatsSchema.Field) {
        member("unit", field.unit)
        member("meaning", field.meaning)
    }
}
