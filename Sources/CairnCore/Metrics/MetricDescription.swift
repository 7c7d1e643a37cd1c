/// The description of a figure, without its value.
public struct MetricDescription: Sendable {
    /// Its names on the stats socket; empty = it has none.
    public internal(set) var members: [Member] = []
    public let unit: MetricUnit
    public let meaning: String
    /// The name of its growth a second; nil = no rate is reported.
    public internal(set) var rate: StaticString?
    public internal(set) var isInHistory = false
    public internal(set) var family: MetricFamily?
    public internal(set) var alarm: MetricAlarm?
    /// Its column in tables for people; nil = no column.
    public internal(set) var heading: MetricHeading?

    /// One name on the stats socket.
    public struct Member: Sendable {
        public let section: MetricSection
        public let name: StaticString
    }

    /// The meaning as a sentence.
    public var sentence: String { meaning.prefix(1).uppercased() + meaning.dropFirst() + "." }
}

/// The column of a figure in a table for people: `cairn top`, the console.
public struct MetricHeading: Sendable {
    public let title: String
    /// The word by which the table is sorted by it; operators' scripts know it, so it does not change.
    public let order: String
    /// The key that sorts by it; nil = a letter of `order` that is free.
    public let key: Character?
    /// Whether the column is also shown in narrow tables.
    public let isBrief: Bool
}

/// The unit of a figure.
public struct MetricUnit: Sendable, ExpressibleByStringLiteral {
    public let text: String

    public static let none: MetricUnit = ""

    public init(stringLiteral text: String) {
        self.text = text
    }

    public init(_ text: String) {
        self.text = text
    }

    /// The divisor for `/metrics`, where times are in seconds.
    public var divisor: Double {
        switch text {
        case "milliseconds": 1e3
        case "microseconds": 1e6
        default: 1
        }
    }

    /// The suffix of the name in `/metrics`; empty for plain counts.
    public var suffix: String {
        switch text {
        case "bytes": "_bytes"
        case "seconds", "milliseconds", "microseconds": "_seconds"
        default: ""
        }
    }
}

/// A group of figures on the stats socket.
public struct MetricSection: Hashable, Sendable {
    /// The member of a line or the command that holds them, and their name in `schema`.
    public let name: String
    /// The heading in docs/stats.md.
    public let heading: String
    /// The text before the table in docs/stats.md; empty = none.
    public let preface: String

    public init(_ name: String, heading: String, preface: String = "") {
        self.name = name
        self.heading = heading
        self.preface = preface
    }

    public static func == (one: Self, other: Self) -> Bool { one.name == other.name }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}

/// A figure's form in `/metrics`.
public struct MetricFamily: Sendable {
    /// The type of its samples.
    public enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    public let kind: Kind
    public let name: String
    /// The label that distinguishes its samples; empty = there is one sample.
    public let label: String

    /// Its name by OpenTelemetry's rule for Prometheus: dots become underscores, then the unit, then `_total` for
    /// counters.
    public func name(in unit: MetricUnit) -> String {
        String(name.map { $0 == "." ? "_" : $0 }) + unit.suffix + (kind == .counter ? "_total" : "")
    }
}

/// The alarm of a figure that is not as it should be.
public struct MetricAlarm: Sendable {
    /// The severity of the alarm.
    public enum Severity: String, Sendable, CaseIterable {
        /// Data or service is lost, or will be.
        case bad
        /// Nothing is lost yet.
        case warn
    }

    public let severity: Severity
    public let text: String
    public let remedy: String

    /// - Parameters:
    ///   - text: a sentence without its full stop.
    ///   - remedy: what to do, or which command to run.
    public init(severity: Severity, text: String, remedy: String) {
        self.severity = severity
        self.text = text
        self.remedy = remedy
    }
}
