public import CairnCore
public import CairnWire

/// Marks the type `FeedbackID`; it has no values.
public enum FeedbackTag {}

/// Permanent id of an entry.
public typealias FeedbackID = Identifier<FeedbackTag>

/// An entry as developers see it (STA-6): without its author.
public struct FeedbackEntry: Sendable, Hashable {
    public let id: FeedbackID
    public let at: WallTime
    public let category: String
    public let text: String
    public let appVersion: String
    /// 1 to 5; nil = not given. The same holds for the ratings below.
    public let rating: Int64?
    public let intuitive: Int64?
    public let satisfying: Int64?
    public let undistracting: Int64?
    /// When it was marked as handled; nil = it is open.
    public let handledAt: WallTime?

    /// Selects entries.
    public struct Filter: Sendable, Hashable {
        /// One of the words of `states`.
        public var state = "open"
        /// Empty = all.
        public var category = ""
        /// 0 = all, entries without a rating included.
        public var rating: Int64 = 0
        /// Only entries older than this one, for the next page; nil = from the newest on.
        public var before: FeedbackID?
        public var top = 20
        /// This entry alone, whatever the other filters say; nil = all that match.
        public var only: FeedbackID?

        /// Values of `state`.
        public static let states = ["open", "handled", "all"]

        /// The newest open entries.
        public init() {}
    }
}
