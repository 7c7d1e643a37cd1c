public import CairnCore
internal import CairnWire

/// The test kit's knowledge of one feature.
protocol TestingFeature: Sendable {
    /// Applies a change to the log of a topic.
    /// - Returns: nil when the change is another feature's.
    static func apply(_ change: WireEvent.OneOf_Change, to log: inout TopicLog) -> TopicLog.Verdict?
    /// Raises the feature's limits so high that no test reaches them without lowering them.
    static func lift(_ settings: inout Settings)
}

extension TestingFeature {
    static func lift(_ settings: inout Settings) {}
}

/// The test kit's register of features, a line each.
enum TestingFeatures {
    static let all: [any TestingFeature.Type] = [
        TestingPlacements.self,
        TestingPosts.self,
        TestingReactions.self,
    ]
}

extension Settings {
    /// Settings with limits that no test reaches.
    public static var unlimited: Settings {
        var settings = Settings.make()
        for feature in TestingFeatures.all { feature.lift(&settings) }
        return settings
    }
}
