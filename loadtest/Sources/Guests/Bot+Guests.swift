import CairnClient
import CairnTime
import CairnWire

/// What guests do.
extension Bot {
    /// Selects something in view that is no post.
    func look(due: MonotonicTime, now: MonotonicTime) {
        var random = nextErrand()
        guard let instance = anyInView(using: &random), let id = InstanceID(instance.id),
            let ticket = try? core.select(instance, now: now)
        else { return }
        _ = note(ticket, Errand.Kind("look", id), due: due, now: now)
    }
}
