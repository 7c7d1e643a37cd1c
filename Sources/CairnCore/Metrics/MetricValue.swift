/// The value of a figure at one moment.
public enum MetricValue: Sendable {
    /// A count since the start.
    case count(UInt64)
    /// A present value.
    case level(Int)
    case number(Double)
    case flag(Bool)
    case text(String)
    case names([String])
    /// Counts or present values, by label.
    case counts([String: UInt64])
    case numbers([String: Double])
    /// Several values that belong together, with their names.
    case members([(name: StaticString, value: MetricValue)])
    case histogram(MetricHistogram)
    case histograms([String: MetricHistogram])
    case nothing

    /// The value as one number: the number of names, the sum over labels, 1 for a flag that is set.
    public var amount: Double {
        switch self {
        case .count(let count): Double(count)
        case .level(let level): Double(level)
        case .number(let number): number
        case .flag(let isSet): isSet ? 1 : 0
        case .names(let names): Double(names.count)
        case .counts(let counts): Double(counts.values.reduce(0, +))
        case .numbers(let numbers): numbers.values.reduce(0, +)
        case .text, .members, .histogram, .histograms, .nothing: 0
        }
    }

    /// Adds up parts of the same figure.
    static func + (one: Self, other: Self) -> Self {
        switch (one, other) {
        case (.count(let one), .count(let other)): .count(one + other)
        case (.level(let one), .level(let other)): .level(one + other)
        case (.number(let one), .number(let other)): .number(one + other)
        case (.counts(let one), .counts(let other)): .counts(one.merging(other, uniquingKeysWith: +))
        default: preconditionFailure("a figure of this kind is not added up: \(one)")
        }
    }
}

/// A histogram of durations.
public struct MetricHistogram: Sendable {
    /// The upper bounds of the buckets, ascending, in seconds.
    public let bounds: [Double]
    /// For each bound, the number of durations that do not exceed it.
    public let counts: [UInt64]
    public let count: UInt64
    public let sumSeconds: Double

    public init(bounds: [Double], counts: [UInt64], count: UInt64, sumSeconds: Double) {
        self.bounds = bounds
        self.counts = counts
        self.count = count
        self.sumSeconds = sumSeconds
    }
}
