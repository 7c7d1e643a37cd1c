internal import CairnCore
internal import CairnLogging
internal import CairnServer
internal import CairnStore

/// Figures as the stats socket writes them.
extension JSONLine {
    /// One member for each figure of a source.
    mutating func members<Source>(_ metrics: [Metric<Source>], of source: Source) {
        for metric in metrics { members(metric.columns, of: source) }
    }

    mutating func members<Source>(_ columns: [MetricColumn<Source>], of source: Source) {
        for column in columns { member(column.name, column.value(source)) }
    }

    mutating func member(_ name: StaticString, _ value: MetricValue) {
        switch value {
        case .count(let count): member(name, count)
        case .level(let level): member(name, level)
        case .number(let number): member(name, number)
        case .flag(let isSet): member(name, isSet)
        case .text(let text): member(name, text)
        case .names(let names): list(name, names)
        case .counts(let counts): self.counts(name, counts)
        case .members(let members):
            object(name) { line in
                for one in members { line.member(one.name, one.value) }
            }
        case .numbers, .histogram, .histograms, .nothing: null(name)
        }
    }
}

/// The sections of a figures line, each an object; `schema` says what their members mean.
extension ServerFigures {
    /// The members of a section, in the line itself.
    func write(_ section: MetricSection, in line: inout JSONLine) {
        for (name, metric) in MetricsRegistry.members(of: section) { line.member(name, metric.value(self)) }
    }

    /// The same as an object of the section's name.
    func writeObject(_ section: MetricSection, in line: inout JSONLine) {
        line.object(named: section.name) { write(section, in: &$0) }
    }

    func writeTotals(_ rates: Rates, _ verdict: HealthVerdict, unseen: Int, in line: inout JSONLine) {
        line.object("totals") { line in
            write(.people, in: &line)
            line.object("rates") { line in
                for (name, perSecond) in rates.all { line.member(name, perSecond) }
            }
            writeObject(.queues, in: &line)
            writeObject(.store, in: &line)
            writeLoops(in: &line)
            writeObject(.drops, in: &line)
            for (name, metric) in MetricsRegistry.totalled { line.member(name, Int(metric.value(self).amount)) }
            writeObject(.process, in: &line)
            line.object("health") { verdict.write(unseen: unseen, in: &$0) }
            verdict.writeAlarms(in: &line)
        }
    }

    func writeLoops(in line: inout JSONLine) {
        line.array("loops") { line in
            for shard in shards { line.element { $0.members(ShardReport.loopMetrics, of: shard) } }
        }
    }

    func writeLatency(in line: inout JSONLine) {
        line.object("requests") { line in
            for (kind, figures) in requests.sorted(by: { $0.key < $1.key }) {
                line.object(named: kind) { $0.members(RequestFigures.metrics, of: figures) }
            }
        }
    }
}
