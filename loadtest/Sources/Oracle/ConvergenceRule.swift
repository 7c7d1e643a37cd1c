import CairnClient
import CairnWire

/// At the end of the run all followers of a topic hold the same state (VIS-10).
struct ConvergenceRule {
    func judge(_ views: FinalViews, _ broken: inout Broken) {
        for topic in views.topics {
            guard topic.replica.isComplete, let reference = views.references[topic.name] else {
                broken.add("snapshot_incomplete", "bot \(topic.bot) in \(topic.name)")
                continue
            }
            if reference.bot != topic.bot { compare(topic, with: reference, &broken) }
        }
    }

    private func compare(_ topic: FinalTopic, with reference: FinalTopic, _ broken: inout Broken) {
        let name = topic.name
        // Views are compared without the instances that only their author sees.
        let mine = topic.replica.instances.filter { CrowdFeatures.isForAll($0.value) }
        let others = reference.replica.instances.filter { CrowdFeatures.isForAll($0.value) }
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
}
