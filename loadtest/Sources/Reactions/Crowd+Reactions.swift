import CairnClient
import CairnWire

/// Who reacts when, and what comes of it.
extension Crowd {
    func react(_ bot: Bot, due: UInt64, now: UInt64) {
        guard isWalking else { return }
        bot.react(due: due, now: now)
        flush(bot)
        schedule(at: due + UInt64(plan.reactEvery * 1e6), .react(bot.index))
    }

    /// A reaction was acknowledged. False for any other errand.
    func succeededInReacting(_ errand: Bot.Errand, _ result: WireReply.OneOf_Result, _ bot: Bot) -> Bool {
        guard case (.react(let id), .reactionSet(let set)) = (errand.kind, result) else { return false }
        report.reacted += 1
        oracle.take(.reacted(bot: bot.index, id, with: set.reaction))
        return true
    }
}
