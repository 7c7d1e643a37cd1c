import CairnClient
import CairnWire

/// A guest's observation.
enum GuestDeed: Deed {
    /// A guest has selected something.
    case looked(WireSelected)
}

/// Guests are told no names and may do nothing. At the end of the run they hold what is everyone's, all of it and
/// nothing else (SES-14, VIS-10). That they follow no other topic, and that nobody else follows theirs, `ScopeRule`
/// judges.
struct GuestRule: FeatureRule {
    mutating func take(_ deed: any Deed, of bot: Int, _ broken: inout Broken) {
        guard case .looked(let selected)? = deed as? GuestDeed else { return }
        guard !selected.placerName.isEmpty || !selected.actions.isEmpty else { return }
        broken.add("guest_told_too_much", "bot \(bot): \(selected)")
    }

    func judge(_ views: FinalViews, _ broken: inout Broken) -> [HeldInstance] {
        for topic in views.topics where topic.isOfGuest && topic.replica.isComplete {
            guard let everyones = views.references[String(topic.replica.cellToken)] else { continue }
            let held = Set(topic.replica.instances.filter { CrowdFeatures.isForAll($0.value) }.keys)
            let wanted = Set(everyones.replica.instances.filter { CrowdFeatures.isForAll($0.value) }.keys)
            for id in wanted.subtracting(held) {
                broken.add("guest_misses", "bot \(topic.bot) does not hold \(id) in \(topic.name)")
            }
            for id in held.subtracting(wanted) {
                broken.add("guest_holds", "bot \(topic.bot) holds \(id) in \(topic.name), which is not public")
            }
            for (id, instance) in topic.replica.instances {
                guard let other = everyones.replica.instances[id] else { continue }
                // Of a post guests are told the hour.
                if instance.hasPost ? instance.version != other.version : instance != other {
                    broken.add("guest_differs", "bot \(topic.bot): \(id) in \(topic.name)")
                }
                if !instance.placer.isEmpty || instance.post.created % 3_600_000 != 0 {
                    broken.add("guest_told_too_much", "bot \(topic.bot): \(id) in \(topic.name)")
                }
            }
        }
        return []
    }
}
