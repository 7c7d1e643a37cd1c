internal import CairnConfiguration
internal import CairnCore
internal import CairnLogging
internal import CairnServer
internal import CairnStore

/// Commands that look at the whole. None takes an argument; each gives one line.
extension StatsCommand {
    static var looking: [StatsCommand] {
        [
            look("help", "the commands") { room, someone, line in
                line.member("level", someone.level.name)
                line.array("commands") { line in
                    for command in all where command.level <= someone.level && command.isOffered(room.actions) {
                        line.element { $0.describe(command) }
                    }
                }
            },
            look("schema", "the meaning and the unit of every figure, and the meaning of every reason") {
                room, someone, line in
                for (section, figures) in MetricsRegistry.sections {
                    line.object(named: section.name) { line in
                        for figure in figures { line.object(named: figure.name) { $0.explain(figure) } }
                    }
                }
                line.writeReasons()
            },
            look("info", "which server this is, and since when") { room, someone, line in
                line.member("version", room.access.version)
                line.member("protocol", 1)
                line.member("processID", Int(room.started.processID))
                line.member("startedAt", Int(room.started.at.milliseconds))
                line.member("uptimeSeconds", Double((room.context.clock.now - room.started.at).milliseconds) / 1_000)
                line.member("port", room.started.port)
                line.member("loops", room.shards.count)
                line.member("cellLevel", room.context.configuration.cells.level)
                line.object("backups") { line in
                    let isOn = room.actions.backup != nil
                    line.member("isOn", isOn)
                    line.member("hours", isOn ? room.context.configuration.backup.hours : 0)
                    if isOn { line.null("why") } else { line.member("why", StatsRoom.whyNoBackups) }
                }
                line.member("level", someone.level.name)
            },
            look("check", "whether the server can do its work, part by part; cairn check asks it") {
                room, someone, line in
                line.member("version", room.access.version)
                line.member("url", room.started.addresses.players.http)
                line.member("port", room.started.port)
                Readiness(health: room.health, store: room.context.store).write(in: &line)
                line.members(StoreFigures.damage, of: room.context.store.figures)
                room.refresh()
                room.writeHealth(in: &line)
            },
            figures("totals", "everything added up") { room, line in
                room.figures.writeTotals(room.rates, room.verdict, unseen: room.book.unseen, in: &line)
            },
            figures("people", "connections and users by kind") { room, line in
                room.figures.write(.people, in: &line)
            },
            figures("queues", "queues, and the outcome of everything offered") { room, line in
                room.figures.writeObject(.queues, in: &line)
                room.figures.writeObject(.store, in: &line)
                room.figures.writeLoops(in: &line)
                room.figures.writeObject(.items, in: &line)
                room.figures.writeObject(.messages, in: &line)
            },
            figures("latency", "times of requests by kind, from receipt to reply") { room, line in
                room.figures.writeLatency(in: &line)
            },
        ]
    }

    private static func look(
        _ name: String, _ meaning: String, _ write: @escaping (StatsRoom, Operator, inout JSONLine) -> Void
    ) -> StatsCommand {
        StatsCommand(name, meaning) { room, someone, arguments throws(StatsRefusal) in
            try arguments.none()
            room.answer(someone) { write(room, someone, &$0) }
        }
    }

    private static func figures(
        _ name: String, _ meaning: String, _ write: @escaping (StatsRoom, inout JSONLine) -> Void
    ) -> StatsCommand {
        look(name, meaning) { room, _, line in
            room.refresh()
            line.member("at", Int(room.figures.at.milliseconds))
            write(room, &line)
        }
    }
}

extension JSONLine {
    fileprivate mutating func describe(_ command: StatsCommand) {
        member("command", command.name)
        member("arguments", command.arguments)
        member("level", command.level.name)
        member("meaning", command.meaning)
    }

    fileprivate mutating func explain(_ figure: MetricsRegistry.Explanation) {
        member("unit", figure.unit)
        member("meaning", figure.meaning)
    }
}
