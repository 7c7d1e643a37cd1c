import CairnClient
import CairnWire

/// Questions about reactions.
extension Reacting {
    static let questions = [
        Question(
            "list_reactions",
            body: { bot, random in
                guard let instance = bot.anyInView(using: &random) else { return nil }
                var body = WireListReactions()
                (body.instance, body.cell) = (instance.id, instance.cell)
                return .listReactions(body)
            },
            isAnswer: { if case .reactionList = $0 { true } else { false } })
    ]
}
