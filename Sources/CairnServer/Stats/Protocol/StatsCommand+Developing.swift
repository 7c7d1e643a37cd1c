internal import CairnCore
internal import CairnFeatures
internal import CairnStore
internal import CairnWire
internal import Foundation

/// Commands for those who develop the apps: what people do, and what they say about it (STA-4, STA-6).
extension StatsCommand {
    static var developing: [StatsCommand] {
        [
            StatsCommand(
                "engagement", takes: "[DAYS|FROM TO]",
                "what people did, day by day: the last 30 days, so many, or from one date to another"
            ) { room, someone, arguments throws(StatsRefusal) in
                let days = try Self.days(arguments, today: EngagementTally.day(of: room.world.clock.now))
                room.read(Engagement.queries(days), for: someone) { room, someone, answers in
                    let engagement = Engagement(days: days, answers: answers)
                    room.world.store.report(engagement.damage)
                    room.answer(someone) { engagement.write(in: &$0, counts: room.engagementNames) }
                }
            },
            StatsCommand(
                "feedback", takes: "[open|handled|all] [category=C] [rating=N] [before=ID] [top=N]", level: .admin,
                "what users wrote, newest first"
            ) { room, someone, arguments throws(StatsRefusal) in
                let filter = try FeedbackEntry.Filter(arguments, categories: room.feedbackCategories)
                let queries = [FeedbackEntry.query(filter), FeedbackEntry.openCount]
                room.read(queries, for: someone) { room, someone, answers in
                    var damage: [DamagedRow] = []
                    let entries = FeedbackEntry.entries(in: answers[0], into: &damage)
                    room.world.store.report(damage)
                    room.answer(someone) { line in
                        line.member("open", Int((try? answers[1].first?.integer(0)) ?? 0))
                        line.array("feedback") { line in
                            for entry in entries { line.element { entry.write(in: &$0) } }
                        }
                    }
                }
            },
            StatsCommand("handle", takes: "ID [open]", level: .admin, "mark feedback as handled, or as open again") {
                room, someone, arguments throws(StatsRefusal) in
                guard let word = arguments.words.first, let id = FeedbackID(word), arguments.words.count <= 2,
                    arguments.words.count == 1 || arguments.words[1] == "open"
                else { throw StatsRefusal(.badArgument, "wants the id of an entry, and perhaps the word open") }
                let isOpen = arguments.words.count == 2
                room.handle(id, isOpen: isOpen, for: someone)
            },
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
    fileprivate var feedbackCategories: [String] { world.settings.feedback.categories }

    /// Everything that is counted, in the order of the table.
    fileprivate var engagementNames: [String] { ["accounts"] + world.register.counts.map(\.text) }

    /// Reads from the database, off the room's thread, and goes on with the answers.
    fileprivate func read(
        _ queries: [Query], for someone: Operator, then: @escaping @Sendable (StatsRoom, Operator, [[Row]]) -> Void
    ) {
        let service = service
        let number = someone.number
        someone.isBusy = true
        world.store.read(queries) { result in
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

    fileprivate func handle(_ id: FeedbackID, isOpen: Bool, for someone: Operator) {
        noteAction("handle", of: someone)
        let (store, now) = (world.store, world.clock.now)
        perform(for: someone) {
            guard try await store.read([FeedbackEntry.existence(of: id)]).first?.isEmpty == false else {
                return Self.errorLine(code: StatsRefusal.Code.notFound.rawValue, "there is no such entry")
            }
            try await store.commit([isOpen ? FeedbackEntry.reopening(id) : FeedbackEntry.handling(id, at: now)])
            return JSONLine.object { line in
                line.member("id", id.description)
                line.member("handled", !isOpen)
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

extension FeedbackEntry {
    fileprivate func write(in line: inout JSONLine) {
        line.member("id", id.description)
        line.member("at", Int(at))
        line.member("category", category)
        line.member("text", text)
        line.member("appVersion", appVersion)
        line.member("rating", optional: rating)
        line.member("intuitive", optional: intuitive)
        line.member("satisfying", optional: satisfying)
        line.member("undistracting", optional: undistracting)
        line.member("handledAt", optional: handledAt)
    }
}

extension JSONLine {
    fileprivate mutating func member(_ name: StaticString, optional value: Int64?) {
        if let value { member(name, Int(value)) } else { null(name) }
    }
}

extension FeedbackEntry.Filter {
    private static let topMax = 200

    /// - Parameter categories: those that are offered; entries of others may be there from before.
    init(_ arguments: StatsArguments, categories: [String]) throws(StatsRefusal) {
        self.init()
        for word in arguments.words {
            if Self.states.contains(word) {
                state = word
            } else if word.hasPrefix("category=") {
                category = String(word.dropFirst(9))
            } else if word.hasPrefix("rating="), let number = Int64(word.dropFirst(7)), (1...5).contains(number) {
                rating = number
            } else if word.hasPrefix("before="), let id = FeedbackID(String(word.dropFirst(7))) {
                before = id
            } else if word.hasPrefix("top="), let number = Int(word.dropFirst(4)), (1...Self.topMax).contains(number) {
                top = number
            } else {
                let known = Self.states + categories.map { "category=\($0)" }
                throw StatsRefusal(
                    .badArgument,
                    "\(word.prefix(40)) is none of \(Self.states.joined(separator: ", ")), category=C, rating=1 to 5, "
                        + "before=ID, top=1 to \(Self.topMax)", nearest: NearestName.of(word, in: known))
            }
        }
    }
}
