internal import CairnLogging
internal import CairnText
internal import CairnWire

/// One command of the stats socket. The table in `all` is the whole of the protocol: `help` is made of it.
struct StatsCommand {
    let name: String
    /// How its arguments are written; empty = none.
    let arguments: String
    let level: OperatorLevel
    let meaning: String
    /// Whether this server offers the command: a demo, for instance, has no folder for backups.
    let isOffered: (OperatorActions) -> Bool
    /// Answers the command, or throws the refusal of arguments that it does not understand.
    let answer: (StatsRoom, Operator, StatsArguments) throws(StatsRefusal) -> Void

    init(
        _ name: String, takes arguments: String = "", level: OperatorLevel = .read, _ meaning: String,
        isOffered: @escaping (OperatorActions) -> Bool = { _ in true },
        _ answer: @escaping (StatsRoom, Operator, StatsArguments) throws(StatsRefusal) -> Void
    ) {
        self.name = name
        self.arguments = arguments
        self.level = level
        self.meaning = meaning
        self.isOffered = isOffered
        self.answer = answer
    }

    /// Computed, because a table of closures is not Sendable and only the room uses it.
    static var all: [StatsCommand] {
        looking + finding + health + course + cells + spaces + watching + developing + OperatorFeatures.commands
            + moderating + accounts + audit + organisations + ledger + links + acting
    }
}

/// The arguments of a command.
struct StatsArguments {
    let words: [String]
    /// Everything as it was written.
    let text: String

    init(_ rest: Substring) {
        text = String(rest.drop { $0 == " " })
        words = rest.pieces(at: " ").map(String.init)
    }

    /// For commands that take none.
    func none() throws(StatsRefusal) {
        guard words.isEmpty else {
            throw StatsRefusal(.badArgument, "got \"\(text)\", wants nothing behind the command")
        }
    }

    /// The single argument. `what` names it in the refusal when it is missing.
    func one(_ what: String) throws(StatsRefusal) -> String {
        guard words.count == 1 else { throw StatsRefusal(.badArgument, "wants \(what)") }
        return words[0]
    }
}

/// A refusal of an operator's command, with its code.
struct StatsRefusal: Error {
    enum Code: String {
        case unknownCommand = "unknown_command"
        case badArgument = "bad_argument"
        case notFound = "not_found"
        case forbidden = "forbidden"
        case notAvailable = "not_available"
    }

    let code: Code
    let message: String
    var nearest: String?

    init(_ code: Code, _ message: String, nearest: String? = nil) {
        self.code = code
        self.message = message
        self.nearest = nearest
    }
}

extension StatsRoom {
    /// Answers one line.
    func perform(_ line: String, for someone: Operator) {
        let trimmed = line.trimmingPrefix { $0 == " " || $0 == "\t" }
        let name = trimmed.prefix { $0 != " " && $0 != "\r" && $0 != "\t" }
        guard !name.isEmpty else { return }
        access.figures.note { $0.commands += 1 }
        let rest = trimmed[name.endIndex...].filter { $0 != "\r" }
        do throws(StatsRefusal) {
            let command = try command(named: String(name))
            guard someone.level >= command.level else {
                access.figures.refused(.level)
                throw StatsRefusal(.forbidden, "\(command.name) wants admin level; this connection has read level")
            }
            try command.answer(self, someone, StatsArguments(rest[...]))
        } catch {
            answer(someone, refusal: error)
        }
    }

    private func command(named name: String) throws(StatsRefusal) -> StatsCommand {
        if let command = StatsCommand.all.first(where: { $0.name == name }) { return command }
        let names = StatsCommand.all.map(\.name)
        let shown = String(name.prefix(40))
        let nearest = NearestName.of(shown, in: names)
        throw StatsRefusal(
            .unknownCommand,
            "there is no command \(shown); " + (nearest.map { "did you mean \($0)?" } ?? "try help"), nearest: nearest)
    }

    func answer(_ someone: Operator, _ body: (inout JSONLine) -> Void) {
        someone.link.send([JSONLine.object(body)])
    }

    func answer(_ someone: Operator, refusal: StatsRefusal) {
        someone.link.send([Self.errorLine(code: refusal.code.rawValue, refusal.message, nearest: refusal.nearest)])
    }

    static func errorLine(code: String, _ message: String, nearest: String? = nil) -> [UInt8] {
        JSONLine.object { line in
            line.object("error") { line in
                line.member("code", code)
                line.member("message", message)
                if let nearest { line.member("nearest", nearest) }
            }
        }
    }

    /// Serves an operator's further commands once the answer from another thread is there.
    func whenBusy(_ someone: Operator, _ work: (@escaping (StatsRoom, (Operator) -> Void) -> Void) -> Void) {
        someone.isBusy = true
        let number = someone.number
        work { room, answer in
            guard let someone = room.operators[number] else { return }
            someone.isBusy = false
            answer(someone)
            room.proceed(someone)
        }
    }
}
