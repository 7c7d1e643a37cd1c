import CairnClient
import CairnWire

/// Reacting to what others have left.
extension Bot {
    func react(due: UInt64, now: UInt64) {
        var random = nextErrand()
        let withdraws = Double.random(in: 0..<1, using: &random) < 0.1
        guard let reaction = limits.reactions.randomElement(using: &random), let instance = anyInView(using: &random),
            let id = InstanceID(instance.id),
            let ticket = try? core.react(to: instance, with: withdraws ? "" : reaction, now: now)
        else { return }
        reacted[id] = withdraws ? nil : instance
        _ = note(ticket, .react(id), due: due, now: now)
    }
}
