import CairnClient
import CairnWire

/// What people do with posts, and what comes of it.
extension Crowd {
    func beginPosting(_ bot: Bot, first: UInt64) {
        if plan.postEvery > 0 { schedule(at: first + bot.pause(upTo: plan.postEvery), .post(bot.index)) }
        if plan.voteEvery > 0 { schedule(at: first + bot.pause(upTo: plan.voteEvery), .vote(bot.index)) }
    }

    func post(_ bot: Bot, due: UInt64, now: UInt64) {
        guard isWalking else { return }
        bot.post(due: due, now: now)
        flush(bot)
        schedule(at: due + UInt64(plan.postEvery * 1e6), .post(bot.index))
    }

    func vote(_ bot: Bot, due: UInt64, now: UInt64) {
        guard isWalking else { return }
        bot.vote(due: due, now: now)
        flush(bot)
        schedule(at: due + UInt64(plan.voteEvery * 1e6), .vote(bot.index))
    }

    /// A post or a vote was acknowledged. False for any other errand.
    func succeededWithPost(_ errand: Bot.Errand, _ result: WireReply.OneOf_Result, _ bot: Bot) -> Bool {
        switch (errand.kind, result) {
        case (.post, .postCreated(let created)):
            report.posted += 1
            oracle.take(.post(bot: bot.index, .posted(created.post)))
        case (.vote(let id), .voteSet(let set)):
            report.voted += 1
            oracle.take(.post(bot: bot.index, .voted(id, set)))
        default: return false
        }
        return true
    }

    /// Looks at what everybody holds who reads, once a second: nothing that has ended for long.
    func judgeEnds(now: UInt64) {
        guard plan.postEvery > 0 else { return }
        for bot in bots where bot.core.phase == .live && !plan.isSlow(bot.index) {
            for (id, milliseconds) in bot.endedPosts(at: now) {
                oracle.take(.post(bot: bot.index, .heldAfterItsEnd(id, milliseconds: milliseconds)))
            }
        }
    }
}
