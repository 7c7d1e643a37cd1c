public import CairnCore
internal import CairnWire

/// What the test kit knows of one feature.
protocol TestingFeature {
    /// Takes a change into what a client has been told of a topic.
    /// - Returns: nil when the change is another feature's.
    static func apply(_ change: WireEvent.OneOf_Change, to log: inout TopicLog) -> TopicLog.Verdict?
    /// Lifts the feature's limits: no test meets them unless it lowers them.
    static func lift(_ settings: inout Settings)
}

extension TestingFeature {
    static func lift(_ settings: inout Settings) {}
}

/// The test kit's register: the features that it knows, a line each.
enum TestingFeatures {
    static let all: [any TestingFeature.Type] = [
        TestingPlacements.self,
        TestingPosts.self,
        TestingReactions.self,
    ]
}

extension Settings {
    /// Settings with limits that no test meets.
    public static var unlimited: Settings {
        var settings = Settings.make()
        for feature in TestingFeatures.all { feature.lift(&settings) }
        return settings
    }
}
