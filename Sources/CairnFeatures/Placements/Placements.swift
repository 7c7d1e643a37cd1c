public import CairnCore
public import CairnWire

/// Placements, instances of objects at places: place, edit, remove, select (PLC-1 to PLC-12, PLC-15, PLC-16, VIS-7).
public enum Placements: Feature {
    public static let name = "placements"
    public static var groundChanges: [any Command.Type] { commands }
    public static let commands: [any Command.Type] = [Place.self, Edit.self, Remove.self, Select.self]
    public static let durableMessages: [any DurableMessage.Type] = [InstanceArriving.self]
    public static let settings: (any FeatureSettings.Type)? = PlacementSettings.self
    public static let counts = [
        EngagementCount("placements", unit: "placements", "that were acknowledged")
    ]

    public static func describe(_ settings: Settings, into limits: inout WireLimits) {
        let placements = settings.placements
        limits.reach = placements.reachMetres
        limits.areaQuota = UInt32(placements.areaQuota)
        limits.placementsPerMinute = UInt32(placements.perMinute)
        limits.placementsPerDay = UInt32(placements.perDay)
        limits.scaleMin = placements.scaleMin
        limits.scaleMax = placements.scaleMax
        limits.presets = placements.presets
        limits.textCharacters = UInt32(placements.textCharactersMax)
        limits.textBytes = UInt32(placements.textBytesMax)
        limits.dataBytes = UInt32(placements.dataBytesMax)
    }

    static func refusal(
        _ code: Refusal.Code, _ text: Refusal.Text? = nil, wait: Duration? = nil, details: [String: String] = [:]
    ) -> Refusal {
        Refusal(code, text, component: name, retryAfter: wait, details: details)
    }
}
