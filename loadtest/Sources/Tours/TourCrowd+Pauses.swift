import CairnClient
import CairnTime
import CairnWire

/// Pauses of runs (TRT-5): a walker stops on the way, and the clock stands still until they go on.
extension TourCrowd {
    /// Longer than what the rule on times lets pass.
    private static let pauseSeconds = 2.5

    func pause(_ walker: TourWalker, _ now: MonotonicTime) {
        guard walker.core.phase == .live, case .walking = walker.stage, case .none = walker.pause, !isStopping,
            walker.jump == nil, walker.standsSince == nil, rule.walk(of: walker.index)?.completedAt == nil,
            let ticket = try? walker.core.ask(WirePauseRun(), now: now)
        else { return }
        walker.pause = .asking(ticket)
        rule.asksToPause(walker.index, at: now)
        flush(walker)
    }

    func goOn(_ walker: TourWalker, _ now: MonotonicTime) {
        guard case .lasting = walker.pause, let ticket = try? walker.core.ask(WireResumeRun(), now: now)
        else { return }
        walker.pause = .ending(ticket)
        rule.asksToGoOn(walker.index, at: now)
        flush(walker)
    }

    /// - Returns: whether it is the answer to a pause or its end.
    func pauseAnswered(
        _ ticket: RequestTicket, _ result: WireReply.OneOf_Result, _ walker: TourWalker, _ now: MonotonicTime
    ) -> Bool {
        switch (walker.pause, result) {
        case (.asking(let own), .run(let run)) where own == ticket:
            guard rule.paused(walker.index, run, at: now) else {
                // The last stop was reached meanwhile.
                walker.pause = .none
                break
            }
            counts.pauses += 1
            walker.pause = .lasting
            schedule(at: now + .seconds(Self.pauseSeconds), .goOn(walker.index))
            return true
        case (.ending(let own), .run(let run)) where own == ticket:
            rule.goesOn(walker.index, run, at: now)
            walker.pause = .none
        default: return false
        }
        leaveIfDone(walker, now)
        return true
    }

    /// Has a walker leave a run that is complete, or any run when the crowd stops. Called when the answer has come for
    /// which the walker waited.
    func leaveIfDone(_ walker: TourWalker, _ now: MonotonicTime) {
        if isStopping || rule.walk(of: walker.index)?.completedAt != nil { leave(walker, now) }
    }
}
