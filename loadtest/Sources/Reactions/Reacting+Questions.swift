import CairnClient
import CairnWire

/// Questions about reactions.
extension Reacting {
    static let questions = [
        Question { bot, random -> WireListReactions? in
            guard let instance = bot.anyInView(using: &random) else { return nil }
            var body = WireListReactions()
            (body.instance, body.cell) = (instance.id, instance.cell)
            return body
        }
    ]
}
