internal import CairnCore
internal import CairnLogging
internal import CairnServer
internal import CairnTime

/// Commands about the state of health and the alarms that it is made of.
extension StatsCommand {
    static var health: [StatsCommand] {
        [
            StatsCommand(
                "health", "the state of the server in one line, with its reasons: healthy, watch or trouble"
            ) { room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                room.refresh()
                room.answer(someone) { line in
                    line.member("at", Int(room.figures.at.milliseconds))
                    room.writeHealth(in: &line)
                }
            },
            StatsCommand(
                "alarms",
                "the alarms since the start, also those that are over, with when and what to do; the newest last. "
                    + "Seen ones that are over are kept too, at most \(AlarmBook.seenMax)"
            ) { room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                room.refresh()
                let (now, at) = (room.now, room.context.clock.now)
                room.answer(someone) { line in
                    line.member("at", Int(at.milliseconds))
                    line.member("unseen", room.book.unseen)
                    line.array("alarms") { line in
                        for entry in room.book.entries {
                            let kept = KeptAlarm(
                                entry: entry, now: now, at: at, level: someone.level,
                                addresses: room.addresses(of: entry))
                            line.element { line in
                                line.members(KeptAlarm.metrics, of: kept)
                                line.members(RaisedAlarm.metrics, of: entry.alarm)
                            }
                        }
                    }
                }
            },
            StatsCommand(
                "seen", takes: "ALARM|all", level: .admin,
                "mark an alarm as seen, by its number in alarms, or all of them; one that gets worse is to be seen "
                    + "again"
            ) { room, someone, arguments throws(StatsRefusal) in
                let word = try arguments.one("the number of an alarm, or all")
                let number = Int(word)
                guard word == "all" || number != nil else {
                    throw StatsRefusal(.badArgument, "got \(word.prefix(40)), wants the number of an alarm, or all")
                }
                guard let count = room.book.see(number, by: someone.name, now: room.now) else {
                    throw StatsRefusal(.notFound, "there is no alarm \(word.prefix(40)); alarms lists them")
                }
                room.noteAction("seen \(word)", of: someone)
                room.answer(someone) { line in
                    line.member("seen", count)
                    line.member("unseen", room.book.unseen)
                }
            },
        ]
    }
}

extension StatsRoom {
    /// Addresses that an alarm has.
    private static let addressesNamed = 20

    fileprivate func addresses(of entry: AlarmBook.Entry) -> [String] {
        if entry.alarm.isOf(HealthRule.wrongCredentials.figure) {
            return figures.operators.attempts.words(max: Self.addressesNamed, now: now)
        }
        guard entry.alarm.isOf(SignInFigures.guessersFigure) else { return [] }
        return context.signIn.services.guessers.prefix(Self.addressesNamed).map(\.words)
    }

    func writeHealth(in line: inout JSONLine) {
        line.object("health") { verdict.write(unseen: book.unseen, in: &$0) }
        verdict.writeAlarms(in: &line)
    }
}

/// An alarm as `alarms` lists it, raised or over.
struct KeptAlarm: Sendable {
    let entry: AlarmBook.Entry
    let now: MonotonicTime
    /// By the clock of the wall, as it goes now: a jump of it moves the times of earlier alarms along.
    let at: WallTime
    /// Of the operator who asks: names of operators are for admins.
    let level: OperatorLevel
    /// Who caused it, as `CredentialAttempts.words` has them.
    let addresses: [String]

    private func wall(_ time: MonotonicTime) -> MetricValue { .level(Int((at - (now - time)).milliseconds)) }

    private typealias Row = Metric<KeptAlarm>

    static let metrics: [Metric<KeptAlarm>] = [
        Row("alarm", in: .kept, unit: "number", "names it, for seen") { .level($0.entry.number) },
        Row("began", in: .kept, unit: "milliseconds", "when it was raised, since 1970-01-01 UTC") {
            $0.wall($0.entry.beganAt)
        },
        Row("ended", in: .kept, unit: "milliseconds", "when it ended; null = it is raised") { kept in
            kept.entry.endedAt.map(kept.wall) ?? .nothing
        },
        Row("times", in: .kept, unit: "times", "how often it came before it was seen") { .level($0.entry.times) },
        Row("seenBy", in: .kept, "who marked it as seen; null = it is unseen, or you have read level") {
            kept in
            guard kept.level == .admin, let seen = kept.entry.seen else { return .nothing }
            return .text(seen.by)
        },
        Row("seenAt", in: .kept, unit: "milliseconds", "when that was; null = nobody has seen it") { kept in
            kept.entry.seen.map { kept.wall($0.at) } ?? .nothing
        },
        Row(
            "addresses", in: .kept,
            "of \(HealthRule.wrongCredentials.figure) and \(SignInFigures.guessersFigure): who has tried, with how "
                + "often in the last day, the most first; for admin level"
        ) { kept in .names(kept.level == .admin ? kept.addresses : []) },
    ]
}

extension MetricSection {
    static let kept = MetricSection(
        "kept", heading: "Kept alarms (`alarms`)",
        preface: """
            Each has the members of an alarm as well, as it was when it was worst. They are in memory: a restart \
            begins anew, and the log has a line for each.
            """)
}
