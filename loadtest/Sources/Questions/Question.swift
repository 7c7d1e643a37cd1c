import CairnClient
import CairnTime
import CairnWire

/// A kind of request that changes nothing, such as people make now and then.
struct Question: Sendable {
    /// What became of a question.
    enum Outcome {
        case sent(RequestTicket)
        /// It goes with the bot's next position.
        case later
        /// The bot has nothing to ask about, or its core takes no request now.
        case nothing
    }

    /// As the protocol names it, unless another exchange has that name.
    let name: String
    let ask: @Sendable (Bot, inout SeededGenerator, _ now: MonotonicTime) -> Outcome
    /// Whether a success can be its answer.
    let isAnswer: @Sendable (WireReply.OneOf_Result) -> Bool
}

extension Question {
    /// A question that a bot makes from what it knows, with the name of its kind.
    /// - Parameter body: nil = it has nothing to ask about.
    init<Body: RequestBody>(_ body: @escaping @Sendable (Bot, inout SeededGenerator) -> Body?) {
        self.init(
            name: Body.kind.name,
            ask: { bot, random, now in
                guard let body = body(bot, &random), let ticket = try? bot.core.ask(body, now: now) else {
                    return .nothing
                }
                return .sent(ticket)
            },
            isAnswer: { Body.success(in: $0) != nil })
    }

    /// Its exchange; the kind of the answer is all that is judged.
    var exchange: Exchange {
        Exchange(
            name: name, count: "answered_\(name)",
            acknowledged: { _, _, result, _ in isAnswer(result) ? Asked() : nil })
    }
}

/// A question was answered.
struct Asked: Deed {}
