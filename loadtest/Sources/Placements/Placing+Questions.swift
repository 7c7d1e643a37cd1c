import CairnClient
import CairnWire

/// Questions about placed instances.
extension Placing {
    static let questions = [
        Question(
            name: "select_instance",
            ask: { bot, random, now in
                guard let instance = bot.anyInView(using: &random),
                    let ticket = try? bot.core.select(instance, now: now)
                else { return .nothing }
                return .sent(ticket)
            },
            isAnswer: { if case .selected = $0 { true } else { false } })
    ]
}
