internal import CairnWire

extension TopicLog {
    /// What an event does to a post.
    /// - Returns: the promise that it broke.
    mutating func takeChange(ofPost event: WireEvent) -> String? {
        switch event.change {
        case .postChanged(let changed):
            guard let held = instances[changed.post] else { return "\(changed.post) was edited but is not there" }
            instances[changed.post]?.text = changed.text
            instances[changed.post]?.version = changed.version
            instances[changed.post]?.post.edited = changed.edited
            return held.version + 1 == changed.version ? nil : "\(changed.post) skipped a version"
        case .voted(let voted):
            guard instances[voted.post] != nil else { return "\(voted.post) was voted on but is not there" }
            instances[voted.post]?.post.score = voted.score
            instances[voted.post]?.post.size = voted.size
            instances[voted.post]?.post.reach = voted.reach
            if voted.hidden { instances[voted.post] = nil }
            return nil
        default:
            return "an event without a change"
        }
    }
}
