public import CairnCore
internal import CairnGeo

/// The operators' settings of placements (PLC-4 to PLC-6, PLC-15, PLC-16, OBJ-3).
public struct PlacementSettings: FeatureSettings {
    /// Live instances of one user in one cell.
    public var areaQuota = 20
    /// Placements of one user in any 60 seconds.
    public var perMinute = 10
    /// Placements of one user in any 24 hours.
    public var perDay = 100
    /// Edits and removals of one user in any 60 seconds.
    public var changesPerMinute = 3_000
    /// Edits and removals of one user in any 24 hours.
    public var changesPerDay = 10_000
    /// How far from their last position a user may place, in metres.
    public var reachMetres = 100.0
    /// Smallest scale of an instance.
    public var scaleMin = 0.01
    /// Largest scale of an instance.
    public var scaleMax = 100.0
    /// Areas in which placing is forbidden.
    public var restrictedAreas = RestrictedAreas()
    /// Ids of the objects that every user may place.
    public var presets = [
        "preset:heart", "preset:star", "preset:flag", "preset:arrow", "preset:balloon", "preset:cairn",
    ]
    /// Longest text on an instance, in user-perceived characters.
    public var textCharactersMax = 500
    /// Longest text on an instance, in bytes of UTF-8.
    public var textBytesMax = 2_048
    /// Most bytes of an app's own data on an instance.
    public var dataBytesMax = 2_048

    public init() {}

    public static let section = "placement"
    public static let meaning = "Placing things."
    public static let keys: [SettingKey<Self>] = [
        .integer(
            "areaQuota", \.areaQuota, 1...1_000_000, unit: "instances", .live,
            "Live instances of one user in one cell. The next is refused with quota_area."),
        .integer(
            "perMinute", \.perMinute, 1...1_000_000, unit: "placements", .live,
            "Placements of one user in any 60 seconds. The next is refused with quota_period."),
        .integer(
            "perDay", \.perDay, 1...1_000_000, unit: "placements", .live,
            "Placements of one user in any 24 hours. The next is refused with quota_period. At least perMinute."),
        .integer(
            "changesPerMinute", \.changesPerMinute, 1...1_000_000, unit: "changes", .live,
            "Edits and removals of one user in any 60 seconds. The next is refused with rate_limited."),
        .integer(
            "changesPerDay", \.changesPerDay, 1...10_000_000, unit: "changes", .live,
            "Edits and removals of one user in any 24 hours; each keeps some 300 bytes on disk for storage.keyHours. "
                + "The next is refused with rate_limited."),
        .number(
            "reachMetres", \.reachMetres, 1...5_000, unit: "metres", .live,
            "How far from their last position a user may place or move things. Further is refused with too_far."),
        .number(
            "scaleMin", \.scaleMin, 0.000_1...1, unit: "factor", .live,
            "Smallest scale of an instance. Below it is refused with bad_pose."),
        .number(
            "scaleMax", \.scaleMax, 1...1_000_000, unit: "factor", .live,
            "Largest scale of an instance. Above it is refused with bad_pose."),
        .list(
            "restrictedAreas", \.restrictedAreas.corners, 0...1_000, of: .area, .live,
            "Areas in which nothing may be placed. A placement there is refused with restricted_area."),
        .list(
            "presets", \.presets, 0...1_024, of: .name, .live,
            "Ids of the objects that all users may place."),
        .integer(
            "textCharactersMax", \.textCharactersMax, 0...10_000, unit: "characters", .live,
            "Longest text on an instance, in characters as people count them. A longer one is refused with "
                + "text_too_long."),
        .integer(
            "textBytesMax", \.textBytesMax, 0...16_384, unit: "bytes", .live,
            "Longest text on an instance, in bytes of UTF-8. A longer one is refused with text_too_long."),
        .integer(
            "dataBytesMax", \.dataBytesMax, 0...16_384, unit: "bytes", .live,
            "Most bytes of an app's own data on an instance. More is refused with data_too_large."),
    ]

    public var conflicts: [SettingConflict] {
        perDay >= perMinute ? [] : [SettingConflict("perDay", "at least", "perMinute")]
    }

    public mutating func becomeDemo() {
        perDay = max(perDay, 10_000)
        changesPerDay = max(changesPerDay, 100_000)
    }
}

/// Areas in which placing is forbidden (PLC-15).
public struct RestrictedAreas: Sendable, Equatable {
    /// One string of corners for each area: `LAT LON; LAT LON; LAT LON`.
    public var corners: [String] = [] {
        didSet {
            polygons = corners.compactMap { Polygon(corners: $0) }
            reaches = polygons.map { polygon in
                polygon.vertices.map { $0.distanceMetres(to: polygon.vertices[0]) }.max() ?? 0
            }
        }
    }
    /// The same areas, parsed once.
    private var polygons: [Polygon] = []
    /// Furthest that a corner of each is from its first one, in metres.
    private var reaches: [Double] = []

    /// No areas.
    public init() {}

    func contains(_ place: Coordinate) -> Bool { polygons.contains { $0.contains(place) } }

    /// The first place of a line that is in an area, or at which the way to it touches one; nil = none (TRM-3). The
    /// line's places are within `FlatOutlines.reachMetres` of the first one.
    /// - Throws: when `tests` is used up.
    func firstCrossing(of path: [Coordinate], _ tests: inout EdgeTests) throws(EdgeTests.UsedUp) -> Int? {
        guard let first = path.first else { return nil }
        let near = polygons.indices.filter { index in
            // What is in an area may be as far from its corners as they are from one another.
            first.distanceMetres(to: polygons[index].vertices[0]) <= 2 * reaches[index] + FlatOutlines.reachMetres
        }
        guard !near.isEmpty else { return nil }
        return try FlatOutlines(of: near.map { polygons[$0] }, around: first).firstTouched(by: path, &tests)
    }
}

extension Settings {
    /// The operators' settings of placements.
    public var placements: PlacementSettings {
        get { self[PlacementSettings.self] }
        set { self[PlacementSettings.self] = newValue }
    }
}

extension SettingForm {
    fileprivate static let area = Self(
        wants: "3 to \(Polygon.cornersMax) corners of an area whose edges do not cross, such as "
            + "51.5 -0.12; 51.6 -0.12; 51.6 -0.1"
    ) { text in Polygon(corners: text) != nil }
}
