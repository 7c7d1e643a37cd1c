import CairnWire

/// A version of an instance is told alike to everybody, whether in an answer, an event or a snapshot (VIS-10).
///
/// Judged as it is told: what a later edit or removal covers up would not show in the end.
struct SamenessRule {
    private struct Told {
        let version: UInt32
        let pose: WirePose
        /// Text and data; nil = only an answer told of it, which left them out.
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

    /// The newest version that anybody was told of, and who was told first.
    private var tellings: [InstanceID: Told] = [:]

    mutating func take(_ observation: Observation, _ broken: inout Broken) {
        switch observation {
        case .appeared(let bot, let instance), .changed(let bot, let instance):
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
