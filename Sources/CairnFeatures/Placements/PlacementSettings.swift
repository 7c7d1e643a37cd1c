public import CairnCore
internal import CairnGeo

/// What operators set of leaving things at places (PLC-4 to PLC-6, PLC-15, PLC-16, OBJ-3).
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
    /// Areas in which nobody may leave anything.
    public var restrictedAreas = RestrictedAreas()
    /// Ids of the objects that everybody may place.
    public var presets = [
        "preset:heart", "preset:star", "preset:flag", "preset:arrow", "preset:balloon", "preset:cairn",
    ]
    /// Longest text on an instance, in characters as people count them.
    public var textCharactersMax = 500
    /// Longest text on an instance, in bytes of UTF-8.
    public var textBytesMax = 2_048
    /// Most bytes of an app's own data on an instance.
    public var dataBytesMax = 2_048

    public init() {}
}

/// Areas in which nobody may leave anything (PLC-15).
public struct RestrictedAreas: Sendable, Equatable {
    /// Each as its corners: `LAT LON; LAT LON; LAT LON`.
    public var corners: [String] = [] {
        didSet { polygons = corners.compactMap { Polygon(corners: $0) } }
    }
    /// The same, read once.
    private var polygons: [Polygon] = []

    /// None.
    public init() {}

    func contains(_ place: Coordinate) -> Bool { polygons.contains { $0.contains(place) } }
}

extension Settings {
    /// What operators set of leaving things at places.
    public var placements: PlacementSettings {
        get { self[PlacementSettings.self] }
        set { self[PlacementSettings.self] = newValue }
    }
}
