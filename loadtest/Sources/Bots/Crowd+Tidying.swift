import CairnClient
import CairnTime

/// What a crowd takes away again from a world that goes on without it.
extension Crowd {
    /// Requests of one bot at a time, and the pause before the next: 16 a second, which any server's limits allow.
    private static let tidyAtOnce = 4
    private static let tidyPause: Duration = .milliseconds(250)

    /// Everything that the run was about is judged, or it was interrupted: what people have placed is removed, and
    /// what they have said of others' things is taken back.
    func tidy(now: MonotonicTime) {
        stage = .tidying
        tidyUntil = now + .seconds(plan.tidySecondsMax)
        for bot in bots {
            bot.isTidying = true
            loop.pause(bot.index, false)
        }
        schedule(at: now, .tidy)
    }

    func tidyMore(now: MonotonicTime) {
        for bot in bots where bot.core.phase == .live {
            while bot.pending.count < Self.tidyAtOnce, bot.tidy(now: now) {}
            flush(bot)
        }
        let left = bots.reduce(0) { $0 + $1.leftCount }
        guard left > 0, now < tidyUntil else {
            report.leftBehind = left
            isOver = true
            return
        }
        schedule(at: now + Self.tidyPause, .tidy)
    }
}
