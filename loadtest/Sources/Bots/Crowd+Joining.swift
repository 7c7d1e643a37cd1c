import CairnClient
import CairnGeo
import CairnTime
import CairnWire

/// Measured joins (`CrowdPlan.measuresJoins`): a newcomer holds a place among `handshakesMax` until the join is
/// complete, and not only until the welcome.
extension Crowd {
    /// A newcomer sends the position and waits for the view.
    func askForView(_ bot: Bot, now: MonotonicTime) {
        guard let request = bot.locate(height: PoseCode.unnumberedHeight, now: now), let place = bot.told else {
            return fail("bot \(bot.index) could not ask where it is")
        }
        let radius = bot.limits.viewRadius
        joins?.asked(
            bot.index, request, view: cells(touching: place, radiusMetres: radius, level: plan.cellLevel))
    }

    /// Takes the answer to a newcomer's position.
    /// - Returns: false when the answer is another's.
    func takePosition(_ ticket: RequestTicket, _ answer: RequestAnswer, _ bot: Bot, _ now: MonotonicTime) -> Bool {
        guard joins?.answered(bot.index, ticket) == true else { return false }
        if case .refusal(let refusal) = answer { fail("bot \(bot.index) got no place: \(refusal.message)") }
        endJoin(bot, now: now)
        return true
    }

    /// Lets the next person begin when the join is complete.
    func endJoin(_ bot: Bot, now: MonotonicTime) {
        guard joins?.end(bot.index, now: now) == true else { return }
        letNextConnect()
        arrived(bot)
        guard arrivedCount == bots.count else { return }
        report.joins = joins?.figures(messages: messagesReceived, bytes: bytesReceived, now: now)
    }
}
