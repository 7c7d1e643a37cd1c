internal import CairnCore
public import CairnWire

/// What `FeedbackID` names; never made.
public enum FeedbackTag {}

/// Names an entry of feedback, for ever.
public typealias FeedbackID = Identifier<FeedbackTag>

/// What somebody wrote, as developers get to see it (STA-6): without who it was.
public struct FeedbackEntry: Sendable, Hashable {
    public let id: FeedbackID
    /// Milliseconds since 1970.
    public let at: Int64
    public let category: String
    public let text: String
    public let appVersion: String
    /// 1 to 5; nil = not said. The same for those below.
    public let rating: Int64?
    public let intuitive: Int64?
    public let satisfying: Int64?
    public let undistracting: Int64?
    /// When it was marked as handled, milliseconds since 1970; nil = it is open.
    public let handledAt: Int64?

    /// Which entries to look at.
    public struct Filter: Sendable, Hashable {
        /// One of the words of `states`.
        public var state = "open"
        /// Empty = all.
        public var category = ""
        /// 0 = all, those without one included.
        public var rating: Int64 = 0
        /// Only older ones, for the next page.
        public var before: FeedbackID?
        public var top = 20

        /// What `state` may be.
        public static let states = ["open", "handled", "all"]

        /// The newest that are open.
        public init() {}
    }
}
