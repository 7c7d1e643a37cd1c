internal import CairnWire

/// The text or the score of a post changes; one that is hidden leaves.
enum TestingPosts: TestingFeature {
    static func apply(_ change: WireEvent.OneOf_Change, to log: inout TopicLog) -> TopicLog.Verdict? {
        switch change {
        case .postChanged(let changed):
            return log.alter(changed.post, "postChanged") { post in
                let before = post.version
                post.text = changed.text
                post.version = changed.version
                post.post.edited = changed.edited
                guard before + 1 != changed.version else { return nil }
                return "\(changed.post) went from version \(before) to \(changed.version)"
            }
        case .voted(let voted) where voted.hidden: return log.drop(voted.post, "voted")
        case .voted(let voted):
            return log.alter(voted.post, "voted") { post in
                post.post.score = voted.score
                post.post.size = voted.size
                post.post.reach = voted.reach
                return nil
            }
        default: return nil
        }
    }
}
