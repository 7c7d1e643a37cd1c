/// Something that a feature counts for developers, by the day (STA-4).
public struct EngagementCount: Sendable {
    /// As `Effect.count` names it. Never changed: it stands in the database.
    public let name: StaticText
    public let unit: String
    /// What is counted, for the documentation of the stats socket.
    public let meaning: String

    public init(_ name: StaticText, unit: String, _ meaning: String) {
        self.name = name
        self.unit = unit
        self.meaning = meaning
    }
}
