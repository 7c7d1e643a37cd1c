internal import CairnCore
internal import CairnFeatures
internal import CairnLogging
internal import CairnServer
internal import CairnStore
internal import CairnWire

/// What users wrote, for the developers of the apps (STA-6).
extension StatsCommand {
    static var feedback: [StatsCommand] {
        [
            StatsCommand(
                "feedback", takes: "[open|handled|all] [category=C] [rating=N] [before=ID] [top=N] [id=ID]",
                level: .admin,
                "users' feedback, newest first; by default the open entries, 20 at a time"
            ) { room, someone, arguments throws(StatsRefusal) in
                let filter = try FeedbackEntry.Filter(arguments, categories: room.context.settings.feedback.categories)
                let queries = [FeedbackEntry.query(filter), FeedbackEntry.openCount]
                room.query(queries, for: someone) { room, someone, answers in
                    var damage: [DamagedRow] = []
                    let entries = FeedbackEntry.entries(filter, in: answers[0], into: &damage)
                    room.context.store.report(damage)
                    room.answer(someone) { line in
                        line.member("open", Int((try? answers[1].first?.integer(0)) ?? 0))
                        line.array("feedback") { line in
                            for entry in entries { line.element { $0.members(FeedbackEntry.metrics, of: entry) } }
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
}

extension Seeker {
    /// An entry by its id.
    static let feedback = Seeker { sought, context in
        guard let id = sought.id.flatMap(FeedbackID.init) else { return [] }
        var filter = FeedbackEntry.Filter()
        filter.only = id
        var damage: [DamagedRow] = []
        let rows = try await context.store.read([FeedbackEntry.query(filter)])[0]
        let entries = FeedbackEntry.entries(filter, in: rows, into: &damage)
        context.store.report(damage)
        return entries.map { entry in
            FindHit(
                kind: "feedback", id: id.description, title: entry.text.shortened(toBytes: SeenInstance.briefBytes),
                place: "\(entry.category), \(entry.handledAt == nil ? "open" : "handled")",
                show: "feedback id=\(id)")
        }
    }
}

extension StatsRoom {
    fileprivate func handle(_ id: FeedbackID, isOpen: Bool, for someone: Operator) {
        noteAction("handle", of: someone)
        let (store, now) = (context.store, context.clock.now)
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

extension FeedbackEntry.Filter {
    private static let topMax = Listing.countMax

    /// - Parameter categories: the categories that are offered. Older entries may have others.
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
            } else if word.hasPrefix("id="), let id = FeedbackID(String(word.dropFirst(3))) {
                only = id
            } else if word.hasPrefix("top="), let number = Int(word.dropFirst(4)), (1...Self.topMax).contains(number) {
                top = number
            } else {
                let known = Self.states + categories.map { "category=\($0)" }
                throw StatsRefusal(
                    .badArgument,
                    "\(word.prefix(40)) is none of \(Self.states.joined(separator: ", ")), category=C, rating=1 to 5, "
                        + "before=ID, top=1 to \(Self.topMax), id=ID", nearest: NearestName.of(word, in: known))
            }
        }
    }
}
