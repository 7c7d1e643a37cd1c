/// A figure that a feature adds to each cell's row of the stats socket (STA-2).
public struct CellCount: Sendable {
    /// In camel case; operators' scripts know it, so it does not change.
    public let name: StaticString
    public let unit: MetricUnit
    /// One line that stands by itself, without a capital letter at its start or a full stop.
    public let meaning: String
    let value: @Sendable (ObjectTable) -> Int

    /// - Parameter value: runs about once a second for each cell that something happens to, so it must not scan. It
    ///   reveals no account, name, text or position (STA-3).
    public init(
        _ name: StaticString, unit: MetricUnit, _ meaning: String, value: @escaping @Sendable (ObjectTable) -> Int
    ) {
        self.name = name
        self.unit = unit
        self.meaning = meaning
        self.value = value
    }
}
