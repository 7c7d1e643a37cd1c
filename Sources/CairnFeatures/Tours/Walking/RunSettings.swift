public import CairnCore

/// The operators' settings of walking (TRT-8 to TRT-11).
public struct RunSettings: FeatureSettings {
    /// Within this distance of the target the walker has arrived.
    public var arrivalMetres = 15.0
    /// Fixes with a worse accuracy do not count.
    public var arrivalAccuracyMetres = 50.0
    /// Faster is a jump: no distance, and no arrival.
    public var jumpMetresPerSecond = 15.0
    /// How long a walker is at a place behind a jump before it counts.
    public var settleSeconds = 10.0
    /// Within this distance popups are shown.
    public var popupMetres = 30.0
    /// Hours without a sign of the walker after which a run ends.
    public var idleHours = 12.0
    /// How often one person starts, pauses, resumes and leaves runs in any minute.
    public var runChangesPerMinute = 30

    public init() {}

    public static let section = "tours"
    public static let meaning = "Tours: guided walks that organisations make."
    public static let keys: [SettingKey<Self>] = [
        .number(
            "arrivalMetres", \.arrivalMetres, 1...500, unit: "metres", .live,
            "Distance from a stop within which its walker has arrived."),
        .number(
            "arrivalAccuracyMetres", \.arrivalAccuracyMetres, 1...1_000, unit: "metres", .live,
            "Worst accuracy of positions that count for arrival and distance."),
        .number(
            "jumpMetresPerSecond", \.jumpMetresPerSecond, 1...10_000, unit: "metres per second", .live,
            "Speed beyond which a position is a jump: it adds no distance and reaches no stop."),
        .number(
            "settleSeconds", \.settleSeconds, 0.05...600, unit: "seconds", .live,
            "How long positions after a jump have to agree before they count."),
        .number(
            "popupMetres", \.popupMetres, 1...500, unit: "metres", .live,
            "Distance within which a popup is shown, once in each run."),
        .number(
            "idleHours", \.idleHours, 0.001...8_760, unit: "hours", .live,
            "Hours without a position or a request of its walker after which a run ends by itself."),
        .integer(
            "runChangesPerMinute", \.runChangesPerMinute, 4...1_000_000, unit: "changes", .live,
            "How often one person starts tours and pauses, resumes and leaves runs in any minute, all together. The "
                + "next is refused with rate_limited."),
    ]

    public mutating func becomeDemo() { runChangesPerMinute = max(runChangesPerMinute, 10_000) }
}

extension Settings {
    /// The operators' settings of walking.
    public var runs: RunSettings {
        get { self[RunSettings.self] }
        set { self[RunSettings.self] = newValue }
    }
}
