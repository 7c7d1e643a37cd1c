internal import CairnConfiguration
internal import CairnGeo
package import CairnCore

/// The metrics of one cell.
extension CellRow {
    fileprivate typealias Row = Metric<CellRow>

    /// Every column: the server's own, and those of a register's features.
    package static func metrics(of register: FeatureRegister) -> [Metric<CellRow>] {
        own
            + register.cellCounts.enumerated().map { index, count in
                Row(count.name, in: .cell, unit: count.unit, count.meaning) {
                    .level(index < $0.featureCounts.count ? $0.featureCounts[index] : 0)
                }
                .column(Self.title(of: "\(count.name)"), by: "\(count.name)", isBrief: true)
            }
    }

    /// `heldThings` as "Held things".
    private static func title(of name: String) -> String {
        let words = name.map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static let own: [Metric<CellRow>] = [
        Row("cell", in: .cell, unit: "S2 token", "names the cell") { .text($0.cell.token) }
            .column("Cell", by: "name", key: "n", isBrief: true),
        Row(
            "people", in: .cell, unit: "connections",
            "users whose position is in the cell; all cells' add up to people in all"
        ) { .level($0.people) }
        .column("People", by: "people", key: "p", isBrief: true),
        Row("instances", in: .cell, unit: "instances", "things placed in the cell") { .level($0.instances) }
            .column("Instances", by: "instances", key: "i", isBrief: true),
        Row("subscribers", in: .cell, unit: "connections", "connections whose view touches the cell") {
            .level($0.subscribers)
        }
        .column("Viewers", by: "subscribers", key: "s", isBrief: true),
        Row("eventsPerSecond", in: .cell, unit: "1/s", "numbered changes sent to subscribers") {
            .number($0.eventsPerSecond)
        }
        .column("Events/s", by: "events", key: "e", isBrief: true),
        Row("turnsPerSecond", in: .cell, unit: "1/s", "changes and questions taken") { .number($0.turnsPerSecond) }
            .column("Turns/s", by: "turns", key: "t"),
        Row("bytesPerSecond", in: .cell, unit: "bytes/s", "put into subscribers' outboxes") {
            .number($0.bytesPerSecond)
        }
        .column("Sent/s", by: "bytes", key: "b"),
        Row("unsaved", in: .cell, unit: "turns", "turns whose changes are not on disk yet") { .level($0.unsaved) }
            .column("Unsaved", by: "unsaved", key: "u", isBrief: true),
        Row("queuedBytes", in: .cell, unit: "bytes", "events that wait for subscribers who read slowly") {
            .level($0.queuedBytes)
        }
        .column("Queued", by: "queued", key: "w"),
        Row(
            "turnP99Microseconds", in: .cell, unit: "microseconds",
            "99 of 100 turns took at most about this long (a power of two)"
        ) { .count($0.turnP99Microseconds) }
        .column("P99", by: "latency", key: "l"),
        Row("waiting", in: .cell, unit: "pieces of work", "pieces of work that wait for the cell to wake") {
            .level($0.waiting)
        }
        .column("Waking", by: "waking", key: "a"),
    ]
}

/// The metrics of one session in a cell.
extension SessionRow {
    fileprivate typealias Row = Metric<SessionRow>

    package static let metrics: [Metric<SessionRow>] = [
        Row("session", in: .sessions, unit: "id", "names the session while it lasts, for kick") { .text($0.session) },
        Row("frontEnd", in: .sessions, "the front end in its hello") { .text($0.frontEnd) },
        Row("connectedSeconds", in: .sessions, unit: "seconds", "since the connection was opened") {
            .number($0.seconds)
        },
        Row("queuedBytes", in: .sessions, unit: "bytes", "bytes that wait to be sent to it") { .level($0.queuedBytes) },
        Row("requestsInFlight", in: .sessions, unit: "requests", "requests that have no answer yet") {
            .level($0.requests)
        },
        Row("behind", in: .sessions, "whether it reads slower than the server sends") { .flag($0.isBehind) },
    ]
}

/// The values of one refusal in a cell.
extension RefusalRow {
    fileprivate typealias Row = Metric<RefusalRow>

    package static let metrics: [Metric<RefusalRow>] = [
        Row(
            "secondsAgo", in: .refused, unit: "seconds",
            "since the refusal; the newest of the cell come first, at most 20"
        ) { .number($0.secondsAgo) },
        Row("code", in: .refused, "why") { .text($0.code) },
        Row("component", in: .refused, "the part of the server that refused") { .text($0.component) },
    ]
}

/// The metrics of requests of one kind.
extension RequestFigures {
    fileprivate typealias Row = Metric<RequestFigures>

    package static let metrics: [Metric<RequestFigures>] = counted + shares.map(\.row) + [longest]

    private static let counted: [Row] = [
        Row("count", in: .requests, unit: "requests", "requests answered, refusals included") { .count($0.count) },
        Row("refused", in: .requests, unit: "requests", "requests refused") { .count($0.refused) },
    ]

    private static let longest = Row(
        "maxMicroseconds", in: .requests, unit: "microseconds", "from receipt to reply; the longest"
    ) { .count($0.maxMicroseconds) }

    /// How long this share of all requests took at most.
    private struct Share: Sendable {
        let name: StaticString
        let words: String
        let percentile: Double

        var row: Row {
            Row(name, in: .requests, unit: "microseconds", "from receipt to reply; \(words) took at most this long") {
                .count($0.microseconds(percentile: percentile))
            }
        }
    }

    private static let shares = [
        Share(name: "p50Microseconds", words: "half", percentile: 50),
        Share(name: "p90Microseconds", words: "9 of 10", percentile: 90),
        Share(name: "p99Microseconds", words: "99 of 100", percentile: 99),
        Share(name: "p999Microseconds", words: "999 of 1,000", percentile: 99.9),
    ]

    /// Bounds for the times of requests, in seconds.
    private static let boundsSeconds = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    package var histogram: MetricHistogram {
        let counts = counts(upTo: Self.boundsSeconds.map { UInt64($0 * 1_000_000) })
        return MetricHistogram(
            bounds: Self.boundsSeconds, counts: counts, count: count, sumSeconds: Double(sumMicroseconds) / 1e6)
    }
}
