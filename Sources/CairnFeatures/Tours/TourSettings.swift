public import CairnCore

/// The operators' settings of tours (TRM-2 to TRM-4, TRT-2, PRX-2).
public struct TourSettings: FeatureSettings {
    /// Longest name, in user-perceived characters.
    public var nameCharactersMax = 100
    /// Longest description, history or popup, in user-perceived characters.
    public var textCharactersMax = 5_000
    /// Most links of a tour.
    public var linksMax = 20
    /// Highest price, in hundredths of `currency`.
    public var priceMax = 999
    /// ISO 4217.
    public var currency = "CAD"
    /// Most corners of an area.
    public var cornersMax = 1_000
    /// Most points of a route.
    public var pointsMax = 10_000
    /// Furthest that a corner may be from the first one, in metres.
    public var extentMetresMax = 20_000.0
    /// Furthest that stops and popups may be from the route, in metres.
    public var offRouteMetres = 50.0
    /// Most stops and popups of a tour together.
    public var partsMax = 200
    /// Most bytes of a draft, as it is stored.
    public var draftBytesMax = 4 << 20
    /// By this speed the time of a tour is estimated.
    public var metresPerSecond = 1.4
    /// Most tours of an organisation.
    public var perOrganisationMax = 500
    /// Tours that one person makes in any hour.
    public var createdPerHour = 60
    /// Versions of tours that one person publishes in any hour; publications that are refused count as well.
    public var publishedPerHour = 120
    /// Imports of one person in any hour, those that are refused as well.
    public var importsPerHour = 60
    /// Changes of tours of one person in any minute, those that are refused as well.
    public var editsPerMinute = 300
    /// Lists and pages of tours that one person reads in any minute, and as many looks at the own run and group.
    public var looksPerMinute = 300
    /// Most bytes of tours that one person has the server read from the disk, or is answered beyond the usual pages, in
    /// any minute.
    public var lookBytesPerMinute = 64 << 20
    /// Notices of tours nearby that one person gets in any hour.
    public var noticesPerHour = 6

    public init() {}

    public static let section = "tours"
    public static let meaning = "Tours: guided walks that organisations make."
    public static let keys: [SettingKey<Self>] = [
        .integer(
            "nameCharactersMax", \.nameCharactersMax, 1...200, unit: "characters", .live,
            "Longest name of a tour or stop, in characters as people count them."),
        .integer(
            "textCharactersMax", \.textCharactersMax, 1...10_000, unit: "characters", .live,
            "Longest description, history, text alternative or popup, in characters as people count them."),
        .integer("linksMax", \.linksMax, 0...100, unit: "links", .live, "Most links of a tour."),
        .integer(
            "priceMax", \.priceMax, 0...1_000_000, unit: "hundredths of the currency", .live,
            "Highest price of a tour. More is refused with invalid_price; 0 is always possible."),
        .text("currency", \.currency, .currency, .live, "The currency of prices, ISO 4217."),
        .integer(
            "cornersMax", \.cornersMax, 3...1_000, unit: "corners", .live, "Most corners of the area of a tour."),
        .integer("pointsMax", \.pointsMax, 2...10_000, unit: "points", .live, "Most points of the route of a tour."),
        .number(
            "extentMetresMax", \.extentMetresMax, 100...50_000, unit: "metres", .live,
            "Furthest that a corner of an area may be from its first one. More is refused with invalid_route."),
        .number(
            "offRouteMetres", \.offRouteMetres, 1...1_000, unit: "metres", .live,
            "Furthest that stops and popups may be from the route. More is refused with off_route."),
        .integer(
            "partsMax", \.partsMax, 1...1_000, unit: "stops and popups", .live,
            "Most stops and popups of a tour together. The next is refused with space_full."),
        .integer(
            "draftBytesMax", \.draftBytesMax, 65_536...67_108_864, unit: "bytes", .live,
            "Most bytes of a draft with all its parts. What would make it larger is refused with space_full; tours "
                + "that are larger already can be read, walked and made smaller."),
        .number(
            "metresPerSecond", \.metresPerSecond, 0.1...10, unit: "metres per second", .live,
            "Speed by which the time of a tour is estimated if the tour does not name one."),
        .integer(
            "perOrganisationMax", \.perOrganisationMax, 1...10_000, unit: "tours", .live,
            "Most tours of an organisation. The next is refused with limit_reached."),
        .integer(
            "createdPerHour", \.createdPerHour, 1...1_000_000, unit: "tours", .live,
            "Tours that one person makes in any hour. The next is refused with rate_limited."),
        .integer(
            "publishedPerHour", \.publishedPerHour, 1...1_000_000, unit: "versions", .live,
            "Versions of tours that one person publishes in any hour; publications that are refused count as well. The "
                + "next is refused with rate_limited."),
        .integer(
            "importsPerHour", \.importsPerHour, 1...1_000_000, unit: "imports", .live,
            "Imports of tours of one person in any hour; those that are refused count as well, because reading is what "
                + "costs. The next is refused with rate_limited."),
        .integer(
            "editsPerMinute", \.editsPerMinute, 1...1_000_000, unit: "changes", .live,
            "Changes of tours of one person in any minute; those that are refused count as well, because the check is "
                + "what costs. The next is refused with rate_limited."),
        .integer(
            "looksPerMinute", \.looksPerMinute, 1...1_000_000, unit: "requests", .live,
            "Lists and pages of tours that one person reads in any minute, and beside them as many looks at the own "
                + "run and group. The next is refused with rate_limited."),
        .integer(
            "lookBytesPerMinute", \.lookBytesPerMinute, 1_048_576...1_073_741_824, unit: "bytes", .live,
            "Bytes of tours that one person has the server read from the disk in any minute, to look at them or to "
                + "start them, and of answers about tours and runs with more than 65536 bytes; usual pages of tours "
                + "that are in memory cost nothing of it. The next is refused with rate_limited."),
        .integer(
            "noticesPerHour", \.noticesPerHour, 0...60, unit: "notices", .live,
            "Notices of tours nearby that one person gets in any hour, on all devices; at most one a day for each "
                + "tour."),
    ]
}

extension SettingForm {
    fileprivate static let currency = Self(wants: "three capital letters such as CAD") { text in
        text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}

extension Settings {
    /// The operators' settings of tours.
    public var tours: TourSettings {
        get { self[TourSettings.self] }
        set { self[TourSettings.self] = newValue }
    }
}
