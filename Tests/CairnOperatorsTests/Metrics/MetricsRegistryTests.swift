import CairnCore
import CairnStore
import CairnWebSocket
import Foundation
import Testing

@testable import CairnOperators
@testable import CairnServer

@Suite("Stats: the table of metrics")
struct MetricsRegistryTests {
    private func figures(_ change: (inout ShardReport) -> Void = { _ in }, shards: Int = 1) -> [ShardReport] {
        var report = ShardReport()
        change(&report)
        return Array(repeating: report, count: shards)
    }

    private func text(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test func figures_haveNamesOfTheirOwnInTheirSection() {
        for (section, figures) in MetricsRegistry.sections {
            #expect(Set(figures.map(\.name)).count == figures.count, "\(section.name)")
            #expect(!figures.isEmpty, "\(section.name)")
        }
    }

    @Test func figures_areExplained() {
        for (section, figures) in MetricsRegistry.sections {
            #expect(figures.allSatisfy { !$0.meaning.isEmpty }, "\(section.name)")
        }
    }

    @Test func families_haveNamesOfTheirOwn() {
        let names = MetricsRegistry.exported.compactMap { $0.description.family?.name(in: $0.description.unit) }
        #expect(Set(names).count == names.count)
    }

    @Test func figuresByLabel_haveALabelOnMetrics_andOthersHaveNone() {
        let shards = figures { $0.shard.refusals = ["too_far": 1] }
        for metric in ShardReport.metrics {
            guard let family = metric.description.family else { continue }
            if case .counts = metric.value(shards[0]) {
                #expect(!family.label.isEmpty, "\(family.name)")
            } else {
                #expect(family.label.isEmpty, "\(family.name)")
            }
        }
    }

    /// Invariant 10, whatever losses there are.
    @Test func everyLoss_isADropAndAPartOfTheItems() throws {
        var report = ShardReport()
        report.loop.volatileThinned = 1
        report.loop.eventsDropped = 2
        report.loop.eventsSuperseded = 4
        report.loop.itemsRevoked = 8
        report.loop.itemsLost = 16
        let losses = ShardReport.metrics.filter { $0.description.members.first?.section == .drops }
        #expect(losses.count == 5)
        #expect(losses.allSatisfy { $0.description.members.last?.section == .items })
        let drops = try #require(ShardReport.metrics.first { $0.description.family?.name == "cairn.drops" })
        #expect(drops.value(report).amount == 31)
        #expect(losses.reduce(0) { $0 + $1.value(report).amount } == 31)
    }

    @Test func shards_areAddedUp() throws {
        let refusals = ShardReport.refusals.sum { (shards: [ShardReport]) in shards }
        let shards = figures({ $0.shard.refusals = ["too_far": 2] }, shards: 3)
        guard case .counts(let counts) = refusals.value(shards) else { throw Unexpected() }
        #expect(counts == ["too_far": 6])
    }

    @Test func loops_areSamplesOfTheirOwn() throws {
        let overload = try #require(
            ShardReport.loopMetrics.first { $0.description.family?.name == "cairn.loop.overload" })
        let each = overload.each { (shards: [ShardReport]) in shards }
        guard case .numbers(let numbers) = each.value(figures({ $0.load.overload = 2 }, shards: 2)) else {
            throw Unexpected()
        }
        #expect(numbers == ["0": 2, "1": 2])
    }

    /// What has an alarm on the console wakes somebody who does not look at it, too.
    @Test func everyAlarm_hasARuleForPrometheus() throws {
        let rules = try text("config/prometheus-alerts.yaml")
        for (name, metric, _) in MetricsRegistry.alarmed {
            let family = try #require(metric.description.family, "\(name)")
            #expect(rules.contains(family.name(in: metric.description.unit)), "\(name)")
        }
    }

    @Test func damagedIndexes_raiseAnAlarm() {
        var store = StoreFigures()
        #expect(StoreFigures.raised(store) == [])
        store.rebuiltIndexes = ["instances_cell"]
        #expect(StoreFigures.raised(store) == ["rebuiltIndexes"])
        store.damagedIndexes = ["instances_cell"]
        #expect(StoreFigures.raised(store) == ["damagedIndexes", "rebuiltIndexes"])
    }

    @Test func page_derivesNamesAndUnitsByOneRule() {
        var writer = MetricsWriter()
        let delay = Metric<Int>(unit: "microseconds", "how late it came") { .level($0) }.family(.gauge, "a.delay")
        writer.write(delay.description, delay.value(1_500))
        let bytes = Metric<Int>(unit: "bytes", "bytes sent") { .level($0) }.family(.counter, "a.sent")
        writer.write(bytes.description, bytes.value(7))
        let page = """
            # HELP a_delay_seconds How late it came.
            # TYPE a_delay_seconds gauge
            a_delay_seconds 0.0015
            # HELP a_sent_bytes_total Bytes sent.
            # TYPE a_sent_bytes_total counter
            a_sent_bytes_total 7

            """
        #expect(writer.text == page)
    }

    @Test func labels_areEscaped() {
        var writer = MetricsWriter()
        let metric = Metric<String>("things by name") { .counts([$0: 1]) }.family(.gauge, "a.things", by: "name")
        writer.write(metric.description, metric.value("a\"b\\c\nd"))
        #expect(writer.text.hasSuffix("a_things{name=\"a\\\"b\\\\c\\nd\"} 1\n"))
    }
}

private struct Unexpected: Error {}

extension StoreFigures {
    fileprivate static func raised(_ figures: StoreFigures) -> [String] {
        metrics.filter { $0.description.alarm != nil && $0.value(figures).amount > 0 }
            .compactMap { $0.description.members.first.map { "\($0.name)" } }
    }
}
