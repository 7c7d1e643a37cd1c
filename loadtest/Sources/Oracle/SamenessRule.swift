import CairnWire

/// A version of an instance is the same for all receivers, in answers, events and snapshots (VIS-10).
///
/// Judged during the run, because a later edit or removal would hide a difference at the end.
struct SamenessRule {
    private struct Told {
        let version: UInt32
        let pose: WirePose
        /// Text and data; nil = unknown, because the answer left them out.
        var words: Words?
        let bot: Int
    }

    private struct Words: Equatable {
        let text: [UInt8]
        let data: [UInt8]

        init(_ instance: WireInstance) {
            text = Array(instance.text.utf8)
            data = instance.dataBytes
        }
    }

    /// The newest version that any bot has received, and the first bot that received it.
    private var tellings: [InstanceID: Told] = [:]

    mutating func take(_ observation: Observation, _ broken: inout Broken) {
        switch observation {
        case .appeared(let bot, let instance, _), .changed(let bot, let instance):
            take(instance, Words(instance), bot, &broken)
        case .did(let bot, let deed):
            switch deed.telling {
            case .whole(let instance): take(instance, Words(instance), bot, &broken)
            case .withoutWords(let instance): take(instance, nil, bot, &broken)
            case .removed(let id): tellings[id] = nil
            case nil: break
            }
        default: break
        }
    }

    private mutating func take(_ instance: WireInstance, _ words: Words?, _ bot: Int, _ broken: inout Broken) {
        guard let id = InstanceID(instance.id) else { return }
        guard let first = tellings[id], first.version >= instance.version else {
            tellings[id] = Told(version: instance.version, pose: instance.pose, words: words, bot: bot)
            return
        }
        guard first.version == instance.version else { return }
        let isSaidOtherwise = words != nil && first.words != nil && words != first.words
        if first.pose != instance.pose || isSaidOtherwise {
            broken.add("told_otherwise", "bots \(first.bot) and \(bot): \(id) at version \(instance.version)")
        } else if first.words == nil {
            tellings[id]?.words = words
        }
    }
}
