/// One figure that the server reports about itself, described once, beside its source.
///
/// The stats socket and its `schema`, `/metrics`, the rates, the history, the alarms of `cairn top` and of the console,
/// and the tables of docs/stats.md are all generated from these descriptions (docs/decisions/0019-rooms.md).
///
/// ```swift
/// Metric<StoreFigures>("commits", in: .store, unit: "transactions", "transactions on disk") { .count($0.commits) }
///     .rate("commits").family(.counter, "cairn.store.commits")
/// ```
public struct Metric<Source>: Sendable {
    public private(set) var description: MetricDescription
    /// Reads the figure from its source. Runs on the operators' thread, never on the thread that counts.
    public let value: @Sendable (Source) -> MetricValue

    /// A figure of the stats socket.
    /// - Parameters:
    ///   - name: in camel case, with the unit where it has one; operators' scripts know it, so it does not change.
    ///   - meaning: one line that stands by itself, without a capital letter at its start or a full stop.
    public init(
        _ name: StaticString, in section: MetricSection, unit: MetricUnit = .none, _ meaning: String,
        value: @escaping @Sendable (Source) -> MetricValue
    ) {
        description = MetricDescription(unit: unit, meaning: meaning)
        description.members = [MetricDescription.Member(section: section, name: name)]
        self.value = value
    }

    /// A figure without a name of its own on the stats socket: `family` or `rate` says where it appears.
    public init(unit: MetricUnit = .none, _ meaning: String, value: @escaping @Sendable (Source) -> MetricValue) {
        description = MetricDescription(unit: unit, meaning: meaning)
        self.value = value
    }

    private init(_ description: MetricDescription, value: @escaping @Sendable (Source) -> MetricValue) {
        self.description = description
        self.value = value
    }

    // MARK: Further readers

    /// The same figure under another name of the stats socket.
    public func also(_ name: StaticString, in section: MetricSection) -> Self {
        changed { $0.members.append(MetricDescription.Member(section: section, name: name)) }
    }

    /// Adds the counter's growth a second to the `rates`.
    public func rate(_ name: StaticString) -> Self { changed { $0.rate = name } }

    /// Keeps the course of the last day (`History`): of the rate if there is one, or else of the figure itself.
    public var inHistory: Self { changed { $0.isInHistory = true } }

    /// Adds the figure to `/metrics`.
    /// - Parameters:
    ///   - name: as OpenTelemetry writes names, without unit and `_total`.
    ///   - label: the name of the label that distinguishes the samples.
    public func family(_ kind: MetricFamily.Kind, _ name: String, by label: String = "") -> Self {
        changed { $0.family = MetricFamily(kind: kind, name: name, label: label) }
    }

    /// Raises an alarm for operators while the figure is not zero, false or none.
    /// - Parameters:
    ///   - text: a sentence without its full stop.
    ///   - remedy: what to do, or which command to run.
    public func alarm(_ severity: MetricAlarm.Severity, _ text: String, remedy: String) -> Self {
        changed { $0.alarm = MetricAlarm(severity: severity, text: text, remedy: remedy) }
    }

    /// Shows a figure of rows as a column of their table.
    /// - Parameters:
    ///   - order: the word by which the table is sorted by it.
    ///   - key: the key that sorts by it; nil = a letter of `order` that is free.
    ///   - isBrief: whether the column is also shown in narrow tables.
    public func column(_ title: String, by order: String, key: Character? = nil, isBrief: Bool = false) -> Self {
        changed { $0.heading = MetricHeading(title: title, order: order, key: key, isBrief: isBrief) }
    }

    private func changed(_ change: (inout MetricDescription) -> Void) -> Self {
        var copy = self
        change(&copy.description)
        return copy
    }

    // MARK: Sources

    /// The same figure, read from a value that contains the source.
    public func of<Whole>(_ source: @escaping @Sendable (Whole) -> Source) -> Metric<Whole> {
        let value = value
        return Metric<Whole>(description) { value(source($0)) }
    }

    /// The same figure, added up over all sources of the kind.
    public func sum<Whole>(over sources: @escaping @Sendable (Whole) -> [Source]) -> Metric<Whole> {
        let value = value
        return Metric<Whole>(description) { whole in
            let parts = sources(whole)
            guard let first = parts.first else { return .nothing }
            return parts.dropFirst().reduce(value(first)) { $0 + value($1) }
        }
    }

    /// The figure of each source, by its place among them: for `/metrics` alone, since the stats socket lists sources
    /// one after the other.
    public func each<Whole>(_ sources: @escaping @Sendable (Whole) -> [Source]) -> Metric<Whole> {
        let value = value
        var description = description
        description.members = []
        return Metric<Whole>(description) { whole in
            let parts = sources(whole).enumerated().map { ("\($0.offset)", value($0.element).amount) }
            return .numbers(Dictionary(uniqueKeysWithValues: parts))
        }
    }
}

/// A figure reduced to its name and reader, for rows that are written by thousands a second.
public struct MetricColumn<Source>: Sendable {
    public let name: StaticString
    public let value: @Sendable (Source) -> MetricValue
}

extension Metric {
    /// One entry for each name on the stats socket.
    public var columns: [MetricColumn<Source>] {
        description.members.map { MetricColumn(name: $0.name, value: value) }
    }
}
