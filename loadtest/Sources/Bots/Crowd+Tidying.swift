import CairnClient
import CairnTime

/// Removes the crowd's traces from a world that exists after the run.
extension Crowd {
    /// Requests of one bot at a time, and the pause before the next ones: 16 a second, which every server's limits
    /// allow.
    private static let tidyAtOnce = 4
    private static let tidyPause: Duration = .milliseconds(250)

    /// Begins when the run is judged, or was interrupted: bots remove their instances and withdraw what they have added
    /// to instances of others.
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
