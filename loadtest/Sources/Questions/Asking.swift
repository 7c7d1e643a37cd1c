import CairnClient
import CairnTime
import CairnWire

/// Questions: where people are, what they see, whom they know. Each feature names its own (`CrowdFeature.questions`).
enum Asking: CrowdFeature {
    /// A part of the plan.
    struct Plan: PlanPart {
        /// Seconds between two questions of a person; 0 = none.
        var every = 0.0
    }

    static let position = "position"

    static let keys: [ScenarioKey] = [
        .interval(
            "askEvery", \.askEvery,
            "Time between two questions of a person: where they are, what they see, whom they know.")
    ]

    static let activities = [
        Activity(
            name: "question", pace: { .seconds($0.askEvery) },
            act: { bot, due, now in
                bot.askSomething(due: due, now: now)
                return []
            })
    ]

    static let questions = [
        Question(
            name: position,
            ask: { bot, _, now in bot.askForCell(now: now) },
            isAnswer: { if case .positioned(let placed) = $0 { !placed.cell.isEmpty } else { false } }),
        Question { _, _ in WireGetSettings() },
        Question { _, _ in WireGetProfile() },
        Question { _, _ in WireGetSnapshot() },
        Question { _, _ in WireListNotifications() },
    ]

    static let exchanges = CrowdFeatures.questions.map(\.exchange)

    static var rule: any FeatureRule { NoRule() }

    /// The exchange judges the kind of the answer, and nothing else is to be judged.
    private struct NoRule: FeatureRule {
        mutating func take(_ deed: any Deed, of bot: Int, _ broken: inout Broken) {}
    }

    /// All bots come from one address, which has ten times what an account has.
    static func settings(_ plan: CrowdPlan) -> [String] {
        plan.askEvery > 0 ? ["accounts.searchesPerMinute=100"] : []
    }
}

extension CrowdPlan {
    /// Time between two questions of a person, seconds; 0 = none.
    var askEvery: Double {
        get { self[Asking.Plan.self].every }
        set { self[Asking.Plan.self].every = newValue }
    }
}

/// Whether a bot's next position asks for its cell.
private final class OpenQuestion: BotPart {
    var isOpen = false
}

extension Bot {
    /// Asks one of all questions, chosen by chance among those that it has something to ask about.
    func askSomething(due: MonotonicTime, now: MonotonicTime) {
        var random = nextErrand()
        for question in CrowdFeatures.questions.shuffled(using: &random) where !isBusy(with: question.name) {
            switch question.ask(self, &random, now) {
            case .nothing: continue
            case .later: return
            case .sent(let ticket):
                _ = note(ticket, Errand.Kind(question.name), due: due, now: now)
                return
            }
        }
    }

    /// A person who moves asks with the next pose, whose number the meter gives; another one asks at once.
    fileprivate func askForCell(now: MonotonicTime) -> Question.Outcome {
        guard plan.moves(index) else {
            return locate(height: PoseCode.unnumberedHeight, now: now).map { .sent($0) } ?? .nothing
        }
        self[OpenQuestion.self].isOpen = true
        return .later
    }

    /// Sends a numbered position; as a request where the bot is to ask for its cell.
    func tell(height: Double, due: MonotonicTime, now: MonotonicTime) {
        let question = self[OpenQuestion.self]
        guard question.isOpen, let ticket = locate(height: height, now: now) else { return tell(height: height) }
        question.isOpen = false
        _ = note(ticket, Errand.Kind(Asking.position), due: due, now: now)
    }
}
