import CairnClient
import CairnWire

/// When everything has come to rest, all followers of a topic hold the same, and it is what was acknowledged (VIS-10).
struct ConvergenceRule {
    /// What other rules find wrong with an instance that is as it was acknowledged to be, and with its topic's name.
    var also: (InstanceID, WireInstance, _ topic: String, inout Broken) -> Void = { _, _, _, _ in }

    func judge(
        _ topics: [FinalTopic], _ placements: [InstanceID: PlacementLedger.Placement], _ broken: inout Broken
    ) {
        var first: [String: FinalTopic] = [:]
        for topic in topics {
            guard topic.replica.isComplete else {
                broken.add("snapshot_incomplete", "bot \(topic.bot) in \(topic.replica.name)")
                continue
            }
            guard let reference = first[topic.replica.name] else {
                first[topic.replica.name] = topic
                continue
            }
            compare(topic, with: reference, &broken)
        }
        for topic in topics {
            for id in topic.replica.own where topic.replica.instances[id]?.hasPost == false && placements[id] == nil {
                broken.add(
                    "placed_unasked", "\(id) of bot \(topic.bot) is in \(topic.replica.name), and no answer told of it")
            }
        }
        for (id, placement) in placements {
            if let topic = first[placement.instance.cell] { judge(id, placement, in: topic, &broken) }
        }
        for (name, topic) in first {
            for id in topic.replica.instances.keys {
                guard let placement = placements[id], placement.instance.cell != name else { continue }
                broken.add("in_two_cells", "\(id) is in \(name) and should be in \(placement.instance.cell)")
            }
        }
    }

    private func compare(_ topic: FinalTopic, with reference: FinalTopic, _ broken: inout Broken) {
        let name = topic.replica.name
        // What only its author sees is nobody else's.
        let mine = topic.replica.instances.filter { !$0.value.post.hidden }
        let others = reference.replica.instances.filter { !$0.value.post.hidden }
        let who = "bots \(topic.bot) and \(reference.bot) in \(name)"
        if topic.replica.cursor != reference.replica.cursor {
            broken.add(
                "views_differ",
                "\(who): at \(topic.replica.cursor?.sequence ?? 0) and \(reference.replica.cursor?.sequence ?? 0)")
        }
        for (id, instance) in mine {
            guard let other = others[id] else {
                broken.add("views_differ", "\(who): only one holds \(id)")
                continue
            }
            if instance != other {
                broken.add("views_differ", "\(who): \(id) at versions \(instance.version) and \(other.version)")
            }
        }
        for id in others.keys where mine[id] == nil {
            broken.add("views_differ", "\(who): only one holds \(id)")
        }
    }

    /// Against the acknowledgements.
    private func judge(
        _ id: InstanceID, _ placement: PlacementLedger.Placement, in topic: FinalTopic, _ broken: inout Broken
    ) {
        let name = topic.replica.name
        guard let held = topic.replica.instances[id] else {
            // Being removed without an acknowledgement yet: either is right.
            if placement.removingAt == nil { broken.add("placement_lost", "\(id) is not in \(name)") }
            return
        }
        if placement.isRemoved { return broken.add("removed_still_there", "\(id) is in \(name)") }
        if held.version != placement.instance.version || held.pose != placement.instance.pose {
            broken.add(
                "differs_from_reply",
                "\(id) in \(name): version \(held.version), acknowledged \(placement.instance.version)")
        }
        also(id, held, name, &broken)
    }
}
