import CairnClient
import CairnWire

extension Bot.Errand.Kind {
    static let place = Self("place")
    static let edit = Self("edit")

    static func remove(_ id: InstanceID) -> Self { Self("remove", id) }

    /// What it removes, if it is a removal.
    var removes: InstanceID? { name == "remove" ? instance : nil }
}

/// What comes of placing, editing and removing.
extension Crowd {
    /// Something was acknowledged. False for any other errand, or another kind of answer.
    func succeededInPlacing(_ errand: Bot.Errand, _ result: WireReply.OneOf_Result, _ bot: Bot, _ now: UInt64) -> Bool {
        switch result {
        case .placed(let placed) where errand.kind == .place:
            report.placed += 1
            if measured.contains(now) { report.placedMeasured += 1 }
            hold(placed.instance, bot)
            oracle.take(.placed(bot: bot.index, placed.instance, requestedAt: errand.at, at: now))
        case .edited(let edited) where errand.kind == .edit:
            report.edited += 1
            hold(edited.instance, bot)
            oracle.take(.edited(bot: bot.index, edited.instance, requestedAt: errand.at, at: now))
        case .removed:
            guard let id = errand.kind.removes else { return false }
            report.removed += 1
            bot.release()
            bot.removalAnswered(id, again: false)
            oracle.take(.removed(bot: bot.index, id, at: now))
        default: return false
        }
        return true
    }

    private func hold(_ instance: WireInstance, _ bot: Bot) {
        if let id = InstanceID(instance.id) { bot.own[id] = instance }
    }

    /// Something was refused.
    func refusedInPlacing(_ errand: Bot.Errand, _ refusal: Refusal, _ bot: Bot, _ now: UInt64) {
        if bot.isCertainlyWithinQuota(refusal.code, now: now) {
            oracle.take(.refusedWithinQuota(bot: bot.index, refusal.code.rawValue))
        }
        if errand.kind == .place { bot.release() }
        // A removal that was refused leaves the instance where it was, and so it must be seen again.
        if let id = errand.kind.removes {
            bot.removalAnswered(id, again: stage == .tidying && refusal.code != .notFound)
            oracle.take(.removalRefused(bot: bot.index, id))
        }
    }
}
