internal import CairnWire

/// The text or the score of a post changes.
enum PostEvents: EventFold {
    static func fold(
        _ change: WireEvent.OneOf_Change, into replica: inout TopicReplica, violations: inout [Violation]
    ) -> FoldedEvent? {
        switch change {
        case .postChanged(let changed):
            let id = replica.alter(changed.post, violations: &violations) { instance, report in
                if changed.version <= instance.version {
                    report(.versionBack, "version \(changed.version) of \(instance.id) after \(instance.version)")
                }
                instance.version = changed.version
                instance.text = changed.text
                instance.post.edited = changed.edited
            }
            return FoldedEvent(instance: id)
        case .voted(let voted):
            let isOwn = InstanceID(voted.post).map(replica.own.contains) ?? false
            // Only its author sees it from now on.
            guard !voted.hidden || isOwn else {
                return FoldedEvent(instance: replica.drop(voted.post, violations: &violations), holding: .ends)
            }
            let id = replica.alter(voted.post, violations: &violations) { instance, _ in
                instance.post.score = voted.score
                instance.post.size = voted.size
                instance.post.reach = voted.reach
                instance.post.hidden = voted.hidden
            }
            return FoldedEvent(instance: id)
        default: return nil
        }
    }

    static func own(in result: WireReply.OneOf_Result) -> WireInstance? {
        guard case .postCreated(let created) = result else { return nil }
        return created.post
    }
}
