internal import CairnCore
internal import CairnLogging
internal import CairnServer

/// Commands about what was before now: the course of figures, and refusals by reason.
extension StatsCommand {
    static var course: [StatsCommand] {
        [
            StatsCommand(
                "history", takes: "[\(History.Range.allCases.map(\.rawValue).joined(separator: "|"))]",
                "the course of the main figures: the last five minutes by seconds, the last hour by minutes or the "
                    + "last day by five minutes; it begins at the start of the server"
            ) { room, someone, arguments throws(StatsRefusal) in
                let ranges = History.Range.allCases.map(\.rawValue)
                let word = arguments.words.isEmpty ? ranges[0] : try arguments.one(ranges.joined(separator: ", "))
                guard let range = History.Range(rawValue: word) else {
                    throw StatsRefusal(
                        .badArgument, "got \(word.prefix(40)), wants one of \(ranges.joined(separator: ", "))")
                }
                room.answer(someone) { line in
                    line.member("at", Int(room.figures.at.milliseconds))
                    room.history.write(range, now: room.now, in: &line)
                }
            },
            StatsCommand(
                "refusals", takes: "[FROM [TO]]",
                "refusals, closures, drops and rejections by reason, with what they mean and what to do: since the "
                    + "start, of the last FROM minutes, or from FROM to TO minutes ago; at most "
                    + "\(History.minutesMax)"
            ) { room, someone, arguments throws(StatsRefusal) in
                room.refresh()
                let counts = OperatorReason.counts(in: room.figures)
                guard !arguments.words.isEmpty else { return room.answerRefusals(counts, for: someone) }
                let seconds = try arguments.secondsAgo()
                let counted = room.history.counted(seconds, now: room.now, counts: counts)
                room.answer(someone) { line in
                    let at = Int(room.figures.at.milliseconds)
                    line.member("at", at)
                    line.member("from", at - counted.seconds.upperBound * 1_000)
                    line.member("to", at - counted.seconds.lowerBound * 1_000)
                    line.write(CountedReason.of(counted.counts))
                }
            },
        ]
    }
}

extension StatsRoom {
    fileprivate func answerRefusals(_ counts: [UInt64], for someone: Operator) {
        answer(someone) { line in
            line.member("at", Int(figures.at.milliseconds))
            figures.write(.refusals, in: &line)
            figures.writeObject(.drops, in: &line)
            line.write(CountedReason.of(counts, lately: history.lately(counts)))
        }
    }
}

extension StatsArguments {
    /// One or two numbers of minutes, the earlier time first: how many seconds ago, the end first.
    fileprivate func secondsAgo() throws(StatsRefusal) -> ClosedRange<Int> {
        let minutes = words.compactMap { Double($0) }
        let (from, to) = (minutes.first ?? -1, minutes.count > 1 ? minutes[1] : 0)
        guard words.count <= 2, minutes.count == words.count, to >= 0, from >= to,
            from <= Double(History.minutesMax)
        else {
            throw StatsRefusal(
                .badArgument,
                "got \"\(text.prefix(40))\", wants minutes ago, the earlier time first: 60, or 12 10; at most "
                    + "\(History.minutesMax)")
        }
        return Int(to * 60)...Int(from * 60)
    }
}

extension JSONLine {
    fileprivate mutating func write(_ reasons: [CountedReason]) {
        array("reasons") { line in
            for reason in reasons { line.element { $0.members(CountedReason.metrics, of: reason) } }
        }
    }

    /// The words of all reasons, counted or not.
    mutating func writeReasons() {
        object("explanations") { line in
            for group in OperatorReason.Group.allCases {
                line.object(named: group.rawValue) { line in
                    for reason in OperatorReason.all where reason.group == group {
                        line.object(named: reason.code) { line in
                            line.member("meaning", reason.meaning)
                            line.member("remedy", reason.remedy)
                        }
                    }
                }
            }
        }
    }
}

/// A reason with how often it was counted, as `refusals` lists it.
struct CountedReason: Sendable {
    let reason: OperatorReason
    let count: UInt64
    /// nil = the count is of a time.
    let lately: UInt64?

    /// Those that were counted, the most frequent lately first, then the most frequent.
    static func of(_ counts: [UInt64], lately: [UInt64]? = nil) -> [CountedReason] {
        let counted = OperatorReason.all.indices.compactMap { place -> CountedReason? in
            guard counts[place] > 0 else { return nil }
            return CountedReason(reason: OperatorReason.all[place], count: counts[place], lately: lately?[place])
        }
        return counted.sorted { ($0.lately ?? 0, $0.count) > ($1.lately ?? 0, $1.count) }
    }

    private typealias Row = Metric<CountedReason>

    static let metrics: [Metric<CountedReason>] = [
        Row("group", in: .reasons, "which member of refusals counts it, or drops") { .text($0.reason.group.rawValue) },
        Row("reason", in: .reasons, "as it is counted there") { .text($0.reason.code) },
        Row("outcome", in: .reasons, "what became of it, in a word") { .text($0.reason.group.outcome) },
        Row("count", in: .reasons, unit: "times", "since the start, or in the time that was asked for") {
            .count($0.count)
        },
        Row("lately", in: .reasons, unit: "times", "in the last minute; null where a time was asked for") {
            $0.lately.map { .count($0) } ?? .nothing
        },
        Row("meaning", in: .reasons, "what has happened") { .text($0.reason.meaning) },
        Row("remedy", in: .reasons, "what an operator can do") { .text($0.reason.remedy) },
    ]
}

extension MetricSection {
    static let reasons = MetricSection(
        "reasons", heading: "Reasons (`refusals`: `reasons`)",
        preface: """
            Counts by reason are kept for each minute of the last day, from the start of the server. A time is \
            answered in whole minutes, which `from` and `to` name. The texts of all reasons are in `explanations` of \
            `schema`.
            """)
}
