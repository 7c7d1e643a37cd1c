internal import CairnAdaptors
internal import CairnCore
internal import CairnFeatures
internal import CairnServer
internal import CairnStore
internal import CairnWebSocket

/// The registry of all metrics: the lists of shards, store, process and features in one place. The stats socket,
/// `/metrics`, the rates, the history and docs/stats.md are made from it; nothing else lists metrics.
enum MetricsRegistry {
    /// Of the whole server: added up over shards, or read once.
    static let server: [Metric<ServerFigures>] = {
        var all: [Metric<ServerFigures>] = ShardReport.metrics.map { $0.sum { $0.shards } }
        all += StoreFigures.metrics.map { $0.of { $0.store } }
        all += ProcessFigures.metrics.map { $0.of { $0.process } }
        all += OperatorFigures.metrics.map { $0.of { $0.operators } }
        all += BulkLane.Figures.metrics.map { $0.of { $0.bulk } }
        all += AdaptorFigures.metrics(in: .queues).map { $0.of { $0.adaptors } }
        all += PostmanFigures.mailMetrics(in: .queues).map { $0.of { $0.mails } }
        all += PostmanFigures.pushMetrics(in: .queues).map { $0.of { $0.pushes } }
        all += SignInFigures.metrics(in: .queues).map { $0.of { $0.signIn } }
        all += AssetFigures.metrics(in: .queues).map { $0.of { $0.assets } }
        all += DeletionFigures.metrics(in: .queues).map { $0.of { $0.deletions } }
        all += PaymentFigures.metrics(in: .queues).map { $0.of { $0.payments } }
        all += OrganisationFigures.metrics(in: .queues).map { $0.of { $0.organisations } }
        return all + ServerFigures.metrics
    }()

    /// Of a cell, a column each.
    static let cell = CellRow.metrics(of: Features.register)
    static let cellColumns = cell.flatMap(\.columns)

    /// What `/metrics` shows.
    static let exported: [Metric<ServerFigures>] = {
        let loops: [Metric<ServerFigures>] = ShardReport.loopMetrics.map { $0.each { $0.shards } }
        return (server + loops).filter { $0.description.family != nil }
    }()

    /// The members of a section about the whole server.
    static func members(of section: MetricSection) -> [(name: StaticString, metric: Metric<ServerFigures>)] {
        bySection[section, default: []]
    }

    private static let bySection: [MetricSection: [(name: StaticString, metric: Metric<ServerFigures>)]] =
        server.reduce(into: [:]) { sections, metric in
            for member in metric.description.members {
                sections[member.section, default: []].append((member.name, metric))
            }
        }

    /// By code and by reason on the stats socket, and as one number each in `totals`.
    static let totalled: [(name: StaticString, metric: Metric<ServerFigures>)] = [
        ("refusals", ShardReport.refusals.sum { $0.shards }), ("closures", ShardReport.closures.sum { $0.shards }),
    ]

    static let alarmed: [(name: StaticString, metric: Metric<ServerFigures>, alarm: MetricAlarm)] =
        server.compactMap { metric -> (name: StaticString, metric: Metric<ServerFigures>, alarm: MetricAlarm)? in
            guard let alarm = metric.description.alarm, let member = metric.description.members.first else {
                return nil
            }
            return (member.name, metric, alarm)
        }

    // MARK: What figures mean

    /// A figure as `schema` and docs/stats.md explain it.
    struct Explanation {
        let name: String
        let unit: String
        let meaning: String
        /// Its name on `/metrics`, with its label; nil = it is not there.
        var exported: String?
    }

    typealias Section = (section: MetricSection, figures: [Explanation])

    /// Every section of the stats socket, in the order of the document.
    static let sections: [Section] = order.map { section in
        (section: section, figures: explanations[section.name, default: []])
    }

    private static let order: [MetricSection] = {
        var order: [MetricSection] = [
            .cell, .space, .people, .rates, .queues, .store, .loops, .process, .health, .alarms, .kept, .refusals,
            .reasons, .drops, .items, .messages, .requests, .sessions, .refused, .engagement,
        ]
        for member in OperatorFeatures.metrics.flatMap(\.members) where !order.contains(member.section) {
            order.append(member.section)
        }
        return order
    }()

    private static let described: [MetricDescription] = {
        var all: [MetricDescription] = cell.map(\.description)
        all += server.map(\.description)
        all += ShardReport.loopMetrics.map(\.description)
        all += RequestFigures.metrics.map(\.description)
        all += SessionRow.metrics.map(\.description)
        all += SpaceRow.metrics.map(\.description)
        all += RefusalRow.metrics.map(\.description)
        all += HealthVerdict.explained
        all += RaisedAlarm.metrics.map(\.description)
        all += KeptAlarm.metrics.map(\.description)
        all += CountedReason.metrics.map(\.description)
        return all + OperatorFeatures.metrics
    }()

    private static let explanations: [String: [Explanation]] = {
        var sections: [String: [Explanation]] = [:]
        for one in described {
            for member in one.members {
                sections[member.section.name, default: []].append(one.explanation("\(member.name)", one.unit.text))
            }
            if let rate = one.rate {
                let unit = one.unit.text == "bytes" ? "bytes/s" : "1/s"
                sections[MetricSection.rates.name, default: []].append(one.explanation("\(rate)", unit))
            }
        }
        sections[MetricSection.engagement.name] = engagement
        return sections
    }()

    /// Read from the database, day by day: what features count, beside the accounts themselves.
    private static let engagement: [Explanation] = {
        let own = [
            Explanation(
                name: "activeUsers", unit: "accounts", meaning: "accounts connected on the day, or on any of the days"),
            Explanation(name: "accounts", unit: "accounts", meaning: "accounts that were made"),
        ]
        return own
            + Features.register.counts.map { Explanation(name: $0.name.text, unit: $0.unit, meaning: $0.meaning) }
    }()

    /// What only `/metrics` shows.
    static let exportedOnly: [Explanation] = {
        let told = Set(sections.flatMap(\.figures).compactMap(\.exported))
        return exported.compactMap { metric -> Explanation? in
            guard let name = metric.description.exported, !told.contains(name) else { return nil }
            return metric.description.explanation(name, metric.description.unit.text)
        }
    }()
}

extension MetricDescription {
    fileprivate var exported: String? {
        guard let family else { return nil }
        return family.name(in: unit) + (family.label.isEmpty ? "" : "{\(family.label)}")
    }

    fileprivate func explanation(_ name: String, _ unit: String) -> MetricsRegistry.Explanation {
        MetricsRegistry.Explanation(name: name, unit: unit, meaning: meaning, exported: exported)
    }
}
