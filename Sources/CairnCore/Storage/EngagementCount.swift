/// A count that a feature makes for developers, by day (STA-4).
public struct EngagementCount: Sendable {
    /// The name in `Effect.count`. It is in the database and never changes.
    public let name: StaticText
    public let unit: String
    /// The meaning, for the documentation of the stats socket.
    public let meaning: String

    public init(_ name: StaticText, unit: String, _ meaning: String) {
        self.name = name
        self.unit = unit
        self.meaning = meaning
    }
}
