internal import CairnCore
internal import CairnFeatures
internal import CairnWire

/// The totals of an instance change.
enum TestingReactions: TestingFeature {
    static func apply(_ change: WireEvent.OneOf_Change, to log: inout TopicLog) -> TopicLog.Verdict? {
        guard case .reacted(let reacted) = change else { return nil }
        return log.alter(reacted.instance, "reacted") { instance in
            instance.reactions = reacted.reactions
            return nil
        }
    }

    static func lift(_ settings: inout Settings) {
        settings.reactions.perMinute = 1_000_000
    }
}
