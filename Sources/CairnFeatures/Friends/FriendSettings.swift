public import CairnCore

/// The operators' settings of friends and blocks (FRD-1 to FRD-7).
public struct FriendSettings: FeatureSettings {
    /// Most friends of one person, together with own friend requests that are not answered.
    public var friendsMax = 1_000
    /// Most friend requests of one person that are not answered.
    public var requestsMax = 200
    /// Friend requests of one person in any hour.
    public var requestsPerHour = 60
    /// Friend requests of one person in any 24 hours.
    public var requestsPerDay = 200
    /// Most people whom one person may block.
    public var blocksMax = 1_000
    /// Blocks and their ends of one person in any hour.
    public var blocksPerHour = 200
    /// Questions and changes of one person in any minute for which all rows of a person are read, refused ones as well.
    public var looksPerMinute = 240
    /// Whether a person is notified when another one ends the friendship.
    public var tellsUnfriended = false

    public init() {}

    public static let section = "friends"
    public static let meaning = "Friends and blocked people."
    public static let keys: [SettingKey<Self>] = [
        .integer(
            "friendsMax", \.friendsMax, 1...10_000, unit: "people", .live,
            "Most friends of one person, including the person's unanswered requests. The next is refused with "
                + "limit_reached."),
        .integer(
            "requestsMax", \.requestsMax, 1...10_000, unit: "requests", .live,
            "Most unanswered friend requests of one person. The next is refused with limit_reached."),
        .integer(
            "requestsPerHour", \.requestsPerHour, 1...1_000_000, unit: "requests", .live,
            "Friend requests of one person in any hour. All people at one network address together have ten times this "
                + "limit. The next request is refused with rate_limited."),
        .integer(
            "requestsPerDay", \.requestsPerDay, 1...1_000_000, unit: "requests", .live,
            "Friend requests of one person in any 24 hours. The next is refused with rate_limited."),
        .integer(
            "blocksMax", \.blocksMax, 1...10_000, unit: "people", .live,
            "Most people whom one person may block. The next is refused with limit_reached."),
        .integer(
            "blocksPerHour", \.blocksPerHour, 1...1_000_000, unit: "blocks", .live,
            "Blocks and ends of blocks by one person in any hour. The next is refused with rate_limited."),
        .integer(
            "looksPerMinute", \.looksPerMinute, 10...1_000_000, unit: "requests", .live,
            "Lists of friends and of blocked people, and friend requests, answers to them, blocks and ends of blocks "
                + "of one person in any minute; those that are refused count as well. The next is refused with "
                + "rate_limited."),
        .flag(
            "tellsUnfriended", \.tellsUnfriended, .live,
            "Whether a person is notified when a friend ends the friendship."),
    ]
}

extension Settings {
    /// The operators' settings of friends and blocks.
    public var friends: FriendSettings {
        get { self[FriendSettings.self] }
        set { self[FriendSettings.self] = newValue }
    }
}
