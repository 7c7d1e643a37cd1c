public import CairnCore

/// The operators' settings of posts and votes (PST-1 to PST-10, RCT-3, RCT-4).
public struct PostSettings: FeatureSettings {
    /// Longest text, in user-perceived characters.
    public var charactersMax = 280
    /// Longest text, in bytes of UTF-8.
    public var bytesMax = 4_096
    /// Posts of one user in any 60 seconds.
    public var perMinute = 5
    /// Posts of one user in any 24 hours.
    public var perDay = 50
    /// Edits of one user in any 60 seconds.
    public var editsPerMinute = 20
    /// Lists of the posts of the whole view that one user reads in any 60 seconds.
    public var listsPerMinute = 60
    /// Edit window after a post is made, in seconds.
    public var editSeconds = 300
    /// Lifetime of a post, in seconds.
    public var lifeSeconds = 86_400
    /// Most live posts in one cell.
    public var perCellMax = 2_000
    /// Whether people may vote on their own posts.
    public var ownVotes = false
    /// Change of the size by one vote.
    public var sizeStep = 0.1
    /// Smallest size.
    public var sizeMin = 0.5
    /// Largest size.
    public var sizeMax = 3.0
    /// Reach of a post without votes, in metres.
    public var reachMetres = 50.0
    /// Change of the reach by one vote, in metres.
    public var reachStepMetres = 5.0
    /// Shortest reach, in metres; the longest is the view's radius.
    public var reachMinMetres = 25.0
    /// At this score and below, only the author sees a post.
    public var hiddenScore = -5

    public init() {}

    public static let section = "posts"
    public static let meaning = "Short texts at places, and the votes on them."
    public static let keys: [SettingKey<Self>] = [
        .integer(
            "charactersMax", \.charactersMax, 1...10_000, unit: "characters", .live,
            "Longest text of a post, in characters as people count them. A longer one is refused with text_too_long."),
        .integer(
            "bytesMax", \.bytesMax, 1...16_384, unit: "bytes", .live,
            "Longest text of a post, in bytes of UTF-8. A longer one is refused with text_too_long."),
        .integer(
            "perMinute", \.perMinute, 1...1_000_000, unit: "posts", .live,
            "Posts of one user in any 60 seconds. The next is refused with quota_period."),
        .integer(
            "perDay", \.perDay, 1...1_000_000, unit: "posts", .live,
            "Posts of one user in any 24 hours. The next is refused with quota_period. At least perMinute."),
        .integer(
            "editsPerMinute", \.editsPerMinute, 1...1_000_000, unit: "edits", .live,
            "Edits of posts of one user in any 60 seconds. The next is refused with rate_limited."),
        .integer(
            "listsPerMinute", \.listsPerMinute, 1...1_000_000, unit: "lists", .live,
            "Lists of the posts of the whole view that one user reads in any 60 seconds. Each asks every cell of the "
                + "view. The next is refused with rate_limited."),
        .integer(
            "editSeconds", \.editSeconds, 0...31_536_000, unit: "seconds", .live,
            "How long after a post is made its text may be edited. A later edit is refused with edit_window_closed."),
        .integer(
            "lifeSeconds", \.lifeSeconds, 1...31_536_000, unit: "seconds", .live,
            "Lifetime of a post. A change applies to later posts."),
        .integer(
            "perCellMax", \.perCellMax, 1...100_000, unit: "posts", .live,
            "Live posts that one cell holds. The next is refused with cell_full."),
        .flag(
            "ownVotes", \.ownVotes, .live,
            "Whether people may vote on their own posts. If not, the vote is refused with own_post."),
        .number(
            "sizeStep", \.sizeStep, 0...10, unit: "factor", .restart,
            "Change of a post's size by one vote, up or down. Without votes the size is 1."),
        .number("sizeMin", \.sizeMin, 0.01...1, unit: "factor", .restart, "Smallest size of a post."),
        .number("sizeMax", \.sizeMax, 1...100, unit: "factor", .restart, "Largest size of a post."),
        .number(
            "reachMetres", \.reachMetres, 1...5_000, unit: "metres", .restart,
            "How far a post without votes is seen. No post is seen further than cells.viewRadiusMetres."),
        .number(
            "reachStepMetres", \.reachStepMetres, 0...1_000, unit: "metres", .restart,
            "Change of the distance at which a post is seen, by one vote up or down."),
        .number(
            "reachMinMetres", \.reachMinMetres, 1...5_000, unit: "metres", .restart,
            "How far every post is seen, whatever its score, within cells.viewRadiusMetres."),
        .integer(
            "hiddenScore", \.hiddenScore, -1_000_000 ... -1, unit: "votes", .restart,
            "Highest score at which only its author sees a post."),
    ]

    public var conflicts: [SettingConflict] {
        perDay >= perMinute ? [] : [SettingConflict("perDay", "at least", "perMinute")]
    }
}

extension Settings {
    /// The operators' settings of posts.
    public var posts: PostSettings {
        get { self[PostSettings.self] }
        set { self[PostSettings.self] = newValue }
    }
}
