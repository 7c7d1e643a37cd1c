internal import CairnCore
internal import CairnFeatures
internal import CairnWire

/// The totals of an instance change.
enum TestingReactions: TestingFeature {
    static func take(_ change: WireEvent.OneOf_Change, into log: inout TopicLog) -> TopicLog.Verdict? {
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
