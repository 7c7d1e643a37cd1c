public import CairnCore
internal import CairnWire

/// Leaving things at places: place, edit, remove, select (PLC-1 to PLC-12, PLC-15, PLC-16, VIS-7).
public enum Placements: Feature {
    public static let name = "placements"
    public static let commands: [any Command.Type] = [Place.self, Edit.self, Remove.self, Select.self]
    public static let counts: [StaticText] = ["placements"]

    static func refusal(
        _ code: Refusal.Code, _ message: String, wait: Duration? = nil, details: [String: String] = [:]
    ) -> Refusal {
        Refusal(code, message, component: name, retryAfter: wait, details: details)
    }
}
