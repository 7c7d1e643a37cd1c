import CairnWire

/// A version of an instance is told alike to everybody, whether in an answer, an event or a snapshot (VIS-10).
///
/// Judged as it is told: what a later edit or removal covers up would not show in the end.
struct SamenessRule {
    private struct Telling {
        let version: UInt32
        let pose: WirePose
        let bot: Int
    }

    /// The newest version that anybody was told of, and who was told first.
    private var tellings: [InstanceID: Telling] = [:]

    mutating func take(_ observation: Observation, _ broken: inout Broken) {
        switch observation {
        case .appeared(let bot, let instance), .changed(let bot, let instance),
            .placed(let bot, let instance, requestedAt: _, at: _),
            .edited(let bot, let instance, requestedAt: _, at: _):
            guard let id = InstanceID(instance.id) else { return }
            if let first = tellings[id], first.version >= instance.version {
                guard first.version == instance.version, first.pose != instance.pose else { return }
                broken.add(
                    "told_otherwise", "bots \(first.bot) and \(bot): \(id) at version \(instance.version)")
            } else {
                tellings[id] = Telling(version: instance.version, pose: instance.pose, bot: bot)
            }
        case .removed(_, let id, _): tellings[id] = nil
        default: break
        }
    }
}
