internal import CairnCore
internal import CairnLogging
internal import CairnServer
internal import CairnStore
internal import Foundation

/// Commands for the developers of apps: what people do (STA-4).
extension StatsCommand {
    static var developing: [StatsCommand] {
        [
            StatsCommand(
                "engagement", takes: "[DAYS|FROM TO]",
                "counts of people's actions by day (UTC): of the last 30 or DAYS days, or from one date to another; "
                    + "cairn engagement writes a table"
            ) { room, someone, arguments throws(StatsRefusal) in
                let days = try Self.days(arguments, today: EngagementTally.day(of: room.context.clock.now))
                room.query(Engagement.queries(days), for: someone) { room, someone, answers in
                    let engagement = Engagement(days: days, answers: answers)
                    room.context.store.report(engagement.damage)
                    room.answer(someone) { engagement.write(in: &$0, counts: room.engagementNames) }
                }
            }
        ]
    }

    private static let daysMax = 400

    private static func days(_ arguments: StatsArguments, today: Int64) throws(StatsRefusal) -> ClosedRange<Int64> {
        let words = arguments.words
        switch words.count {
        case 0: return (today - 29)...today
        case 1:
            guard let count = Int64(words[0]), (1...Int64(daysMax)).contains(count) else {
                throw StatsRefusal(.badArgument, "got \(words[0].prefix(40)), wants 1 to \(daysMax) days")
            }
            return (today - count + 1)...today
        case 2:
            guard let from = CalendarDay.number(words[0]), let to = CalendarDay.number(words[1]), from <= to,
                to - from < daysMax
            else {
                throw StatsRefusal(
                    .badArgument, "wants two dates such as 2026-03-01 2026-03-31, at most \(daysMax) days")
            }
            return from...to
        default: throw StatsRefusal(.badArgument, "wants a number of days, or two dates")
        }
    }
}

/// Days as numbers since 1970 and as people write them, UTC.
enum CalendarDay {
    private static let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()

    static func text(_ day: Int64) -> String {
        Date(timeIntervalSince1970: Double(day) * 86_400).formatted(style)
    }

    static func number(_ text: String) -> Int64? {
        guard text.count == 10, let date = try? Date(text, strategy: style) else { return nil }
        return Int64((date.timeIntervalSince1970 / 86_400).rounded(.down))
    }
}

extension StatsRoom {
    /// Everything that is counted, in the order of the table.
    fileprivate var engagementNames: [String] { ["accounts"] + context.register.counts.map(\.name.text) }

    /// Reads from the database, off the room's thread, and goes on with the answers.
    func query(
        _ queries: [Query], for someone: Operator, then: @escaping @Sendable (StatsRoom, Operator, [[Row]]) -> Void
    ) {
        let service = service
        let number = someone.number
        someone.isBusy = true
        context.store.read(queries) { result in
            service?.post { room in
                guard let someone = room.operators[number] else { return }
                someone.isBusy = false
                switch result {
                case .success(let answers): then(room, someone, answers)
                case .failure(let error): someone.link.send([Self.errorLine(code: "failed", "\(error)")])
                }
                room.proceed(someone)
            }
        }
    }
}

extension Engagement {
    fileprivate func write(in line: inout JSONLine, counts: [String]) {
        line.member("from", CalendarDay.text(days.lowerBound))
        line.member("to", CalendarDay.text(days.upperBound))
        line.object("total") { line in
            line.member("activeUsers", Int(activeUsers))
            for what in counts { line.member(named: what, Int(total(what))) }
        }
        line.array("days") { line in
            for day in days {
                line.element { line in
                    line.member("day", CalendarDay.text(day))
                    line.member("activeUsers", Int(byDay[day]?.activeUsers ?? 0))
                    for what in counts { line.member(named: what, Int(byDay[day]?.counts[what] ?? 0)) }
                }
            }
        }
    }
}
